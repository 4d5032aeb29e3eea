// A file tree as data: what a layer of the image holds. Nothing here knows of disks, archives or owners.

import { posix } from 'node:path';

/** A file, folder or symbolic link; paths are relative to the root of the tree and have no leading slash. */
export type Entry =
  | { readonly type: 'file'; readonly path: string; readonly mode: number; readonly content: Buffer }
  | { readonly type: 'symlink'; readonly path: string; readonly target: string }
  | { readonly type: 'directory'; readonly path: string };

/** A plain file that everybody may read. */
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

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? [] : [...foldersAbove(folder), folder];
}
