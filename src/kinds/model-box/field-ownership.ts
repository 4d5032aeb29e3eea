// Makes the fields of an object that was created with a POST removable by server-side apply. The API server records the
// fields of a POST as written by an update, and an apply removes only fields that an earlier apply of the same manager
// has written. So before the first apply, the entry of the POST is turned into an entry of an apply. A POST is needed
// because it fails when the name is taken, whereas an apply would merge into the object of that name.

import type { JsonPatchOperation } from '../../runtime/client/options.ts';
import type { KubeObject } from '../../runtime/object.ts';
import { FIELD_MANAGER } from './names.ts';

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
}

/** The operations that turn the entry of our POST into one of an apply; none when that is done or not needed. */
export function asApplied({ metadata }: KubeObject): readonly JsonPatchOperation[] {
  const { managedFields = [] } = metadata as { readonly managedFields?: readonly ManagedFields[] };
  const ours = ({ manager, subresource }: ManagedFields): boolean => manager === FIELD_MANAGER && !subresource;
  if (managedFields.some((entry) => ours(entry) && entry.operation === 'Apply')) return [];
  const index = managedFields.findIndex((entry) => ours(entry) && entry.operation === 'Update');
  if (index < 0) return [];
  return [
    // With an old version the API server refuses the write as a conflict.
    { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    { op: 'replace', path: `/metadata/managedFields/${index}/operation`, value: 'Apply' },
  ];
}
