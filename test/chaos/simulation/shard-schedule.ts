// Schedules in which several operators share the namespaces. What happens is spread over minutes, because the range of one that dies is
// taken over only when its lease has run out; between that come and go operators, stand still, and the API server learns and forgets
// how to filter. Policies are left to other schedules.

import { Chance } from './chance.ts';
import { type Act, nativeSchedule, type Schedule, type Step } from './schedule.ts';

export interface Sharing {
  /** Into how many ranges namespaces are split. */
  readonly shards: number;
  /** How many operators there are at first. */
  readonly operators: number;
}

/** Which operator: the one that holds the range of the object, or any. */
export type Who = { readonly holds: true } | { readonly pick: number };

export type ShardAct =
  | { readonly do: 'join' }
  | { readonly do: 'leave'; readonly who: Who }
  | { readonly do: 'freeze'; readonly who: Who; readonly forMs: number }
  /** The API server restarts, and filters from now on or does not. */
  | { readonly do: 'restartServer'; readonly filtersShards: boolean; readonly downMs: number };

/** Each act of the object's life comes so many times later than without shards. */
const STRETCH = 4;
/** Acts of leaders, which there are none of, and a tenant whose failures for minutes would be nothing but slow. */
const LEFT_OUT: readonly Act['do'][] = ['depose', 'standBy', 'crowd'];
const LONGEST_MS = 90_000;
const MOST_ACTS = 8;
const MOST_SHARDS = 8;
const LEASE_MS = 15_000;
const LONGEST_FREEZE_MS = 25_000;

export function shardScheduleOf(seed: number): Schedule {
  const native = nativeSchedule(seed);
  const chance = new Chance(seed, 'shards');
  const kept = native.steps.filter(({ act }) => !LEFT_OUT.includes(act.do));
  const steps = kept.map(({ at, act }) => ({ at: at * STRETCH, act }));
  for (let left = chance.between(2, MOST_ACTS); left > 0; left--) steps.push(...momentBy(chance, steps));
  return {
    ...native,
    steps: steps.sort((one, other) => one.at - other.at),
    sharing: { shards: chance.between(2, MOST_SHARDS), operators: chance.between(1, 3) },
  };
}

/** Something befalls operators, mostly at a moment when something else happens. */
function momentBy(chance: Chance, others: readonly Step[]): Step[] {
  const near = chance.happens(0.6) && others.length > 0 ? chance.pick(others) : undefined;
  const at = near === undefined ? chance.between(0, LONGEST_MS) : near.at + chance.between(0, 2_000);
  if (chance.happens(0.6)) return [{ at, act: chance.pick(MAKERS)(chance) }];
  // In the middle of a rollout is where it hurts most.
  const act = chance.pick([freezeHolder, freezeHolder, ...MAKERS])(chance);
  return [
    { at, act: rollBy(chance) },
    { at: at + chance.between(0, 200), act },
  ];
}

type Maker = (chance: Chance) => Act;

/** For longer than its lease lasts. */
const freezeHolder: Maker = (chance) => ({
  do: 'freeze',
  who: { holds: true },
  forMs: chance.between(LEASE_MS, LONGEST_FREEZE_MS),
});

const MAKERS: readonly Maker[] = [
  () => ({ do: 'join' }),
  () => ({ do: 'join' }),
  (chance) => ({ do: 'leave', who: whoBy(chance) }),
  (chance) => ({ do: 'freeze', who: whoBy(chance), forMs: chance.between(1_000, LONGEST_FREEZE_MS) }),
  freezeHolder,
  (chance) => ({ do: 'crash', downMs: chance.between(500, 20_000) }),
  (chance) => ({ do: 'restartServer', filtersShards: chance.happens(0.5), downMs: chance.between(0, 3_000) }),
];

/** Mostly something that takes several rounds of creations. */
function rollBy(chance: Chance): Act {
  return chance.happens(0.3)
    ? { do: 'roll', version: chance.between(1, 4) }
    : { do: 'scale', replicas: chance.between(5, 10) };
}

function whoBy(chance: Chance): Who {
  return chance.happens(0.6) ? { holds: true } : { pick: chance.between(0, 9) };
}
