import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { NODE_FLAGS } from '../../src/local/operator.ts';

it('an operator on this machine runs as in its image, with the same flags of Node', async () => {
  const dockerfile = await readFile('Dockerfile', 'utf8');
  const [, command = ''] = /^ENTRYPOINT (.+)$/m.exec(dockerfile) ?? [];
  expect(JSON.parse(command)).toEqual(['/usr/local/bin/node', ...NODE_FLAGS, '/operator/operator.mjs']);
});
