// One pod on every node of many: created on all of them at once, then rolled, a quarter of the nodes at a time.

import type { DaemonScenery } from '../daemon-scenery.ts';
import type { Work } from './work.ts';

const create: Work<DaemonScenery> = {
  name: 'daemon-create',
  prepare: async ({ scenery, size }) => {
    await scenery.remove();
    await scenery.nodes(nodeCount(size));
  },
  run: async (stage) => {
    const { scenery } = stage;
    return stage.timed('every node has a pod', () => scenery.create(), scenery.isUp);
  },
};

const roll: Work<DaemonScenery> = {
  name: 'daemon-roll',
  prepare: async () => {}, // the pods of the work before
  run: async (stage) => {
    const { scenery } = stage;
    return stage.timed('every node has a new pod', () => scenery.roll(), scenery.isUp);
  },
};

export const daemon = [create, roll];

/** How many nodes a benchmark of N pods has here: a fifth, and never fewer than the cluster has anyway. */
export function nodeCount(size: number): number {
  return Math.max(10, Math.round(size / 5));
}
