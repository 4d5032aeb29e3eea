// Delete one pod of N that are at rest and see how long it takes until its replacement is there: the time in which a
// controller notices, decides and writes. Both moments are taken from the same watch.

import type { Scenery } from '../scenery.ts';
import type { Stage } from '../stage.ts';
import { repetitions, type Work } from './work.ts';

/** After a replacement is Ready, what follows from that – status, Events – needs a moment before all is at rest. */
const REST_MS = 250;

export const reaction: Work = {
  name: 'reaction',
  prepare: ({ scenery, size }) => scenery.web(size),
  run: async (stage) => {
    const started = performance.now();
    const reactionsMs: number[] = [];
    for (let left = repetitions(stage.size); left > 0; left--) {
      reactionsMs.push(await reactOnce(stage));
      await stage.until('the replacement is Ready', stage.scenery.isUp);
      await stage.rest(REST_MS);
    }
    return { seconds: (performance.now() - started) / 1000, reactionsMs };
  },
};

async function reactOnce(stage: Stage<Scenery>): Promise<number> {
  const { pods, scenery } = stage;
  const [victim] = pods.list();
  if (victim === undefined) throw new Error('there is no pod to delete');
  const before = pods.created;
  const [deleted, replaced] = await Promise.all([
    stage.until(`${victim.name} is deleted`, (all) => all.isDeleted(victim.uid)),
    stage.until(`${victim.name} is replaced`, (all) => all.created > before),
    scenery.deletePods([victim.name]),
  ]);
  return replaced - deleted;
}
