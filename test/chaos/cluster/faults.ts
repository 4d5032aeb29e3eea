// What can befall one operator: its process, its writes, its network, its watches, its token. Each fault begins, lasts for
// a while and is over when its promise resolves. Faults of different sorts may befall it at once.

import { setTimeout as delay } from 'node:timers/promises';
import type { LocalOperator } from '../../../src/local/operator.ts';
import type { Chance } from '../simulation/chance.ts';
import type { Web } from './kinds/my-deployment.ts';
import type { Lane } from './lane.ts';
import { persistently } from './persistence.ts';
import type { Fate } from './write-proxy.ts';

/** What a fault acts on. */
export interface Victim {
  readonly lane: Lane;
  readonly web: Web;
}

export type Fault = (victim: Victim, chance: Chance) => Promise<void>;

/** Faults by what they befall: of each sort there can be one at a time. */
export type Faults = Readonly<Record<string, Readonly<Record<string, Fault>>>>;

const WATCHED = ['mydeployments', 'pods', 'controllerrevisions'] as const;

const process: Readonly<Record<string, Fault>> = {
  kill: async ({ lane }, chance) => {
    await pickOperator(lane, chance)?.process.kill();
    await persistently(() => lane.ensure());
  },
  stop: async ({ lane }, chance) => {
    await pickOperator(lane, chance)?.stop();
    await persistently(() => lane.ensure());
  },
  freeze: async ({ lane }, chance) => {
    const operator = pickOperator(lane, chance);
    operator?.process.signal('STOP');
    await delay(chance.between(200, 2_500));
    operator?.process.signal('CONT');
  },
};

const writes: Readonly<Record<string, Fault>> = {
  conflict: brew(409),
  'too many requests': brew(429),
  'server error': brew(500),
  'lost answers': brew('lose'),
};

const network: Readonly<Record<string, Fault>> = {
  cut: async ({ lane }) => lane.network.cut('close'),
  reset: async ({ lane }) => lane.network.cut('reset'),
  stall: async ({ lane }, chance) => {
    lane.network.stall();
    await delay(chance.between(200, 2_500));
    lane.network.heal();
  },
  delay: async ({ lane }, chance) => {
    lane.network.delay(chance.between(10, 150));
    await delay(chance.between(500, 2_500));
    lane.network.heal();
  },
  refuse: async ({ lane }, chance) => {
    lane.network.refuse();
    lane.network.cut('reset');
    await delay(chance.between(200, 2_000));
    lane.network.heal();
  },
};

const watches: Readonly<Record<string, Fault>> = {
  'stale watch': async ({ lane: { proxy } }, chance) => {
    const plural = chance.pick(WATCHED);
    proxy.isHeld = (path) => path.includes(`/${plural}?`);
    await delay(chance.between(300, 2_500));
    proxy.isHeld = () => false;
  },
};

const token: Readonly<Record<string, Fault>> = {
  'expired token': async ({ lane }, chance) => {
    lane.proxy.expired = lane.signIn.token;
    await delay(chance.between(300, 2_500));
    await persistently(() => lane.signIn.renew());
  },
};

export const LANE_FAULTS = { process, writes, network, watches, token } satisfies Faults;

/** For a while every so many writes meet this fate. */
function brew(fate: Fate): Fault {
  return async ({ lane: { proxy, network: wire } }, chance) => {
    const share = chance.pick([0.3, 1]);
    proxy.judge = ({ method, path }) => {
      // A create or a deletion cannot come after another change of the same object.
      const isPossible = fate !== 409 || method === 'PATCH' || method === 'PUT';
      return isPossible && !path.includes('/leases') && chance.happens(share) ? fate : 'pass';
    };
    await delay(chance.between(200, 1_500));
    proxy.judge = () => 'pass';
    // A client that waits for a response that was lost finally learns that there will be none.
    if (fate === 'lose') wire.cut('close');
  };
}

function pickOperator({ operators }: Lane, chance: Chance): LocalOperator | undefined {
  return operators.length === 0 ? undefined : chance.pick(operators);
}
