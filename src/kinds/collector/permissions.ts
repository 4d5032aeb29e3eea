// What Collector's controller does at the API server, and so all that the operator is granted for it: it reads
// workloads and their objects, and writes only its own status.

import { collectors } from './names.ts';
import { TARGETS } from './targets.ts';

const { group, plural } = collectors;
const WATCH = ['list', 'watch'];

export const permissions = [
  { group, resource: plural, verbs: WATCH },
  { group, resource: `${plural}/status`, verbs: ['patch'] },
  ...Object.values(TARGETS).map((target) => ({ group: target.group, resource: target.plural, verbs: WATCH })),
  { group: 'apps', resource: 'replicasets', verbs: WATCH },
  { group: 'apps', resource: 'controllerrevisions', verbs: WATCH },
  { group: '', resource: 'pods', verbs: WATCH },
];
