// What a pod costs when there are few and when there are many: the same creation at a tenth, at one and at five times N,
// and the same with objects of one pod, at a hundredth, a tenth and one time N. A good controller pays the same for each.

import type { Work } from './work.ts';

export const POD_FACTORS = [0.1, 1, 5] as const;
export const OBJECT_FACTORS = [0.01, 0.1, 1] as const;

export const growth: readonly Work[] = [...POD_FACTORS.map(growPods), ...OBJECT_FACTORS.map(growObjects)];

export function podGrowthName(factor: number): string {
  return `growth-pods-x${factor}`;
}

export function objectGrowthName(factor: number): string {
  return `growth-objects-x${factor}`;
}

/** What a factor of N comes to. */
export function scaled(size: number, factor: number): number {
  return Math.max(1, Math.round(size * factor));
}

function growPods(factor: number): Work {
  return {
    name: podGrowthName(factor),
    prepare: ({ scenery }) => scenery.web(0),
    run: async (stage) => {
      const { scenery } = stage;
      const pods = scaled(stage.size, factor);
      return stage.timed(`${pods} pods are Ready`, () => scenery.scale(pods), scenery.isUp);
    },
  };
}

function growObjects(factor: number): Work {
  return {
    name: objectGrowthName(factor),
    prepare: ({ scenery }) => scenery.clear(),
    run: async (stage) => {
      const { scenery } = stage;
      const objects = scaled(stage.size, factor);
      const create = (): Promise<void> => scenery.createFleet(objects, 1);
      return stage.timed(`${objects} objects are up`, create, scenery.isUp);
    },
  };
}
