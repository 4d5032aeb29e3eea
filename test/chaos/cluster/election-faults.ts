// What can befall a leader besides what befalls any operator: it stands still for so long that another is elected, and
// wakes up without knowing. It must not write another word, and ends.

import { setTimeout as delay } from 'node:timers/promises';
import type { LocalOperator } from '../../../src/local/operator.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { leases } from '../../../src/runtime/leader-election/lease.ts';
import type { Fault, Faults } from './faults.ts';
import type { Lane } from './lane.ts';
import { persistently, unlessGone } from './persistence.ts';

/** A leader that is silent is waited for for 15 s. */
const PAST_THE_LEASE_MS = [15_500, 18_000] as const;
const GOODBYE_MS = 10_000;

const frozenLeader: Fault = async ({ lane }, chance) => {
  const leader = await leaderOf(lane);
  leader.process.signal('STOP');
  await delay(chance.between(...PAST_THE_LEASE_MS));
  leader.process.signal('CONT');
  await Promise.race([leader.process.exited, delay(GOODBYE_MS)]);
  if (leader.process.running) throw new Error('a leader that stood still past its lease goes on');
  await persistently(() => lane.ensure());
};

export const ELECTION_FAULTS: Faults = { lease: { 'leader frozen past its lease': frozenLeader } };

/** Lets the first who comes lead at once: the leader of an earlier run was killed and gave nothing away. */
export async function freeLease({ cluster }: Lane): Promise<void> {
  const { namespace, manager: name } = INSTALLATION;
  await unlessGone(cluster.client.delete(leases, { namespace, name }));
}

/** Whoever leads, as soon as somebody does. */
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
