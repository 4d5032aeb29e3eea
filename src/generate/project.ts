// `mydeployment generate`: the types of every kind of a project, from its CRDs. Kinds that have no folder are not the project's own.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, readCrds } from './crd.ts';
import { kindTypes, PACKAGE } from './kind-types.ts';

/** Writes into `src/kinds/<kind>/` of the current folder; returns the paths. */
export async function generateProject(): Promise<string[]> {
  const written: string[] = [];
  for (const crd of readCrds('crds')) {
    const folder = join('src/kinds', folderOf(crd.kind));
    if (!existsSync(folder)) continue;
    for (const [name, content] of await kindTypes(crd, PACKAGE)) {
      writeFileSync(join(folder, name), content);
      written.push(join(folder, name));
    }
  }
  return written;
}
