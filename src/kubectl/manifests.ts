// `-f FILE`: the MyDeployments that manifests name. Only kind, namespace and name of an object count, as in `kubectl get -f`;
// objects of other kinds, which often share a file with a MyDeployment, are skipped.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { myDeployments } from '../kinds/my-deployment/names.ts';
import type { ObjectRef } from '../runtime/object.ts';
import { UsageError } from './arguments.ts';
import { myDeploymentName } from './object-name.ts';

export interface ManifestOptions {
  /** For objects that name none. */
  readonly namespace: string;
  /** Whether the user asked for this namespace; then an object of another one is refused, as kubectl does. */
  readonly isAsked: boolean;
  /** Whether folders are read with the folders in them. */
  readonly recursive: boolean;
}

const STDIN = 0;

/** The MyDeployments in these files, folders or, for `-`, in the standard input. */
export function readManifests(paths: readonly string[], options: ManifestOptions): Required<ObjectRef>[] {
  const targets = paths.flatMap((path) => filesOf(path, options)).flatMap((file) => targetsIn(file, options));
  if (targets.length === 0) throw new UsageError(`no MyDeployment in ${paths.join(', ')}`);
  return targets;
}

function filesOf(path: string, { recursive }: ManifestOptions): string[] {
  if (path === '-') return [path];
  if (/^https?:\/\//.test(path)) throw new UsageError(`-f takes files and folders, not URLs: download ${path} first`);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`the path "${path}" does not exist`);
  if (!stats.isDirectory()) return [path];
  const files = readdirSync(path, { recursive, encoding: 'utf8' }).filter((name) => /\.(json|ya?ml)$/.test(name));
  if (files.length === 0) throw new UsageError(`no .json, .yaml or .yml file in ${path}`);
  return files.toSorted().map((name) => join(path, name));
}

interface Manifest {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly items?: unknown;
  readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown } | null;
}

function targetsIn(file: string, options: ManifestOptions): Required<ObjectRef>[] {
  const objects = documentsIn(file).flatMap(withItems);
  return objects.filter(isMyDeployment).map(({ metadata }) => {
    if (typeof metadata?.name !== 'string') throw new UsageError(`${file}: a MyDeployment has no metadata.name`);
    const namespace = typeof metadata.namespace === 'string' ? metadata.namespace : options.namespace;
    if (options.isAsked && namespace !== options.namespace) {
      throw new UsageError(
        `the namespace from the provided object "${namespace}" does not match the namespace "${options.namespace}": pass --namespace=${namespace}`,
      );
    }
    return { namespace, name: myDeploymentName(metadata.name) };
  });
}

function documentsIn(file: string): Manifest[] {
  const documents = [...parseAllDocuments(readFileSync(file === '-' ? STDIN : file, 'utf8'))];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new UsageError(`error parsing ${file}: ${error.message.split('\n')[0]}`);
    const object: unknown = document.toJS();
    return typeof object === 'object' && object !== null ? [object as Manifest] : [];
  });
}

/** The members of a List, or the object itself. */
function withItems(object: Manifest): Manifest[] {
  return Array.isArray(object.items) ? (object.items as Manifest[]) : [object];
}

function isMyDeployment({ apiVersion, kind }: Manifest): boolean {
  const [group] = String(apiVersion).split('/');
  return group === myDeployments.group && kind === myDeployments.kind;
}
