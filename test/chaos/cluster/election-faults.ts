// What can befall those who are elected, besides what befalls any operator. A leader stands still for so long that
// another is elected, and wakes up without knowing: it must not write another word, and ends. A standby is elected while
// it knows less than its predecessor did, because its watch of pods has gone silent or because it stood still itself: it
// must not plan before it has asked.

import { setTimeout as delay } from 'node:timers/promises';
import type { LocalOperator } from '../../../src/local/operator.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { leases } from '../../../src/runtime/leader-election/lease.ts';
import type { Chance } from '../simulation/chance.ts';
import type { Fault, Faults } from './faults.ts';
import type { Lane } from './lane.ts';
import { persistently, unlessGone } from './persistence.ts';

/** A leader that is silent is waited for for 15 s. */
const PAST_THE_LEASE_MS = [15_500, 18_000] as const;
const GOODBYE_MS = 10_000;

/** Enough for the elected operator to plan, had it not asked the API server first. */
const FIRST_PLANS_MS = 3_000;

const frozenLeader: Fault = async ({ lane }, chance) => {
  await frozenPastItsLease(await leaderOf(lane), chance);
  await persistently(() => lane.ensure());
};

/** It must end when it wakes up. */
export async function frozenPastItsLease({ process }: LocalOperator, chance: Chance): Promise<void> {
  process.signal('STOP');
  await delay(chance.between(...PAST_THE_LEASE_MS));
  process.signal('CONT');
  await Promise.race([process.exited, delay(GOODBYE_MS)]);
  if (process.running) throw new Error('an operator that stood still past its lease goes on');
}

const silentStandby: Fault = async ({ lane }, chance) => {
  const leader = await leaderOf(lane);
  lane.proxy.isHeld = isWatchOfPods;
  await delay(chance.between(0, 1_500));
  await leader.process.kill();
  await leaderOf(lane);
  await delay(FIRST_PLANS_MS);
  lane.proxy.isHeld = () => false;
  await persistently(() => lane.ensure());
};

const frozenStandby: Fault = async ({ lane }, chance) => {
  const leader = await leaderOf(lane);
  const standby = lane.operators.find((operator) => operator !== leader);
  standby?.process.signal('STOP');
  await delay(chance.between(0, 1_500));
  await leader.process.kill();
  await delay(chance.between(...PAST_THE_LEASE_MS));
  standby?.process.signal('CONT');
  await persistently(() => lane.ensure());
};

/** Of one sort each, and of the sort of those that turn the same screw. */
export const ELECTION_FAULTS: Faults = {
  lease: { 'leader frozen past its lease': frozenLeader, 'leader killed, standby frozen': frozenStandby },
  watches: { "leader killed, standby's watch silent": silentStandby },
};

/** A list that comes as a stream passes: only what follows it is held. */
export function isWatchOfPods(path: string): boolean {
  return path.includes('/pods?watch=true') && !path.includes('sendInitialEvents');
}

/** Lets the first who comes lead at once: the leader of an earlier run was killed and gave nothing away. */
export async function freeLease({ cluster }: Lane): Promise<void> {
  const { namespace, manager: name } = INSTALLATION;
  await unlessGone(cluster.client.delete(leases, { namespace, name }));
}

/** The operator that leads, as soon as one does. */
async function leaderOf(lane: Lane): Promise<LocalOperator> {
  for (;;) {
    for (const operator of lane.operators) if (await leads(operator)) return operator;
    await delay(100);
  }
}

async function leads({ metricsUrl }: LocalOperator): Promise<boolean> {
  // It may be gone by now.
  const answer = await fetch(metricsUrl, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
  return /^leader_election_master_status\{[^}]*\} 1$/m.test((await answer?.text()) ?? '');
}
