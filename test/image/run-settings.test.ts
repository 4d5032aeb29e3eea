import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { runSettings } from '../../src/image/run-settings.ts';
import { MALLOC, NODE_FLAGS } from '../../src/local/operator.ts';

it('an operator on this machine runs as in its image, with the same flags of Node and the same settings of malloc', async () => {
  const { Entrypoint, Env } = runSettings(await readFile('Dockerfile', 'utf8'));
  expect(Entrypoint).toEqual(['/usr/local/bin/node', ...NODE_FLAGS, '/operator/operator.mjs']);
  expect(Env).toEqual(expect.arrayContaining(Object.entries(MALLOC).map(([name, value]) => `${name}=${value}`)));
});

describe('the settings of an image', () => {
  const last = 'FROM scratch\nENV B=c D=e\nUSER 1:2\nEXPOSE 80 443\nENTRYPOINT ["/a", "b"]\n';

  it('are those of the last stage', () => {
    expect(runSettings(`FROM node AS build\nENV B=x\nUSER root\n\n${last}`)).toEqual({
      User: '1:2',
      ExposedPorts: { '80/tcp': {}, '443/tcp': {} },
      Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'B=c', 'D=e'],
      Entrypoint: ['/a', 'b'],
    });
  });

  it.each(['ENV', 'USER', 'EXPOSE', 'ENTRYPOINT'])('are not guessed where %s is missing', (instruction) => {
    const without = last.replace(new RegExp(`^${instruction} .*$`, 'm'), '');
    expect(() => runSettings(`FROM node\nUSER root\n${without}`)).toThrow(`no ${instruction}`);
  });
});
