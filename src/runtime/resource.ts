// Describes a kind to the client and the cache: where it lives in the API and which type its objects have.
// A descriptor is plain data, so that a kind is declared once and used by client, cache, RBAC and events alike.

import type { KubeObject, ObjectRef } from './object.ts';

/** Where the API server serves a kind, and what type its objects have. */
export interface Resource<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Carries the object type for inference; never present at run time. */
  readonly objectType?: T;
}

/** `v1`, or `apps/v1`. */
export function apiVersionOf(resource: Resource): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** `pods`, or `deployments.apps`: the name that kubectl and RBAC messages use. */
export function groupResourceOf(resource: Resource): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** The URL path of a collection: all namespaces when none is given. */
export function collectionPath(resource: Resource, namespace?: string): string {
  const root = resource.group === '' ? '/api/v1' : `/apis/${resource.group}/${resource.version}`;
  const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${resource.plural}`;
}

/** The URL path of one object, or of one of its subresources. */
export function objectPath(resource: Resource, ref: ObjectRef, subresource?: string): string {
  if (resource.namespaced && ref.namespace === undefined) {
    throw new Error(`${resource.kind} "${ref.name}" needs a namespace`);
  }
  const path = `${collectionPath(resource, ref.namespace)}/${encodeURIComponent(ref.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}
