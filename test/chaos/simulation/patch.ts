// The three ways of patching that our operator uses, as the API server carries them out: a merge patch, a JSON patch of
// whole members, and of strategic patches those that add or remove owner references and those that change a pod in place. A uid or
// version in the patch is a condition, and what does not hold is refused.

import type { JsonPatchOperation, Patch, WriteOptions } from '../../../src/runtime/client/options.ts';
import type { OwnerReference } from '../../../src/runtime/object.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { patchedPod } from '../../support/model-pod.ts';

export type Loose = Readonly<Record<string, unknown>>;

type Subresource = WriteOptions['subresource'] | undefined;
type Refuse = (reason: 'Conflict' | 'Invalid', why: string) => Error;

/** The object with the patch applied. */
export function patched(object: Loose, patch: Patch, subresource: Subresource, refuse: Refuse): Loose {
  switch (patch.type) {
    case 'merge':
      checkConditions(object, patch.body as Loose, refuse);
      return merge(object, patch.body as Loose) as Loose;
    case 'strategic':
      checkConditions(object, patch.body as Loose, refuse);
      return hasReferences(patch.body)
        ? withReferences(object, patch.body)
        : (patchedPod(object as unknown as Pod, { ...(subresource && { subresource }), body: patch.body }) as never);
    case 'json':
      return patch.body.reduce((current, operation) => operate(current, operation, refuse), object);
    default:
      throw new Error(`the model does not know patches of type ${patch.type}`);
  }
}

function checkConditions(object: Loose, body: Loose, refuse: Refuse): void {
  const metadata = object.metadata as Loose;
  for (const field of ['uid', 'resourceVersion'] as const) {
    const wanted = (body.metadata as Loose | undefined)?.[field];
    if (wanted !== undefined && wanted !== metadata[field])
      throw refuse('Conflict', `${field} is ${String(metadata[field])}, not ${String(wanted)}`);
  }
}

function merge(target: unknown, change: unknown): unknown {
  if (!isMap(change)) return change;
  const result: Record<string, unknown> = isMap(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete result[name];
    else result[name] = merge(result[name], value);
  }
  return result;
}

function isMap(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Reference = OwnerReference & { readonly $patch?: 'delete' };

interface References {
  readonly metadata: { readonly ownerReferences: readonly Reference[] };
}

function hasReferences(body: object): body is References {
  return 'ownerReferences' in ((body as { metadata?: object }).metadata ?? {});
}

function withReferences(object: Loose, body: References): Loose {
  const metadata = object.metadata as Loose & { ownerReferences?: readonly OwnerReference[] };
  const references = new Map((metadata.ownerReferences ?? []).map((reference) => [reference.uid, reference]));
  for (const reference of body.metadata.ownerReferences) {
    if (reference.$patch === 'delete') references.delete(reference.uid);
    else references.set(reference.uid, reference);
  }
  return { ...object, metadata: { ...metadata, ownerReferences: [...references.values()] } };
}

function operate(object: Loose, operation: JsonPatchOperation, refuse: Refuse): Loose {
  const names = operation.path.split('/').slice(1);
  return operateAt(
    object,
    names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')),
    operation,
    refuse,
  );
}

function operateAt(
  object: Loose,
  [name = '', ...deeper]: readonly string[],
  operation: JsonPatchOperation,
  refuse: Refuse,
): Loose {
  if (deeper.length > 0) {
    if (!isMap(object[name])) throw refuse('Invalid', `${operation.path} is not there`);
    return { ...object, [name]: operateAt(object[name], deeper, operation, refuse) };
  }
  const { [name]: present, ...others } = object;
  switch (operation.op) {
    case 'test':
      if (present !== operation.value) throw refuse('Invalid', `${operation.path} is not what it was`);
      return object;
    case 'replace':
      if (present === undefined) throw refuse('Invalid', `${operation.path} is not there to be replaced`);
      return { ...object, [name]: operation.value };
    case 'remove':
      if (present === undefined) throw refuse('Invalid', `${operation.path} is not there to be removed`);
      return others;
    default:
      throw new Error(`the model does not know the operation ${operation.op}`);
  }
}
