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
  /** Of the stored version. */
  readonly schema: Schema;
  /** The other versions. */
  readonly others: readonly { readonly version: string; readonly schema: Schema }[];
}

/** The part of the manifest that generators read. */
export interface CrdManifest {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly storage: boolean;
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

/** Every CRD of the folder, in the order of file names. */
export function readCrds(folder: string): Crd[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.sort().map((file) => readCrd(join(folder, file)));
}

function readCrd(file: string): Crd {
  return crdOf(file, parse(readFileSync(file, 'utf8')) as CrdManifest);
}

export function crdOf(file: string, { spec }: CrdManifest): Crd {
  const stored = spec.versions.find((version) => version.storage);
  if (stored === undefined) throw new Error(`${file}: no version is stored`);
  const others = spec.versions
    .filter((version) => version !== stored)
    .map(({ name, schema }) => ({ version: name, schema: schema.openAPIV3Schema }));
  return { file, group: spec.group, kind: spec.names.kind, schema: stored.schema.openAPIV3Schema, others };
}

/** Where the types of a kind are kept: in its own folder, unless another kind reads its objects. */
export function typesFolderOf(kind: string): string {
  return kind === 'RolloutPolicy' ? 'src/policy' : join('src/kinds', folderOf(kind));
}

/** `MyDeployment` → `my-deployment`: the folder that holds everything about a kind. */
export function folderOf(kind: string): string {
  return kind.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}
