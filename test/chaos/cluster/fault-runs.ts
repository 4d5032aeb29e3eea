// A random workload on a real control plane while faults befall the real operator, alone or several at once. Afterwards
// everything must come to rest, nothing more may be written, and no promise may have been broken on the way.

import { setTimeout as delay } from 'node:timers/promises';
import { Chance } from '../simulation/chance.ts';
import { DEEDS } from './deeds.ts';
import type { Fault, Faults, Victim } from './faults.ts';
import { Web } from './kinds/my-deployment.ts';
import type { Lane } from './lane.ts';
import { persistently } from './persistence.ts';
import { quiet } from './quiet.ts';
import { drawSetting, type Setting } from './settings.ts';

export interface FaultRun {
  readonly seed: number;
  /** What happened, in order. */
  readonly story: readonly string[];
  readonly broken: readonly string[];
}

/** How many faults befall the operator at once. */
const AT_ONCE = [1, 1, 2, 3];

/** The setting of a seed, which decides what other runs may share its cluster. */
export function settingOf(seed: number): Setting {
  return drawSetting(new Chance(seed, 'setting'));
}

/** One run of the seed's workload and faults. */
export async function faultRun(lane: Lane, seed: number): Promise<FaultRun> {
  const setting = settingOf(seed);
  const story = [setting.name];
  const broken: string[] = [];
  try {
    await setting.prepare?.(lane);
    const namespace = await lane.enter(setting.crew);
    const web = await Web.enter({ client: lane.cluster.client, namespace, patienceMs: setting.patienceMs });
    try {
      await workload({ lane, web }, setting, seed, story);
    } catch (error) {
      broken.push(wordsOf(error));
    }
    broken.push(...(await web.close(setting.unelected)));
  } catch (error) {
    broken.push(wordsOf(error));
  }
  await clear(lane, setting).catch((error: unknown) => broken.push(wordsOf(error)));
  return { seed, story, broken };
}

async function workload(victim: Victim, setting: Setting, seed: number, story: string[]): Promise<void> {
  const { lane, web } = victim;
  const chance = new Chance(seed, 'faults');
  await setting.begin?.(victim);
  await web.create(chance.between(1, 5));
  for (let act = 0; act < setting.acts; act++) {
    const deed = chance.pick(Object.keys(DEEDS));
    const faults = drawFaults(setting, chance, act);
    story.push(`${deed} during ${[...faults.keys()].join(' + ')}`);
    // Each draws from chances of its own, for how often they draw depends on the operator's pace.
    const befallen = [...faults].map(([name, fault]) => fault(victim, new Chance(seed, `${name} ${act}`)));
    const done = persistently(async () => DEEDS[deed]?.(web, new Chance(seed, `deed ${act}`)));
    await Promise.all([...befallen, done]);
    await delay(chance.between(0, 400));
  }
  await persistently(() => web.change({ paused: false }));
  await web.allComplete();
  await quiet(lane);
}

/** One of each sort at most: two that turn the same screw would undo each other. */
function drawFaults({ ownFaults, otherFaults }: Setting, chance: Chance, act: number): ReadonlyMap<string, Fault> {
  const drawn = new Map<string, Fault>();
  const isOwn = act === 0 && Object.keys(ownFaults).length > 0;
  let rest = [...inLine(ownFaults), ...inLine(otherFaults)];
  for (let left = chance.pick(AT_ONCE); left > 0; left--) {
    const { name, fault, sort } = chance.pick(isOwn && drawn.size === 0 ? inLine(ownFaults) : rest);
    drawn.set(name, fault);
    rest = rest.filter((each) => each.sort !== sort);
  }
  return drawn;
}

function inLine(faults: Faults): { readonly sort: string; readonly name: string; readonly fault: Fault }[] {
  return Object.entries(faults).flatMap(([sort, named]) =>
    Object.entries(named).map(([name, fault]) => ({ sort, name, fault })),
  );
}

async function clear(lane: Lane, setting: Setting): Promise<void> {
  lane.proxy.judge = () => 'pass';
  lane.proxy.isHeld = () => false;
  lane.network.heal();
  // They would go on to hold the lease, or to wait for calls.
  if (setting.needs === 'lease' || setting.needs === 'webhooks') await lane.killAll();
  await setting.end?.(lane);
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${wordsOf(error.cause)}`;
}
