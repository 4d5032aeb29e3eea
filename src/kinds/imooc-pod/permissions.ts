// What ImoocPod's controller does at the API server, and hence all that the operator is granted for it.

import { imoocPods } from './names.ts';

const { group, plural } = imoocPods;

export const permissions = [
  // Read live before a pod is adopted; patched to add and remove our finalizer.
  { group, resource: plural, verbs: ['get', 'list', 'watch', 'patch'] },
  { group, resource: `${plural}/status`, verbs: ['patch'] },
  // Owner references with blockOwnerDeletion, where the API server enforces permissions for them.
  { group, resource: `${plural}/finalizers`, verbs: ['update'] },
  // Read live after the answer to a create was lost.
  { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
  { group: '', resource: 'events', verbs: ['create', 'patch'] },
] as const;
