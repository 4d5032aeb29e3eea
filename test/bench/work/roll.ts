// Roll one object of N pods to another image: with a quarter of them at a time, and with the most careful strategy.

import { ONE_BY_ONE, QUARTER, type Strategy } from '../workload.ts';
import type { Work } from './work.ts';

export const roll = rollBy('roll', QUARTER);

/** One pod more, none less: N steps that wait for each other. */
export const surge = rollBy('surge', ONE_BY_ONE);

function rollBy(name: string, strategy: Strategy): Work {
  return {
    name,
    prepare: ({ scenery, size }) => scenery.web(size, strategy),
    run: (stage) => stage.timed('all pods are new', () => stage.scenery.roll(), stage.scenery.isUp),
  };
}
