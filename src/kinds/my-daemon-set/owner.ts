// MyDaemonSets on the framework for kinds that own pods: what a snapshot is made of, and what the process remembers of
// pods that failed or are gone. A node that appears, disappears or changes its taints wakes every MyDaemonSet.

import { keyOf } from '../../runtime/object.ts';
import { nodeInformer } from '../../workload/node.ts';
import type { PodOwner, PodOwnerDeps } from '../../workload/pod-owner.ts';
import { DaemonMemory } from './memory.ts';
import { myDaemonSets } from './names.ts';
import { nodeMatters } from './node.ts';
import { type MyDaemonSetPlan, plan } from './plan.ts';
import { myDaemonSet } from './schema.ts';
import { type Snapshot, selects } from './snapshot.ts';
import type { MyDaemonSet, MyDaemonSetStatus } from './types.gen.ts';

export function myDaemonSetOwner({
  cache,
  clock,
}: Pick<PodOwnerDeps, 'cache' | 'clock'>): PodOwner<MyDaemonSet, MyDaemonSetStatus, Snapshot, MyDaemonSetPlan> {
  const objects = cache.informer(myDaemonSets);
  const nodes = nodeInformer(cache);
  const memory = new DaemonMemory({ cache, clock, objects, nodes });
  const everyKey = () => objects.list().map(({ metadata }) => keyOf(metadata));
  return {
    definition: myDaemonSet,
    selects,
    snapshot: (object, { allPods, refusals }) => ({
      object,
      nodes: nodes.list(),
      pods: allPods,
      ...memory.of(object),
      refusals,
    }),
    plan,
    watches: (controller) => controller.watches(nodes, everyKey, nodeMatters),
    onPlan: (object, { failedOn }) => memory.noteFailures(object, failedOn),
  };
}
