// Kubernetes' rolling update as its controller does it: one change a pass, back to the queue, until a pass changes
// nothing. Written down apart from ours, and in the words of its sources, so that both can be compared.

export interface Pace {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

export interface Count {
  readonly desired: number;
  readonly available: number;
}

/** The sizes at which the passes end, old ones first, while the pods stay as they are. */
export function nativePasses(pace: Pace, old: readonly Count[], update: Count): number[] {
  const sets = { old: old.map((count) => ({ ...count })), update: { ...update } };
  for (let pass = 0; pass < 50; pass++) {
    const changed = reconcileNew(pace, sets) || reconcileOld(pace, sets);
    if (!changed) return [...sets.old, sets.update].map(({ desired }) => desired);
  }
  throw new Error('the passes do not end');
}

interface Sets {
  readonly old: { desired: number; available: number }[];
  readonly update: { desired: number; available: number };
}

function reconcileNew({ replicas, maxSurge }: Pace, { old, update }: Sets): boolean {
  if (update.desired === replicas) return false;
  const before = update.desired;
  const room = replicas + maxSurge - sum(old, 'desired') - update.desired;
  if (update.desired > replicas) resize(update, replicas);
  else if (room > 0) update.desired += Math.min(room, replicas - update.desired);
  return update.desired !== before;
}

function reconcileOld({ replicas, maxUnavailable }: Pace, { old, update }: Sets): boolean {
  const before = sum(old, 'desired');
  const minAvailable = replicas - maxUnavailable;
  const newUnavailable = update.desired - update.available;
  let maxScaledDown = before + update.desired - minAvailable - newUnavailable;
  if (before === 0 || maxScaledDown <= 0) return false;
  for (const set of old) {
    const unhealthy = Math.min(maxScaledDown, set.desired - set.available);
    resize(set, set.desired - unhealthy);
    maxScaledDown -= unhealthy;
  }
  let spare = Math.max(0, sum(old, 'available') + update.available - minAvailable);
  for (const set of old) {
    const taken = Math.min(spare, set.desired);
    resize(set, set.desired - taken);
    spare -= taken;
  }
  return sum(old, 'desired') !== before;
}

/** Unavailable pods go first. */
function resize(set: { desired: number; available: number }, desired: number): void {
  set.desired = desired;
  set.available = Math.min(set.available, desired);
}

function sum(sets: readonly Count[], field: keyof Count): number {
  return sets.reduce((total, set) => total + set[field], 0);
}
