// A file tree as data: what a layer of an image holds, without owners and times.

import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

/** A file, folder or symbolic link; paths are relative to the root of the tree and have no leading slash. */
export type Entry =
  | { readonly type: 'file'; readonly path: string; readonly mode: number; readonly content: Buffer }
  | { readonly type: 'symlink'; readonly path: string; readonly target: string }
  | { readonly type: 'directory'; readonly path: string };

/** A file that every user may read. */
export function file(path: string, content: Buffer | string, mode = 0o644): Entry {
  return { type: 'file', path, mode, content: typeof content === 'string' ? Buffer.from(content) : content };
}

/** The entries with the folders that they are in, each path once, sorted by bytes so that folders come first. */
export function treeOf(entries: readonly Entry[]): Entry[] {
  const tree = new Map<string, Entry>();
  for (const entry of entries) {
    for (const path of foldersAbove(entry.path)) tree.set(path, { type: 'directory', path });
  }
  for (const entry of entries) {
    if (entry.type !== 'directory' && tree.has(entry.path)) throw new Error(`${entry.path} is twice in a file tree`);
    tree.set(entry.path, entry);
  }
  return [...tree.values()].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

/** Writes the entries into a folder. Files get the time 0, so that copies of the folder are the same on every day. */
export async function writeFolder(folder: string, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) {
    const path = join(folder, entry.path);
    await mkdir(entry.type === 'directory' ? path : dirname(path), { recursive: true });
    if (entry.type === 'symlink') await symlink(entry.target, path);
    if (entry.type !== 'file') continue;
    await writeFile(path, entry.content);
    await chmod(path, entry.mode);
    await utimes(path, 0, 0);
  }
}

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? [] : [...foldersAbove(folder), folder];
}
