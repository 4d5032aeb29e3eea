// Everything that a plan needs to know about one Collector: its spec, its change log, and the targets that it observes.

import type { ChangeLog } from './change-log.ts';
import type { Collector } from './types.gen.ts';

export interface Snapshot {
  readonly object: Collector;
  readonly changeLog: ChangeLog;
  readonly targets: readonly ObservedTarget[];
}

export interface ObservedTarget {
  readonly name: string;
  /** True when it matches its spec and none of its pods is terminating. */
  readonly settled: boolean;
}
