import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { NODE_FLAGS } from '../../src/local/operator.ts';

it('an image has everything that a bundle consists of, the licences of others included', async () => {
  const dockerfile = await readFile('Dockerfile', 'utf8');
  expect(dockerfile).toMatch(/^RUN node src\/build\.ts bundle --out \/out\/operator\.mjs$/m);
  expect(dockerfile).toMatch(/^COPY --from=bundle \/out \/operator$/m);
});

it('an operator on this machine runs as in its image, with the same flags of Node', async () => {
  const dockerfile = await readFile('Dockerfile', 'utf8');
  const [, command = ''] = /^ENTRYPOINT (.+)$/m.exec(dockerfile) ?? [];
  expect(JSON.parse(command)).toEqual(['/usr/local/bin/node', ...NODE_FLAGS, '/operator/operator.mjs']);
});
