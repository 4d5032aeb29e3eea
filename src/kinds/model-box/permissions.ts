// What ModelBox's controller and webhook do at the API server, and so all that the operator is granted for them.

import { modelBoxes } from './names.ts';

const { group, plural } = modelBoxes;
/** A get before each apply: the cache leaves out managed fields. */
const APPLY = ['get', 'list', 'watch', 'create', 'patch'];

export const permissions = [
  // Read live before a Deployment or Service without an owner is adopted.
  { group, resource: plural, verbs: ['get', 'list', 'watch'] },
  { group, resource: `${plural}/status`, verbs: ['patch'] },
  // Owner references with blockOwnerDeletion, where the API server enforces permissions for them.
  { group, resource: `${plural}/finalizers`, verbs: ['update'] },
  // The operator never deletes it; but where owner references are enforced, adopting requires the right to delete.
  { group: 'apps', resource: 'deployments', verbs: [...APPLY, 'delete'] },
  // A Service that becomes headless, or no longer is, has to be replaced.
  { group: '', resource: 'services', verbs: [...APPLY, 'delete'] },
  // Only as a dry run: the API server validates the containers.
  { group: '', resource: 'podtemplates', verbs: ['create'] },
  { group: '', resource: 'events', verbs: ['create', 'patch'] },
] as const;
