// Collectors, targets and observations in a few words, for tables.

import type { Observation } from '../../../src/kinds/collector/change-log.ts';
import type { Target } from '../../../src/kinds/collector/targets.ts';
import type { Collector } from '../../../src/kinds/collector/types.gen.ts';
import type { ObjectMeta } from '../../../src/runtime/object.ts';

export const NOW = Date.UTC(2026, 0, 1, 12);
export const SECOND = 1000;

/** A Collector that observes the Deployment "web". */
export function collector(spec: Partial<Collector['spec']> = {}, status?: Collector['status']): Collector {
  return {
    metadata: { name: 'c', namespace: 'default', uid: 'c-uid', resourceVersion: '1', generation: 1 },
    spec: { target: { kind: 'Deployment', name: 'web' }, ...spec },
    ...(status && { status }),
  };
}

export function target(replicas: number, more: { metadata?: Partial<ObjectMeta>; status?: object } = {}): Target {
  const counts = { replicas, updatedReplicas: replicas, availableReplicas: replicas };
  return {
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'web-uid',
      resourceVersion: '1',
      generation: 1,
      ...more.metadata,
    },
    spec: { replicas },
    status: { observedGeneration: 1, ...counts, ...more.status },
  };
}

/** Something seen of "web", so many seconds after NOW. */
export function seen(
  after: number,
  kind: string,
  type: Observation['type'] = 'modified',
  more: Partial<Observation> = {},
): Observation {
  return { target: 'web', kind, type, at: NOW + after * SECOND, ...more };
}

/** A new generation of "web". */
export function changed(after: number, change: string, generation: number, of = 'web'): Observation {
  return seen(after, 'Deployment', 'modified', { target: of, cause: { by: 'spec', change, generation } });
}

/** A pod of "web" on its way out. */
export function podGoing(after: number, uid: string, type: Observation['type'] = 'modified'): Observation {
  return seen(after, 'Pod', type, { cause: { by: 'podDeletion', uid } });
}
