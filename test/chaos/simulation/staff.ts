// Who works in a simulated cluster, and what befalls them: one operator that leads, with a warm standby or for a moment a second
// leader (leadership.ts), or several that share the namespaces (shard-staff.ts).

import type { Effects } from './people.ts';
import type { Act } from './schedule.ts';
import type { ShardAct } from './shard-schedule.ts';

export type StaffAct = Extract<Act['do'], 'crash' | 'crashAtWrite' | 'depose' | 'standBy'> | ShardAct['do'];

export interface Staff {
  /** What can befall them; anything else finds nothing to act on. */
  readonly deeds: Partial<Effects<StaffAct>>;
  /** Writes that they have sent so far. */
  readonly writes: number;
  /** Of how many owners one of them remembers writes, at most. */
  readonly remembered: number;
  /** What is still amiss among them when everything should be at rest. */
  readonly unrest: string | undefined;
  /** Ends every fault, and has somebody work. */
  heal(): void;
  /** Of every operator, also of those that start later. */
  setWallClock(aheadMs: number): void;
}

/** No process starts faster, so nothing that a dead one has sent is still on its way. */
export const SHORTEST_RESTART_MS = 500;
