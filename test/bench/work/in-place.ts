// Roll one object of N pods to another image, a quarter of them at a time, in the pods that are there. The work `roll` does the same
// with new pods.

import { QUARTER } from '../workload.ts';
import type { Work } from './work.ts';

/** Nothing sends requests to these pods, so none has to wait for its clients to leave. */
const IN_PLACE = { inPlace: { mode: 'IfPossible', gracePeriod: '0s' } } as const;

export const inPlace: Work = {
  name: 'in-place',
  only: 'ours',
  prepare: ({ scenery, size }) => scenery.web(size, QUARTER, IN_PLACE),
  run: async (stage) => {
    const { created } = stage.pods;
    const timing = await stage.timed('all pods are new', () => stage.scenery.roll(), stage.scenery.isUp);
    if (stage.pods.created > created) throw new Error(`${stage.pods.created - created} pods were replaced`);
    return timing;
  },
};
