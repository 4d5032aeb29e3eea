// A measurement that is due: which server is asked what, or which Job is started.

import type { Place } from '../../../policy/gates.ts';
import type { RolloutPolicy } from '../../../policy/types.gen.ts';
import { fillIn } from '../../../policy/variables.ts';
import { REVISION_HASH_LABEL } from '../../../workload/build-pod.ts';
import { isActive, type Pod } from '../../../workload/pod.ts';
import { hashOf } from '../../../workload/revision.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Standing } from '../standing.ts';
import type { Target } from '../target.ts';
import { jobName, type WantedJob } from './job.ts';
import type { Gate } from './judge.ts';
import { podPattern } from './pod-pattern.ts';

export type Measurement = { readonly gate: string; readonly place: Place } & (
  | { readonly by: 'prometheus'; readonly server: string; readonly query: string }
  | { readonly by: 'job'; readonly job: WantedJob }
);

/** The server of a gate that names none. */
export const DEFAULT_SERVER = 'default';

/** The active pods that a step is about. */
export interface PodsOfStep {
  readonly update: readonly Pod[];
  readonly stable: readonly Pod[];
}

export function podsOf({ pods, revisions }: Snapshot, { revision, stable }: Standing): PodsOfStep {
  const active = pods.filter(isActive);
  const ofRevision = (hash: string) => active.filter(({ metadata }) => metadata.labels?.[REVISION_HASH_LABEL] === hash);
  const stableRevision = revisions.find(({ metadata }) => metadata.name === stable);
  return {
    update: ofRevision(hashOf(revision)),
    stable: stableRevision ? ofRevision(hashOf(stableRevision)) : [],
  };
}

interface Wanted {
  readonly gate: Gate;
  readonly place: Place;
  readonly pods: PodsOfStep;
}

/** How to measure the gate. */
export function measurementOf(
  policy: RolloutPolicy,
  { spec: { selector } }: Target,
  { gate, place, pods }: Wanted,
): Measurement {
  const { name, prometheus, job } = gate;
  if (prometheus === undefined) {
    const wanted = { name: jobName(policy, name, place), gate: name, number: place.number };
    return { gate: name, place, by: 'job', job: { ...wanted, cronJob: job?.fromCronJob ?? '', selector } };
  }
  const { server = DEFAULT_SERVER, query } = prometheus;
  const values = {
    namespace: policy.metadata.namespace ?? '',
    pods: podPattern(pods.update),
    stablePods: podPattern(pods.stable),
  };
  return { gate: name, place, by: 'prometheus', server, query: fillIn(query, values) };
}
