// A lock file, so that one process at a time downloads or builds a release. The others wait, and report the pid of the holder.
// Guarantees: the lock file appears with its content (hard link), so it is never seen half written; a dead holder's
// lock is removed only under a second lock of the same kind, after a second look, so two waiters never remove a
// fresh one. Caveat: processes that cannot see each other (containers that share a cache) take each other for dead
// and both do the work. That only costs time, because installs are atomic.

import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { type Clock, sleep } from '../../runtime/clock.ts';
import { isAlive, ownIdentity, type ProcessIdentity } from '../incarnation.ts';

interface Holder extends ProcessIdentity {
  readonly token: string;
}

export interface LockOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Called each time the lock is found held by a live process. */
  readonly onWait?: (pid: number) => void;
}

const POLL_MS = 250;

/** Runs `action` while holding the lock file at `path`; its directory must exist. */
export async function withLock<T>(path: string, options: LockOptions, action: () => Promise<T>): Promise<T> {
  const mine: Holder = { ...(await ownIdentity()), token: randomUUID() };
  await acquire(path, mine, options);
  try {
    return await action();
  } finally {
    if ((await holderOf(path))?.token === mine.token) await rm(path, { force: true });
  }
}

async function acquire(path: string, mine: Holder, options: LockOptions): Promise<void> {
  while (!(await claimed(path, mine))) {
    options.signal?.throwIfAborted();
    const holder = await holderOf(path);
    if (holder === undefined) continue; // Released in between.
    if (await isAlive(holder)) {
      options.onWait?.(holder.pid);
      await sleep(options.clock, POLL_MS, options.signal);
    } else {
      await removeStale(path, holder, options);
    }
  }
}

async function claimed(path: string, mine: Holder): Promise<boolean> {
  const draft = `${path}.${mine.token}`;
  await writeFile(draft, JSON.stringify(mine));
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function removeStale(path: string, stale: Holder, { clock, signal }: LockOptions): Promise<void> {
  await withLock(`${path}.break`, { clock, signal }, async () => {
    if ((await holderOf(path))?.token === stale.token) await rm(path, { force: true });
  });
}

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} is not a lock file; remove it`, { cause: error });
  }
}
