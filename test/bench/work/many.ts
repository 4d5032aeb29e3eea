// Many small objects instead of a large one: all created at once, then all rolled at once.

import type { Scenery } from '../scenery.ts';
import type { Stage } from '../stage.ts';
import type { Work } from './work.ts';

export const PODS_EACH = 5;

export const manyCreate: Work = {
  name: 'many-create',
  prepare: ({ scenery }) => scenery.clear(),
  run: async (stage) => {
    const { scenery } = stage;
    const create = (): Promise<void> => scenery.createFleet(fleetSize(stage.size), PODS_EACH);
    return stage.timed('the fleet is up', create, scenery.isUp);
  },
};

export const manyRoll: Work = {
  name: 'many-roll',
  prepare: (stage: Stage<Scenery>) => stage.scenery.fleet(fleetSize(stage.size), PODS_EACH),
  run: (stage) => stage.timed('the fleet is new', () => stage.scenery.roll(), stage.scenery.isUp),
};

/** How many objects of five pods make about N pods. */
export function fleetSize(size: number): number {
  return Math.max(1, Math.round(size / PODS_EACH));
}
