// What MyDaemonSet's controller does at the API server, and hence all that the operator is granted for it.

import { myDaemonSets } from './names.ts';

const { group, plural } = myDaemonSets;

export const permissions = [
  // Read live before a pod is adopted.
  { group, resource: plural, verbs: ['get', 'list', 'watch'] },
  { group, resource: `${plural}/status`, verbs: ['patch'] },
  // Owner references with blockOwnerDeletion, where the API server enforces permissions for them.
  { group, resource: `${plural}/finalizers`, verbs: ['update'] },
  { group: '', resource: 'nodes', verbs: ['list', 'watch'] },
  // Read live after the answer to a create was lost.
  { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
  { group: '', resource: 'events', verbs: ['create', 'patch'] },
] as const;
