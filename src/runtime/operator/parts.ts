// Parts of the runtime as the manager runs them.

import type { Cache } from '../cache/cache.ts';
import type { Controller } from '../controller/controller.ts';
import type { Runnable } from '../manager/runnable.ts';

/** A cache: the next phase begins when it is filled. */
export function cachePart(cache: Cache): Runnable {
  const never = new AbortController().signal;
  return {
    name: 'cache',
    phase: 'caches',
    start: (signal) => cache.start(signal),
    ready: () => cache.waitForSync(never),
  };
}

/** A controller, which works while this process leads. */
export function controllerPart(controller: Controller): Runnable {
  return { name: controller.name, phase: 'leader', start: (stop, kill) => controller.start(stop, kill) };
}
