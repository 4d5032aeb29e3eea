// A random workload on a real control plane while faults hit the real operator: it is killed or frozen, its writes are
// refused or their answers lost, its connections are cut, one kind's watch stands still, the API server restarts; alone
// or several at once. Afterwards everything must come to rest, and no promise may have been broken on the way.

import { setTimeout as delay } from 'node:timers/promises';
import { ROLLBACK_TO } from '../../../src/kinds/my-deployment/rollback.ts';
import { isApiError } from '../../../src/runtime/errors.ts';
import { controllerOf } from '../../../src/runtime/object.ts';
import { pods } from '../../../src/workload/write-context.ts';
import { isActive } from '../../support/pod-facts.ts';
import { type RolloutWatch, watchRollouts } from '../../support/rollout-watch.ts';
import { Chance } from '../simulation/chance.ts';
import { type CrashStage, ensureOperator, freshNamespace } from './crash-points.ts';
import { image, Web } from './scenarios.ts';
import type { Fate } from './write-proxy.ts';

export interface FaultRun {
  readonly seed: number;
  /** What happened, in order. */
  readonly story: readonly string[];
  readonly broken: readonly string[];
}

type Fault = (stage: CrashStage, chance: Chance) => Promise<void>;

const WATCHED = ['mydeployments', 'pods', 'controllerrevisions'] as const;
const ACTS = 6;

const FAULTS: Readonly<Record<string, Fault>> = {
  kill: async (stage) => {
    await stage.operator?.process.kill();
    stage.operator = undefined;
    await ensureOperator(stage);
  },
  freeze: async ({ operator }, chance) => {
    operator?.process.signal('STOP');
    await delay(chance.between(200, 3_000));
    operator?.process.signal('CONT');
  },
  conflict: (stage, chance) => brew(stage, chance, 409),
  tooMany: (stage, chance) => brew(stage, chance, 429),
  serverError: (stage, chance) => brew(stage, chance, 500),
  lostAnswers: (stage, chance) => brew(stage, chance, 'lose'),
  cut: async ({ proxy }) => proxy.cut(),
  staleWatch: async ({ proxy }, chance) => {
    const plural = chance.pick(WATCHED);
    proxy.isHeld = (path) => path.includes(`/${plural}?`);
    await delay(chance.between(300, 3_000));
    proxy.isHeld = () => false;
  },
  restartApiServer: async ({ cluster }) => cluster.restart('kube-apiserver'),
};

type Deed = (web: Web, chance: Chance, watch: RolloutWatch) => Promise<unknown>;

const DEEDS: Readonly<Record<string, Deed>> = {
  scale: (web, chance) => web.change({ replicas: chance.between(0, 6) }),
  roll: (web, chance) => web.change(image(`v${chance.between(1, 4)}`)),
  undo: (web) => web.patch({ metadata: { annotations: { [ROLLBACK_TO]: '0' } } }),
  pause: (web) => web.change({ paused: true }),
  resume: (web) => web.change({ paused: false }),
  killPod: async (web, chance, watch) => {
    const { metadata } = await web.get();
    const { items } = await web.client.list(pods, { namespace: web.namespace });
    const ours = items.filter((pod) => isActive(pod) && controllerOf(pod)?.uid === metadata.uid);
    if (ours.length === 0) return;
    const { name, uid } = chance.pick(ours).metadata;
    watch.disturb(name);
    await web.client.delete(pods, { namespace: web.namespace, name }, { uid });
  },
};

/** One run of the seed's workload and faults. */
export async function faultRun(stage: CrashStage, seed: number): Promise<FaultRun> {
  const chance = new Chance(seed, 'faults');
  const namespace = await freshNamespace(stage.cluster);
  const web = new Web(stage.cluster.client, namespace);
  await ensureOperator(stage);
  const watch = await watchRollouts(web.client, namespace);
  const story: string[] = [];
  const broken: string[] = [];
  try {
    await web.create(chance.between(1, 5));
    for (let acts = 0; acts < ACTS; acts++) {
      const [deed, fault] = [chance.pick(Object.keys(DEEDS)), chance.pick(Object.keys(FAULTS))];
      story.push(`${deed} during ${fault}`);
      // Each draws from chances of its own, for how often they draw depends on the operator's pace.
      const hit = FAULTS[fault]?.(stage, new Chance(seed, `fault ${acts}`));
      await persistently(() => DEEDS[deed]?.(web, new Chance(seed, `deed ${acts}`), watch));
      await hit;
      await delay(chance.between(0, 400));
    }
    await persistently(() => web.change({ paused: false }));
    await web.complete();
  } catch (error) {
    broken.push(error instanceof Error ? error.message : String(error));
  } finally {
    stage.proxy.judge = () => 'pass';
    broken.push(...(await judge(watch, story)));
  }
  return { seed, story, broken };
}

/** A restarted API server may have forgotten what the watch had still to show: then only the end can be judged. */
async function judge(watch: RolloutWatch, story: string[]): Promise<string[]> {
  try {
    return await watch.close('everything');
  } catch (error) {
    if (!isApiError((error as Error).cause, 'Gone')) throw error;
    story.push('the history is incomplete');
    return [];
  }
}

/** For a while every so many writes meet this fate. */
async function brew({ proxy }: CrashStage, chance: Chance, fate: Fate): Promise<void> {
  const share = chance.pick([0.3, 1]);
  proxy.judge = ({ method, path }) => {
    // A create or a deletion cannot come after another change of the same object.
    const isPossible = fate !== 409 || method === 'PATCH' || method === 'PUT';
    return isPossible && !path.includes('/leases') && chance.happens(share) ? fate : 'pass';
  };
  await delay(chance.between(200, 1_500));
  proxy.judge = () => 'pass';
  if (fate === 'lose') proxy.cut();
}

/** People try again when the API server is not there. */
async function persistently(act: () => Promise<unknown> | undefined): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await act();
      return;
    } catch (error) {
      if (tries >= 20) throw error;
      await delay(500);
    }
  }
}
