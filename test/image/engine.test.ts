import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildArguments, buildWith, engineNamed, findEngine } from '../../src/image/engine.ts';
import { Scratch } from '../cluster/binaries/fixture.ts';

/** A PATH with commands of these names that succeed or fail. */
async function pathWith(scratch: Scratch, commands: Readonly<Record<string, 'answers' | 'fails'>>): Promise<string> {
  for (const [name, what] of Object.entries(commands)) {
    const path = join(scratch.path, name);
    await writeFile(path, `#!/bin/sh\nexit ${what === 'answers' ? 0 : 1}\n`);
    await chmod(path, 0o755);
  }
  await symlink('/bin/cat', join(scratch.path, 'cat')); // What starts a command needs it.
  return scratch.path;
}

describe('the container engine', () => {
  it.each([
    { commands: {}, engine: undefined },
    { commands: { docker: 'fails' }, engine: undefined },
    { commands: { docker: 'answers', podman: 'answers' }, engine: 'docker' },
    { commands: { docker: 'fails', podman: 'answers', buildah: 'answers' }, engine: 'podman' },
    { commands: { docker: 'fails', buildah: 'answers' }, engine: 'buildah' },
  ] as const)('with $commands is $engine', async ({ commands, engine }) => {
    await using scratch = await Scratch.create();
    expect(await findEngine({ PATH: await pathWith(scratch, commands) })).toBe(engine);
  });
});

it('an engine that is none of ours is refused, and none is none', () => {
  expect(engineNamed('podman')).toBe('podman');
  expect(engineNamed('none')).toBeUndefined();
  expect(() => engineNamed('dokcer')).toThrow('ENGINE: expected none, docker, podman, buildah, got "dokcer"');
});

describe('a build', () => {
  it('with an engine that is not installed says how to do without', async () => {
    await using scratch = await Scratch.create();
    await expect(buildWith('podman', 'mydeployment:1', { PATH: scratch.path })).rejects.toThrow(
      'podman does not start (spawn podman ENOENT); ENGINE=none builds without an engine',
    );
  });

  it('is plain where the environment says nothing', () => {
    expect(buildArguments('docker', 'mydeployment:1', {})).toEqual(['build', '--tag', 'mydeployment:1', '.']);
  });

  it('gives certificates and settings of npm as secrets, and mirrors as arguments', () => {
    const env = {
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      NPMRC: '/npmrc',
      MYDEPLOYMENT_DEBIAN_URL: 'http://m',
      NODE_IMAGE: 'n:24',
    };
    expect(buildArguments('podman', 'mydeployment:1', env)).toEqual([
      'build',
      ...['--secret', 'id=ca,src=/ca.pem', '--secret', 'id=npmrc,src=/npmrc'],
      ...['--build-arg', 'NODE_IMAGE=n:24', '--build-arg', 'DEBIAN_URL=http://m'],
      ...['--tag', 'mydeployment:1', '.'],
    ]);
  });
});
