// The status as it should read: the numbers of a native DaemonSet, counted anew each time. Conditions start from the
// stored ones, to keep the time of their last transition.

import { type Condition, type Finding, setCondition } from '../../runtime/conditions.ts';
import { unavailableLimit } from './defaults.ts';
import { type Fleet, isServed, isUpdated, type Post, wantedPosts } from './snapshot.ts';
import type { MyDaemonSetStatus } from './types.gen.ts';

/** What there is to say about a MyDaemonSet and its nodes. */
export function observedStatus(fleet: Fleet): MyDaemonSetStatus {
  const wanted = wantedPosts(fleet);
  const available = countOf(wanted, isServed);
  return {
    observedGeneration: fleet.object.metadata.generation ?? 0,
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: countOf(wanted, ({ pods }) => pods.length > 0),
    // Whoever is ready serves: there is no minReadySeconds that would tell the two apart.
    numberReady: available,
    availableReplicas: available,
    numberUnavailable: wanted.length - available,
    updatedNumberScheduled: countOf(wanted, (post) => runsImage(fleet, post)),
    numberMisscheduled: countOf(fleet.posts, ({ eligibility, pods }) => eligibility !== 'run' && pods.length > 0),
    conditions: [noteAvailability, noteReadiness].reduce<readonly Condition[]>(
      (conditions, note) => setCondition(conditions, note(fleet), fleet.now),
      fleet.object.status?.conditions ?? [],
    ),
  };
}

function noteAvailability(fleet: Fleet): Finding {
  const wanted = wantedPosts(fleet);
  const available = countOf(wanted, isServed);
  const isEnough = wanted.length - available <= unavailableLimit(fleet.spec, wanted.length);
  return finding(fleet, {
    type: 'Available',
    status: isEnough ? 'True' : 'False',
    reason: isEnough ? 'MinimumPodsAvailable' : 'MinimumPodsUnavailable',
    message: `${available} of ${wanted.length} nodes are served`,
  });
}

function noteReadiness(fleet: Fleet): Finding {
  const wanted = wantedPosts(fleet);
  const updated = countOf(wanted, (post) => runsImage(fleet, post));
  const done = countOf(wanted, (post) => runsImage(fleet, post) && isServed(post));
  const isDone = done === wanted.length;
  return finding(fleet, {
    type: 'Ready',
    status: isDone ? 'True' : 'False',
    reason: isDone ? 'AllNodesUpdated' : updated < wanted.length ? 'RollingOut' : 'PodsNotReady',
    message: `${done} of ${wanted.length} nodes are served by ${fleet.spec.image}`,
  });
}

function finding({ object }: Fleet, said: Finding): Finding {
  return { ...said, observedGeneration: object.metadata.generation ?? 0 };
}

function runsImage(fleet: Fleet, { current }: Post): boolean {
  return current !== undefined && isUpdated(fleet, current);
}

function countOf(posts: readonly Post[], test: (post: Post) => boolean): number {
  return posts.filter(test).length;
}
