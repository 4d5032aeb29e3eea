// Writes a file tree to disk, as an image builder or a test needs it.

import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Entry } from './tree.ts';

/** Writes the entries into a folder, with the time 0, so that what is copied from there is the same on each day. */
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
