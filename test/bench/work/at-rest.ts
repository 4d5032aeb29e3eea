// A cluster with N objects of ten pods each, on which nothing happens: what it costs to start there, and to stay.

import type { Scenery } from '../scenery.ts';
import type { Stage } from '../stage.ts';
import type { Work } from './work.ts';

export const PODS_EACH = 10;

const IDLE_MS = 30_000;
/** Resyncs and late status writes of the creation must not be taken for idling. */
const UNTIL_QUIET_MS = 10_000;

/** From the start of the process until it has replaced a pod that was lost while it was away. */
export const startUp: Work = {
  name: 'start-up',
  prepare: allUp,
  run: async (stage) => {
    const { pods, scenery } = stage;
    const [victim] = pods.list();
    if (victim === undefined) throw new Error('there is no pod to lose');
    const before = pods.created;
    const lose = (): Promise<void> => scenery.deletePods([victim.name]);
    return stage.restart(lose, `${victim.name} is replaced`, (all) => all.created > before);
  },
};

export const idle: Work = {
  name: 'idle',
  prepare: async (stage) => {
    await allUp(stage);
    await stage.rest(UNTIL_QUIET_MS);
  },
  run: async (stage) => {
    await stage.rest(IDLE_MS);
    return { seconds: IDLE_MS / 1000 };
  },
};

function allUp({ scenery, size }: Stage<Scenery>): Promise<void> {
  return scenery.fleet(size, PODS_EACH);
}
