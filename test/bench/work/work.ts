// A piece of work is something that happens to a workload on every working day, made large. It says which scenery it
// needs; the harness measures what follows.

import type { Timing } from '../sample.ts';
import type { Scenery } from '../scenery.ts';
import type { Setting, Stage } from '../stage.ts';

export interface Work<S extends Setting = Scenery> {
  readonly name: string;
  /** Not measured. */
  prepare(stage: Stage<S>): Promise<void>;
  run(stage: Stage<S>): Promise<Timing>;
}

/** Does something and waits until all pods are up, and until the status of every object says so. */
export async function timedUntilUp(
  stage: Stage<Scenery>,
  what: string,
  act: () => Promise<void>,
): Promise<Pick<Timing, 'seconds' | 'statusLagMs'>> {
  const seconds = await stage.timed(what, act, stage.scenery.isUp);
  return { seconds, statusLagMs: await stage.scenery.statusLagMs() };
}
