// Who competes: controllers in a process of their own, that runs only while it is their turn.

import type { GuardedProcess } from '../../../src/cluster/guarded-process.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import type { DaemonKind } from '../daemon-workload.ts';
import type { Workload } from '../workload.ts';

export const CONTENDERS = ['limit', 'native', 'ours'] as const;
export type ContenderName = (typeof CONTENDERS)[number];

export interface Contender {
  readonly name: ContenderName;
  /** Who its controllers sign in as: what these users ask for is its doing. */
  readonly users: readonly string[];
  /** A new process each time. */
  start(): Promise<GuardedProcess>;
  /** When, by its log, the last process began to work on what it had read; in milliseconds since the epoch. */
  syncedAt(log: string): number | undefined;
}

/** The same contender twice: for kinds that ask for a number of pods, and for those that want one on every node. */
export interface Contenders {
  readonly deployment: Contender & { readonly kind: Resource<Workload> };
  readonly daemonSet: Contender & { readonly kind: DaemonKind };
}
