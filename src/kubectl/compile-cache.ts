// The folder in which Node keeps compiled code, so that the next command starts faster. Node runs what it finds there, so
// the folder must be one that only this user can write: by default Node uses the shared temporary folder, where another
// user can put a folder of that name first.
//
// Guarantees: the folder and every folder and symbolic link on the way to it belong to this user or to root, and no other
// user can write into them. A sticky folder, such as /tmp, may be on the way, because only owners rename what is in it.

import { lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

const ROOT = 0;
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/** A private folder for compiled code, created if needed; undefined when there can be none, and commands start slower. */
export function compileCacheFolder(env: NodeJS.ProcessEnv, uid: number | undefined): string | undefined {
  if (uid === undefined) return undefined; // Windows has no owners that could be compared
  try {
    const { XDG_CACHE_HOME: home } = env;
    const folder = join(home && isAbsolute(home) ? home : join(homedir(), '.cache'), 'mydeployment', 'compile-cache');
    if (!isWayPrivate(existingPart(folder), uid)) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isWayPrivate(folder, uid) && isPrivateFolder(lstatSync(folder), uid) ? folder : undefined;
  } catch {
    return undefined; // no home, a full or read-only disk: no reason not to run
  }
}

function existingPart(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? existingPart(dirname(path)) : path;
}

/** Whether only this user and root decide what is found under this path, both as it is written and as links resolve it. */
function isWayPrivate(path: string, uid: number): boolean {
  const way = new Set([...withParents(path), ...withParents(realpathSync(path))]);
  return [...way].every((each) => {
    const stats = lstatSync(each);
    return isPrivateFolder(stats, uid) || (isOwnedBy(stats, uid) && (stats.isSymbolicLink() || isSticky(stats)));
  });
}

function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

function isPrivateFolder(stats: Stats, uid: number): boolean {
  return stats.isDirectory() && isOwnedBy(stats, uid) && (stats.mode & WRITABLE_BY_OTHERS) === 0;
}

function isOwnedBy(stats: Stats, uid: number): boolean {
  return stats.uid === uid || stats.uid === ROOT;
}

function isSticky({ mode }: Stats): boolean {
  return (mode & STICKY) !== 0;
}
