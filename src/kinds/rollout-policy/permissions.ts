// What RolloutPolicy's controller and webhook do at the API server, and so all that the operator is granted for them. The webhook
// asks for nothing.

import { rolloutPolicies } from '../../policy/resource.ts';
import { targets } from './target.ts';

const { group, plural: resource } = rolloutPolicies;
const WATCH = ['list', 'watch'];

export const permissions = [
  { group, resource, verbs: WATCH },
  { group, resource: `${resource}/status`, verbs: ['patch'] },
  // Owner references with blockOwnerDeletion, where the API server enforces permissions for them.
  { group, resource: `${resource}/finalizers`, verbs: ['update'] },
  { group: targets.group, resource: targets.plural, verbs: WATCH },
  { group: 'apps', resource: 'controllerrevisions', verbs: WATCH },
  { group: '', resource: 'pods', verbs: WATCH },
  // Read live when a gate starts a Job.
  { group: 'batch', resource: 'cronjobs', verbs: ['get'] },
  { group: 'batch', resource: 'jobs', verbs: ['get', ...WATCH, 'create', 'delete'] },
  { group: '', resource: 'events', verbs: ['create', 'patch'] },
];
