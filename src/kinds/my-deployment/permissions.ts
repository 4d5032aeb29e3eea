// What MyDeployment's controller and webhooks do at the API server, and hence all that the operator is granted for them.

import { myDeployments } from './names.ts';

const { group, plural } = myDeployments;

export const permissions = [
  // Read live before a pod is adopted; patched to take back a rollback annotation.
  { group, resource: plural, verbs: ['get', 'list', 'watch', 'patch'] },
  { group, resource: `${plural}/status`, verbs: ['patch'] },
  // Owner references with blockOwnerDeletion, where the API server enforces permissions for them.
  { group, resource: `${plural}/finalizers`, verbs: ['update'] },
  // Read live after the answer to a create was lost.
  { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
  { group: 'apps', resource: 'controllerrevisions', verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
  // Only ever as a dry run: the API server's opinion of a template.
  { group: '', resource: 'podtemplates', verbs: ['create'] },
  // Whether nodes are in zones, over which pods are then spread.
  { group: '', resource: 'nodes', verbs: ['list'] },
  { group: '', resource: 'events', verbs: ['create', 'patch'] },
] as const;
