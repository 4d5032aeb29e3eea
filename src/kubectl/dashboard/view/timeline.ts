// How the present revision grew: when its pods were created and when they became ready, read from the pods themselves, so that a tab
// that is opened late sees the beginning, too. Pure.

import type { Rollout } from '../../../kinds/my-deployment/plan/snapshot.ts';
import type { Pod } from '../../../runtime/built-in.ts';
import { readySince, timeOf } from '../../../workload/pod.ts';
import type { TimelineRow } from '../protocol.ts';

/** As many points as a plot of a few hundred pixels shows. */
const MOST_POINTS = 80;

/** Undefined while the revision has no pods. */
export function timelineOf({ update, spec }: Rollout, pods: readonly Pod[]): TimelineRow | null {
  const own = new Set(update?.active.map(({ metadata }) => metadata.uid));
  const ours = pods.filter(({ metadata }) => own.has(metadata.uid));
  const created = sorted(ours.map(({ metadata }) => timeOf(metadata.creationTimestamp)));
  const ready = sorted(ours.map((pod) => readySince(pod as Parameters<typeof readySince>[0])));
  const [startedAt] = created;
  if (startedAt === undefined) return null;
  const times = thinned([...new Set(sorted([...created, ...ready]))]);
  const points = times.map((at) => [at, countUntil(created, at), countUntil(ready, at)] as const);
  const isDone = ready.length >= spec.replicas;
  return { startedAt, endedAt: isDone ? ready.at(-1) : undefined, wanted: spec.replicas, points };
}

function sorted(times: readonly (number | undefined)[]): number[] {
  return times.filter((time) => time !== undefined).sort((one, other) => one - other);
}

/** Every n-th of them, and the last. */
function thinned(times: readonly number[]): readonly number[] {
  const step = Math.ceil(times.length / MOST_POINTS);
  return times.filter((_, index) => index % step === 0 || index === times.length - 1);
}

/** How many of these times, in order, are not after `at`. */
function countUntil(times: readonly number[], at: number): number {
  const after = times.findIndex((time) => time > at);
  return after < 0 ? times.length : after;
}
