// A piece of work is something that happens to a workload on every working day, made large. It says which scenery it
// needs; the harness measures what follows.

import type { ContenderName } from '../contenders/contender.ts';
import type { Timing } from '../sample.ts';
import type { Scenery } from '../scenery.ts';
import type { Setting, Stage } from '../stage.ts';

export interface Work<S extends Setting = Scenery> {
  readonly name: string;
  /** The only one who can do it. @default everybody does it */
  readonly only?: ContenderName;
  /** Not measured. */
  prepare(stage: Stage<S>): Promise<void>;
  run(stage: Stage<S>): Promise<Timing>;
}

/** How often a short work is done: a hundred times for a thousand pods. Fewer say nothing about the 99th percentile. */
export function repetitions(size: number): number {
  return Math.min(100, Math.max(10, Math.ceil(size / 10)));
}
