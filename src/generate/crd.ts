// What the generators read of a CustomResourceDefinition in crds/. They read the YAML, not the TypeScript that it was made from,
// so that types and constructs describe what users install.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Schema } from '../runtime/custom-resource.ts';

export interface Crd {
  readonly file: string;
  readonly group: string;
  readonly kind: string;
  readonly schema: Schema;
}

interface CrdManifest {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly storage: boolean; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** Every CRD of the folder, in the order of file names. */
export function readCrds(folder: string): Crd[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.sort().map((file) => readCrd(join(folder, file)));
}

function readCrd(file: string): Crd {
  const { spec } = parse(readFileSync(file, 'utf8')) as CrdManifest;
  const stored = spec.versions.find((version) => version.storage);
  if (stored === undefined) throw new Error(`${file}: no version is stored`);
  return { file, group: spec.group, kind: spec.names.kind, schema: stored.schema.openAPIV3Schema };
}

/** `MyDeployment` → `my-deployment`: the folder that holds everything about a kind. */
export function folderOf(kind: string): string {
  return kind.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}
