// Decides which ranges a replica takes and which it gives away, from the leases alone. Pure.
//
// Every replica computes for itself, from what it sees, how many ranges each live replica should hold: the same number for
// all, and one more for those that hold most already, so that as little as possible moves. It gives away what it holds beyond its
// share and takes free ranges up to it. Replicas that see the same leases decide alike, so no two of them want the same range;
// where they see different ones, the lease of the range lets only one of them have it.

export interface Ring {
  /** This replica, as holders of leases are named. */
  readonly self: string;
  /** The replicas that are alive; this one counts itself while it takes part. */
  readonly members: ReadonlySet<string>;
  /** The live holder of each range, in their order; undefined where the lease is free or has run out. */
  readonly holders: readonly (string | undefined)[];
  /** The ranges that this replica works on or campaigns for, without those that it is giving away. */
  readonly mine: ReadonlySet<number>;
}

export interface Moves {
  readonly take: readonly number[];
  readonly giveAway: readonly number[];
}

/** What this replica does next; nothing when every live replica has its share. */
export function decideMoves({ self, members, holders, mine }: Ring): Moves {
  const shares = sharesOf(members, holders);
  const free = holders.flatMap((holder, index) => (holder === undefined && !mine.has(index) ? [index] : []));
  const kept = [...mine].sort((a, b) => a - b);
  const share = shares.get(self) ?? 0;
  const begin = wantedBefore(self, shares, holders);
  return {
    take: kept.length < share ? free.slice(begin, begin + share - kept.length) : [],
    giveAway: kept.slice(share),
  };
}

/** How many ranges each member should hold, those that hold most first; equal ones in the order of their names. */
export function sharesOf(members: ReadonlySet<string>, holders: Ring['holders']): ReadonlyMap<string, number> {
  const ranked = [...members].sort((a, b) => heldBy(b, holders) - heldBy(a, holders) || (a < b ? -1 : 1));
  const least = Math.floor(holders.length / ranked.length);
  const withOneMore = holders.length % ranked.length;
  return new Map(ranked.map((member, rank) => [member, rank < withOneMore ? least + 1 : least]));
}

/** How many of the free ranges are for replicas that come before this one. */
function wantedBefore(self: string, shares: ReadonlyMap<string, number>, holders: Ring['holders']): number {
  let wanted = 0;
  for (const [member, share] of shares) {
    if (member === self) break;
    wanted += Math.max(0, share - heldBy(member, holders));
  }
  return wanted;
}

function heldBy(member: string, holders: Ring['holders']): number {
  return holders.filter((holder) => holder === member).length;
}
