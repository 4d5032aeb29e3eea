// A piece of work is something that happens to a workload on every working day, made large. It says which scenery it
// needs; the harness measures what follows.

import type { Timing } from '../sample.ts';
import type { Stage } from '../stage.ts';

export interface Work {
  readonly name: string;
  /** Not measured. */
  prepare(stage: Stage): Promise<void>;
  run(stage: Stage): Promise<Timing>;
}
