// The bounds that a spec sets, by the rules of apps/v1 and worked out apart from the code under test: surge rounds up,
// unavailability down, and one of them is not zero.

import type { MyDeploymentSpec } from '../../src/kinds/my-deployment/types.gen.ts';

export interface Bounds {
  readonly ceiling: number;
  readonly floor: number;
  readonly recreate: boolean;
}

export interface SpecBounds extends Bounds {
  readonly minReadySeconds: number;
  readonly paused: boolean;
}

/** The most pods and the fewest available ones that a spec allows. */
export function boundsOf({ replicas = 1, strategy }: MyDeploymentSpec): Bounds {
  if (strategy?.type === 'Recreate') return { ceiling: replicas, floor: 0, recreate: true };
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {};
  const surge = Math.ceil(share(maxSurge, replicas));
  const unavailable = Math.floor(share(maxUnavailable, replicas));
  return {
    ceiling: replicas === 0 ? 0 : replicas + surge,
    floor: Math.max(0, replicas - (surge === 0 && unavailable === 0 ? 1 : unavailable)),
    recreate: false,
  };
}

function share(value: number | string, whole: number): number {
  return typeof value === 'number' ? value : (Number.parseInt(value, 10) * whole) / 100;
}
