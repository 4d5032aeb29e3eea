// Scale a small object that is at rest by one pod, up and down in turns, and see how long it takes from the last change of
// its pods until its status says so. Both moments are taken from watches.

import { repetitions, type Work } from './work.ts';

const SIZES = [4, 3] as const;

/** What a change leaves to do – Events, late writes – needs a moment before all is at rest. */
const REST_MS = 250;

export const freshness: Work = {
  name: 'freshness',
  prepare: ({ scenery }) => scenery.web(SIZES[1]),
  run: async (stage) => {
    const { scenery } = stage;
    const started = performance.now();
    const statusLagsMs: number[] = [];
    for (let step = 0; step < repetitions(stage.size); step++) {
      const pods = SIZES[step % SIZES.length] as number;
      const scale = (): Promise<void> => scenery.scale(pods);
      const timing = await stage.timed(`there are ${pods} pods`, scale, scenery.isUp);
      statusLagsMs.push(...(timing.statusLagsMs ?? []));
      await stage.rest(REST_MS);
    }
    return { seconds: (performance.now() - started) / 1000, statusLagsMs };
  },
};
