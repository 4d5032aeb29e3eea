// A cluster's directory: taken by one living process at a time, and never a stumbling block after a crash.

import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { claimHome, holderOf, releaseHome } from '../../src/cluster/home.ts';

function homeWith(pidFile: string): string {
  const home = join(mkdtempSync(join(tmpdir(), 'home-')), 'some');
  mkdirSync(join(home, 'etcd'), { recursive: true });
  writeFileSync(join(home, 'pid'), pidFile);
  return home;
}

describe('the home of a cluster', () => {
  it('is held by the process that claimed it, and by nobody once released', async () => {
    const home = join(mkdtempSync(join(tmpdir(), 'home-')), 'new');
    expect(await holderOf(home)).toBeUndefined();
    await claimHome(home);
    expect(await holderOf(home)).toMatchObject({ pid: process.pid });
    await releaseHome(home);
    expect(await holderOf(home)).toBeUndefined();
  });

  it.each([
    { name: 'a process that is gone', pidFile: '{"pid":2147483646,"incarnation":"1"}' },
    {
      name: 'a pid that a later process has now',
      pidFile: JSON.stringify({ pid: process.ppid, incarnation: 'long ago' }),
    },
    { name: 'a pid file cut short by a crash', pidFile: '{"pid":12' },
    { name: 'a pid file of another shape', pidFile: '"x"' },
    { name: 'an empty pid file', pidFile: '' },
  ])('left by $name is cleared and taken', async ({ pidFile }) => {
    const home = homeWith(pidFile);
    expect(await holderOf(home)).toBeUndefined();
    await claimHome(home);
    expect(existsSync(join(home, 'etcd'))).toBe(false);
    expect(await holderOf(home)).toMatchObject({ pid: process.pid });
  });

  it('of a living process is refused and left as it is', async () => {
    const other = join(mkdtempSync(join(tmpdir(), 'home-')), 'other');
    await claimHome(other);
    const self = await holderOf(other);
    // Process 1 always runs; its start time is in the same place as ours.
    const init = { pid: 1, incarnation: (await import('node:fs')).readFileSync('/proc/1/stat', 'utf8').split(' ')[21] };
    expect(self?.incarnation).toMatch(/^\d+$/);
    const home = homeWith(JSON.stringify(init));
    await expect(claimHome(home)).rejects.toThrow('already running (pid 1); stop that first');
    expect(existsSync(join(home, 'etcd'))).toBe(true);
  });
});
