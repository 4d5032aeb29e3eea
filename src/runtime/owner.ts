// Owner references. The garbage collector deletes an object with its owner, and at most one of its owners controls it.
// Setting a reference never takes an object from another controller.

import type { KubeObject, Manifest, ObjectMeta, OwnerReference } from './object.ts';
import { apiVersionOf, type Resource } from './resource.ts';

/** Thrown when another owner controls the object already. */
export class AlreadyOwnedError extends Error {
  override readonly name = 'AlreadyOwnedError';
  readonly owner: OwnerReference;

  constructor(what: string, owner: OwnerReference) {
    super(`${what} is already controlled by ${owner.kind} "${owner.name}" (uid ${owner.uid})`);
    this.owner = owner;
  }
}

/** An object that can be named as the owner of another. */
export interface Owner extends KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The object with its kind, which items of a list do not carry. */
export function asOwner<T extends KubeObject>(object: T, resource: Resource): T & Owner {
  return { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind };
}

/** The reference that makes `owner` the controller, and lets foreground deletion of it wait for what it owns. */
export function controllerReference({ apiVersion, kind, metadata: { name, uid } }: Owner): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The same manifest, controlled by `owner`; other owners stay. */
export function setControllerReference<T extends Manifest<KubeObject>>(
  object: T,
  owner: KubeObject,
  resource: Resource,
): T {
  const reference = controllerReference(asOwner(owner, resource));
  const references = object.metadata.ownerReferences ?? [];
  const what = nameOf(object.kind, object.metadata);
  refuseOtherNamespace(what, object.metadata, owner);
  const other = references.find(({ controller, uid }) => controller === true && uid !== reference.uid);
  if (other !== undefined) throw new AlreadyOwnedError(what, other);
  const others = references.filter(({ uid }) => uid !== reference.uid);
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...others, reference] } };
}

/** The garbage collector treats such an owner as missing, and would delete the object. */
function refuseOtherNamespace(what: string, object: Partial<ObjectMeta>, owner: KubeObject): void {
  const { namespace, name } = owner.metadata;
  if (namespace === undefined || namespace === object.namespace) return;
  const where = object.namespace === undefined ? 'no namespace' : `namespace "${object.namespace}"`;
  throw new Error(`${what} is in ${where} and cannot be owned by "${name}" in namespace "${namespace}"`);
}

function nameOf(kind: string | undefined, { name, generateName }: Partial<ObjectMeta>): string {
  return `${kind ?? 'object'} "${name ?? `${generateName ?? ''}*`}"`;
}
