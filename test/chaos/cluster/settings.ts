// In which company a run is played: one operator, two without an election, two of which one is elected, several that share the
// namespaces, one that serves webhooks, or some on a cluster that breaks. Each with the faults that belong to it, besides those of any
// operator.

import type { Chance } from '../simulation/chance.ts';
import type { Need } from './agenda.ts';
import { CLUSTER_FAULTS } from './cluster-faults.ts';
import { ELECTION_FAULTS, freeLease } from './election-faults.ts';
import { type Faults, LANE_FAULTS, type Victim } from './faults.ts';
import type { Crew, Lane } from './lane.ts';
import { BREAKING_SHARD_FAULTS, freeRanges, SHARD_FAULTS, SHARING } from './shard-faults.ts';
import { admitByWebhook, installWebhooks, removeWebhooks, WEBHOOK_FAULTS } from './webhook-faults.ts';

export interface Setting {
  readonly name: string;
  readonly needs: Need;
  readonly crew: Crew;
  /** What befalls it first; later these are as likely as any other. */
  readonly ownFaults: Faults;
  readonly otherFaults: Faults;
  /** How many things happen, one after the other. */
  readonly acts: number;
  /** Several work at the same time, and each keeps to what it knows of. */
  readonly unelected: boolean;
  /** How long it may take until everything is as it should be. */
  readonly patienceMs: number;
  prepare?(lane: Lane): Promise<void>;
  begin?(victim: Victim): Promise<void>;
  end?(lane: Lane): Promise<void>;
}

/** Longer than the operator takes to find out that a restarted API server shows it nothing. */
const UNTIL_SILENCE_IS_NOTICED_MS = 120_000;

const one: Crew = { size: 1, flags: [], webhooks: false };
const plain = {
  needs: 'lane',
  crew: one,
  acts: 5,
  unelected: false,
  patienceMs: 60_000,
  ownFaults: {},
  otherFaults: LANE_FAULTS,
} as const;

/** Without those that take the webhooks down: a run without webhooks is judged by other rules. */
const { writes, watches, token } = LANE_FAULTS;

const SETTINGS: readonly Setting[] = [
  { ...plain, name: 'one operator' },
  { ...plain, name: 'two operators without election', crew: { ...one, size: 2 }, unelected: true },
  {
    ...plain,
    name: 'two operators, one elected',
    needs: 'lease',
    crew: { size: 2, flags: ['--leader-elect'], webhooks: false },
    acts: 3,
    ownFaults: ELECTION_FAULTS,
    prepare: freeLease,
  },
  {
    ...plain,
    name: 'webhooks',
    needs: 'webhooks',
    crew: { size: 1, flags: [], webhooks: true },
    acts: 4,
    ownFaults: WEBHOOK_FAULTS,
    otherFaults: { writes, watches, token },
    prepare: installWebhooks,
    begin: admitByWebhook,
    end: removeWebhooks,
  },
  {
    ...plain,
    name: 'a cluster that breaks',
    needs: 'cluster',
    acts: 3,
    patienceMs: UNTIL_SILENCE_IS_NOTICED_MS,
    ownFaults: CLUSTER_FAULTS,
  },
  {
    ...plain,
    name: 'three operators that share namespaces',
    needs: 'lease',
    crew: { size: 3, flags: SHARING, webhooks: false },
    acts: 3,
    ownFaults: SHARD_FAULTS,
    prepare: freeRanges,
  },
  {
    ...plain,
    name: 'two operators that share namespaces, on a cluster that breaks',
    needs: 'cluster',
    crew: { size: 2, flags: SHARING, webhooks: false },
    acts: 3,
    patienceMs: UNTIL_SILENCE_IS_NOTICED_MS,
    ownFaults: BREAKING_SHARD_FAULTS,
    prepare: freeRanges,
  },
];

/**
 * Of fourteen runs: five with one operator, two each with two, elected or not, and with a cluster that breaks, one with webhooks, two
 * with operators that share namespaces, of which one on a cluster that breaks.
 */
const DRAW = [0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 6].map((index) => SETTINGS[index] as Setting);

export function drawSetting(chance: Chance): Setting {
  return chance.pick(DRAW);
}
