// What a new project asks npm for: this release or a later one; or the file that npm has installed this package from, which is how
// people have it who packed it themselves.

import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/** What npm has noted about the packages of a folder, below its `node_modules`. */
const NOTES = '.package-lock.json';

interface InstalledPackages {
  readonly packages: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}

/** The dependency for a project in `folder`, where npm has noted something else than a release; `home` is the folder of this package. */
export function dependencyOn(home: string, folder: string): string | undefined {
  const notes = resolve(home, '..', NOTES);
  if (!existsSync(notes)) return undefined;
  const { packages } = JSON.parse(readFileSync(notes, 'utf8')) as InstalledPackages;
  const resolved = packages['node_modules/mydeployment']?.resolved;
  if (!resolved?.startsWith('file:')) return undefined;
  const file = resolve(home, '../..', resolved.slice('file:'.length));
  return `file:${relative(folder, file)}`;
}
