// Polls the pods during a rollout, and keeps the smallest number of ready pods and the largest number of pods that it has seen.

import type { Stage } from './stage.ts';
import { podsOf } from './web.ts';

export interface PodCounts {
  readonly looks: number;
  readonly fewestReady: number;
  readonly mostPods: number;
}

/** Looks until `act` is over. */
export async function watchWhile(stage: Stage, app: string, act: () => Promise<void>): Promise<PodCounts> {
  let over = false;
  const seen = { looks: 0, fewestReady: Number.POSITIVE_INFINITY, mostPods: 0 };
  const look = async (): Promise<void> => {
    while (!over) {
      const pods = await podsOf(stage, app);
      seen.looks += 1;
      seen.fewestReady = Math.min(seen.fewestReady, pods.filter(({ ready }) => ready).length);
      seen.mostPods = Math.max(seen.mostPods, pods.length);
    }
  };
  const ended = async (): Promise<void> => {
    try {
      await act();
    } finally {
      over = true;
    }
  };
  await Promise.all([look(), ended()]);
  return seen;
}
