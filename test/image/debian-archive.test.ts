import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { debianUrl } from '../../src/image/debian-archive.ts';
import { Scratch } from '../cluster/binaries/fixture.ts';

/** An environment whose apt-get prints this. */
async function aptThatSays(scratch: Scratch, text: string): Promise<NodeJS.ProcessEnv> {
  const bin = join(scratch.path, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'apt-get'), `#!/bin/sh\ncat <<'END'\n${text}\nEND\n`);
  await chmod(join(bin, 'apt-get'), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}

describe('where Debian is served', () => {
  it('is said by the environment', async () => {
    expect(await debianUrl({ MYDEPLOYMENT_DEBIAN_URL: 'http://mirror.example.com/' })).toBe(
      'http://mirror.example.com',
    );
  });

  it('is where apt gets its packages, otherwise', async () => {
    await using scratch = await Scratch.create();
    const uris = 'http://other.example.com/tools/\nhttps://mirror.example.com/linux/debian/';
    expect(await debianUrl(await aptThatSays(scratch, uris))).toBe('https://mirror.example.com/linux');
  });

  it.each(['', 'http://other.example.com/ubuntu/'])('is asked for when apt says "%s"', async (text) => {
    await using scratch = await Scratch.create();
    await expect(debianUrl(await aptThatSays(scratch, text))).rejects.toThrow('MYDEPLOYMENT_DEBIAN_URL names a mirror');
  });
});
