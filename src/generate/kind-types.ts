// The generated types of a kind, file by file: types.gen.ts for the version that is stored, and one file for each other version, whose
// names carry the version (WebsiteV1Alpha1).

import { inTypeName } from '../create/names.ts';
import type { Crd } from './crd.ts';
import { ownSources, type TypeSources, typesOf } from './types.ts';

/** What projects of other people import. */
export const PACKAGE: TypeSources = { objectMeta: 'mydeployment/runtime', podTemplate: 'mydeployment/runtime' };

/** The files by name. */
export async function kindTypes(crd: Crd, sources = ownSources(crd.kind)): Promise<ReadonlyMap<string, string>> {
  const others = crd.others.map(async ({ version, schema }): Promise<[string, string]> => {
    const kind = crd.kind + inTypeName(version);
    return [`${version}.gen.ts`, await typesOf({ file: crd.file, kind, schema }, sources)];
  });
  return new Map([['types.gen.ts', await typesOf(crd, sources)], ...(await Promise.all(others))]);
}
