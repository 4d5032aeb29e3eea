// One key, the whole truth: a Collector, the books kept for it, and the targets that it observes now.

import type { ChangeLog } from './change-log.ts';
import type { Collector } from './types.gen.ts';

export interface Snapshot {
  readonly object: Collector;
  readonly changeLog: ChangeLog;
  readonly targets: readonly ObservedTarget[];
}

export interface ObservedTarget {
  readonly name: string;
  /** As its spec says, with none of its pods on the way out. */
  readonly settled: boolean;
}
