// Rollouts in trouble, in a few words, for the tables of `why`.

import { observe } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import type { Facts } from '../../../src/kubectl/why/cause.ts';
import type { Event, Pod as FullPod } from '../../../src/runtime/built-in.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import type { ControllerRevision } from '../../../src/workload/revision.ts';
import { mixedPods, myDeployment, NOW, type ObjectOptions, revision } from '../../kinds/my-deployment/fixture.ts';

/** A MyDeployment of two replicas that is not complete. */
export function unfinished(options: ObjectOptions = {}): MyDeployment & ReturnType<typeof myDeployment> {
  const status = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 0 };
  return myDeployment({ replicas: 2, status, ...options });
}

export function withCondition(
  type: string,
  reason: string,
  message: string,
): MyDeployment & ReturnType<typeof myDeployment> {
  const status = type === 'Progressing' ? ('False' as const) : ('True' as const);
  const conditions = [{ type, status, reason, message, lastUpdateTime: new Date(NOW - 60_000).toISOString() }];
  return unfinished({ status: { observedGeneration: 1, replicas: 0, conditions } });
}

/** What one pod says besides what every pod says. */
export interface PodState {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

/** The facts of a rollout whose pods of the new revision are in these states. */
export function factsOf(
  object: ReturnType<typeof unfinished>,
  states: readonly PodState[] = [],
  more: Partial<Facts> = {},
  earlier: readonly ControllerRevision[] = [],
): Facts {
  const update = revision(object, 'v2', { number: earlier.length + 1, replicas: 2 });
  const pods = mixedPods(object, update, states.length, 0).map((pod, index) => {
    const { metadata, spec, status } = states[index] as PodState;
    return {
      ...pod,
      metadata: { ...pod.metadata, ...metadata },
      spec: { ...pod.spec, containers: [{ name: 'web', image: 'web:v2' }], ...spec },
      status: { ...pod.status, ...status },
    } as unknown as FullPod;
  });
  const rollout = observe({ object, revisions: [...earlier, update], pods: pods as readonly Pod[] }, NOW);
  return {
    rollout,
    pods,
    policies: [],
    events: [],
    nodes: [],
    claims: [],
    budgets: [],
    lease: undefined,
    now: NOW,
    ...more,
  };
}

export function eventAbout(pod: FullPod | undefined, reason: string, message: string): Event {
  return {
    metadata: { name: 'e', uid: 'e', resourceVersion: '1' },
    involvedObject: { kind: 'Pod', name: pod?.metadata.name as string, uid: pod?.metadata.uid as string },
    reason,
    message,
  } as Event;
}

/** The status of a container in this state. */
export function container(state: object, more: object = {}): { readonly containerStatuses: readonly object[] } {
  return { containerStatuses: [{ name: 'web', image: 'web:v2', ready: false, restartCount: 4, state, ...more }] };
}
