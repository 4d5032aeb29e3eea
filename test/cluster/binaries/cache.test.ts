// The cache: what counts as a binary, what counts as damage, and that nothing half done is left.

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BinaryCache } from '../../../src/cluster/binaries/cache.ts';
import { Scratch } from './fixture.ts';
import { sha256 } from './mirror.ts';

const release = { name: 'etcd', version: '3.7.3' } as const;
const content = 'a program of some length';

async function installed(scratch: Scratch, verify: 'quick' | 'full' = 'quick') {
  const cache = new BinaryCache(scratch.path, verify);
  const path = await cache.withWorkDirectory(release, async (work) => {
    await writeFile(join(work, 'etcd'), content);
    return cache.install('etcd', release, join(work, 'etcd'));
  });
  return { cache, path };
}

/** Changes one bit, leaving the size as it is. */
async function flipBit(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[5] = (bytes[5] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

describe('the cache of binaries', () => {
  it('gives back what was installed, executable and with nothing else left behind', async () => {
    await using scratch = await Scratch.create();
    const { cache, path } = await installed(scratch);
    expect(path).toBe(join(scratch.path, 'v3.7.3', 'etcd'));
    expect(await cache.lookup('etcd', release)).toEqual({ state: 'ready', path });
    expect((await stat(path)).mode & 0o777).toBe(0o755);
    expect((await readdir(join(scratch.path, 'v3.7.3'))).sort()).toEqual(['etcd', 'etcd.json']);
  });

  it('has nothing before anything was installed', async () => {
    await using scratch = await Scratch.create();
    expect(await new BinaryCache(scratch.path, 'quick').lookup('etcd', release)).toEqual({ state: 'absent' });
  });

  it('keeps versions apart', async () => {
    await using scratch = await Scratch.create();
    const { cache } = await installed(scratch);
    expect(await cache.lookup('etcd', { ...release, version: '3.6.15' })).toEqual({ state: 'absent' });
  });

  it.each([
    { name: 'a truncated binary', damage: (path: string) => truncate(path, 7), says: 'has 7 bytes instead of 24' },
    { name: 'a flipped bit', damage: flipBit, says: `instead of ${sha256(content)}` },
    { name: 'an unreadable record', damage: (path: string) => writeFile(`${path}.json`, '{"sha'), says: 'no record' },
  ])('notices $name', async ({ damage, says }) => {
    await using scratch = await Scratch.create();
    const { cache, path } = await installed(scratch);
    await damage(path);
    expect(await cache.lookup('etcd', release)).toEqual({ state: 'damaged', because: expect.stringContaining(says) });
  });

  it('does not count a binary that nobody recorded', async () => {
    await using scratch = await Scratch.create();
    await mkdir(join(scratch.path, 'v3.7.3'));
    await writeFile(join(scratch.path, 'v3.7.3', 'etcd'), content);
    const found = await new BinaryCache(scratch.path, 'quick').lookup('etcd', release);
    expect(found).toMatchObject({ state: 'damaged', because: expect.stringContaining('has no record') });
  });

  it('reads the bytes again when the time of change differs, and remembers the new time', async () => {
    await using scratch = await Scratch.create();
    const { cache, path } = await installed(scratch);
    await utimes(path, 1_000, 1_000);
    expect(await cache.lookup('etcd', release)).toEqual({ state: 'ready', path });
    expect(JSON.parse(await readFile(`${path}.json`, 'utf8'))).toMatchObject({ mtimeMs: 1_000_000 });
  });

  it.each([
    { verify: 'quick', state: 'ready' },
    { verify: 'full', state: 'damaged' },
  ] as const)('with $verify verification calls a change that hides its traces $state', async ({ verify, state }) => {
    await using scratch = await Scratch.create();
    const { cache, path } = await installed(scratch, verify);
    await utimes(path, 1_000, 1_000);
    await cache.lookup('etcd', release);
    await flipBit(path);
    await utimes(path, 1_000, 1_000);
    expect(await cache.lookup('etcd', release)).toMatchObject({ state });
  });

  it('replaces a binary by a new one', async () => {
    await using scratch = await Scratch.create();
    const { path } = await installed(scratch);
    await flipBit(path);
    const { cache } = await installed(scratch);
    expect(await cache.lookup('etcd', release)).toEqual({ state: 'ready', path });
    expect(await readFile(path, 'utf8')).toBe(content);
  });

  it('removes the work directory when the work fails', async () => {
    await using scratch = await Scratch.create();
    const cache = new BinaryCache(scratch.path, 'quick');
    const failing = cache.withWorkDirectory(release, async (work) => {
      await writeFile(join(work, 'half'), '');
      throw new Error('cut short');
    });
    await expect(failing).rejects.toThrow('cut short');
    expect(await readdir(join(scratch.path, 'v3.7.3'))).toEqual([]);
  });

  it('sweeps work directories a day old and leaves younger ones, which may be in use', async () => {
    await using scratch = await Scratch.create();
    const cache = new BinaryCache(scratch.path, 'quick');
    const [old, young] = ['.work-old', '.work-young'].map((name) => join(scratch.path, 'v3.7.3', name)) as [
      string,
      string,
    ];
    await mkdir(old, { recursive: true });
    await mkdir(young);
    const twoDaysAgo = Date.now() / 1_000 - 2 * 24 * 60 * 60;
    await utimes(old, twoDaysAgo, twoDaysAgo);
    await cache.withWorkDirectory(release, async () => {});
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  });
});
