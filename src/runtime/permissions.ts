// The permissions that most controllers need, so that a kind declares what it does instead of listing verbs.

import type { Permission } from './installed-kind.ts';
import type { Resource } from './resource.ts';

/** To reconcile objects of a kind: read them, keep a finalizer on them, write their status, be named as an owner. */
export function toReconcile({ group, plural }: Resource): Permission[] {
  return [
    { group, resource: plural, verbs: ['get', 'list', 'watch', 'patch'] },
    { group, resource: `${plural}/status`, verbs: ['get', 'patch'] },
    // Owner references with blockOwnerDeletion, where the API server enforces permissions for them.
    { group, resource: `${plural}/finalizers`, verbs: ['update'] },
  ];
}

/** To make objects of another kind and keep them as they should be. */
export function toOwn({ group, plural }: Resource): Permission[] {
  return [{ group, resource: plural, verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] }];
}

/** To read objects of another kind. */
export function toRead({ group, plural }: Resource): Permission[] {
  return [{ group, resource: plural, verbs: ['get', 'list', 'watch'] }];
}

/** To report to users what happened. */
export const toRecordEvents: Permission = { group: '', resource: 'events', verbs: ['create', 'patch'] };
