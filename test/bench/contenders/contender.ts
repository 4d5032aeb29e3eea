// Who competes: controllers in a process of their own, that runs only while it is their turn.

import type { GuardedProcess } from '../../../src/cluster/guarded-process.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import type { Workload } from '../workload.ts';

export const CONTENDERS = ['limit', 'native', 'ours'] as const;
export type ContenderName = (typeof CONTENDERS)[number];

export interface Contender {
  readonly name: ContenderName;
  /** The kind that its controllers work on. */
  readonly kind: Resource<Workload>;
  /** Who its controllers sign in as: what these users ask for is its doing. */
  readonly users: readonly string[];
  /** A new process each time. */
  start(): Promise<GuardedProcess>;
}
