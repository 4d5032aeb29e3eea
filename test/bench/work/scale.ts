// Scale one object from nothing to N pods, and back to nothing.

import type { Work } from './work.ts';

export const create: Work = {
  name: 'create',
  prepare: ({ scenery }) => scenery.web(0),
  run: async (stage) => {
    const { scenery, size } = stage;
    return stage.timed(`${size} pods are Ready`, () => scenery.scale(size), scenery.isUp);
  },
};

export const toZero: Work = {
  name: 'zero',
  prepare: ({ scenery, size }) => scenery.web(size),
  run: async (stage) => {
    const { scenery } = stage;
    return stage.timed('no pod is left', () => scenery.scale(0), scenery.isGone);
  },
};
