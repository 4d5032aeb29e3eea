// Delete a tenth of the pods at once, as a lost rack would, and wait until all are there again.

import type { Work } from './work.ts';

export const heal: Work = {
  name: 'heal',
  prepare: ({ scenery, size }) => scenery.web(size),
  run: async (stage) => {
    const { scenery, pods } = stage;
    const victims = pods.list().slice(0, lostPods(stage.size));
    const due = pods.created + victims.length;
    const remove = (): Promise<void> => scenery.deletePods(victims.map(({ name }) => name));
    const healed = `${victims.length} pods are replaced`;
    return stage.timed(healed, remove, (...all) => all[0].created >= due && scenery.isUp(...all));
  },
};

/** How many pods of N are deleted at once. */
export function lostPods(size: number): number {
  return Math.ceil(size / 10);
}
