// A schedule is everything that happens in one simulated run: what the object looks like, how slow the network is, and
// the acts of users, pods and faults with their times. It is plain data made from a seed, so it can be replayed, printed
// and shortened. An act that finds nothing to act on does nothing, so every part of a schedule makes sense by itself.

import type { MyDeploymentSpec, MyDeploymentSpecStrategy } from '../../../src/kinds/my-deployment/types.gen.ts';
import { PARTS, type Part, type Refusal } from './admission.ts';
import { Chance } from './chance.ts';
import { type Latency, MISHAPS, type Mishap } from './network.ts';
import { ENDS, type End, type PolicyAct, policyActBy, policyBy } from './policy-schedule.ts';
import type { ShardAct, Sharing } from './shard-schedule.ts';

export const PLURALS = ['mydeployments', 'pods', 'controllerrevisions'] as const;

export type Act =
  | PolicyAct
  | ShardAct
  | { readonly do: 'scale'; readonly replicas: number }
  | { readonly do: 'roll'; readonly version: number }
  /** The new template's pods never become ready. */
  | { readonly do: 'rollBadly' }
  | { readonly do: 'undo' | 'undoByAnnotation' | 'pause' | 'resume' | 'touch' | 'recreateObject' }
  | { readonly do: 'limitHistory'; readonly keep: number }
  | { readonly do: 'minReady'; readonly seconds: number }
  | { readonly do: 'strategy'; readonly strategy: MyDeploymentSpecStrategy }
  | { readonly do: 'delete'; readonly policy: 'Background' | 'Foreground' | 'Orphan' }
  | {
      readonly do: 'killPod' | 'failPod' | 'unreadyPod' | 'relabelPod' | 'unhashPod' | 'cheapenPod' | 'orphanPod';
      readonly pick: number;
    }
  /** Somebody writes this into the annotation by which the operator knows a change in place. */
  | { readonly do: 'scribbleOnPod'; readonly pick: number; readonly text: string }
  /** A pod appears that is not the operator's: without a controller or another controller's, perhaps with a hash. */
  | { readonly do: 'barePod' | 'strangerPod'; readonly hash: string | undefined }
  | { readonly do: 'removeBarePod' | 'returnPod' | 'forgetRevision' }
  /** Admission takes a part from new pods. */
  | { readonly do: 'alterPods'; readonly part: Part; readonly forMs: number }
  /** A policy refuses adoptions and releases, to the end unless it is taken back. */
  | { readonly do: 'refuseClaims'; readonly refusal: Refusal | undefined }
  | { readonly do: 'crash'; readonly downMs: number }
  /** The operator dies at one of its next writes, just before or just after it is stored. */
  | {
      readonly do: 'crashAtWrite';
      readonly writes: number;
      readonly moment: 'before' | 'after';
      readonly downMs: number;
    }
  /** Another operator takes over while the old one does not know it yet. */
  | { readonly do: 'depose'; readonly overlapMs: number }
  | { readonly do: 'weather'; readonly mishap: Mishap; readonly forMs: number; readonly chance: number }
  /** From now on there is a warm standby, which takes over when the operator dies or is deposed. */
  | { readonly do: 'standBy' }
  | { readonly do: 'stallWatch'; readonly plural: string; readonly forMs: number }
  /** The connections under the watches of this kind become half open. */
  | { readonly do: 'silenceWatch'; readonly plural: string }
  | { readonly do: 'cutWatch'; readonly plural: string | undefined; readonly how: 'end' | 'reset' }
  /** Versions are forgotten while the watches are cut: they have to begin anew. */
  | { readonly do: 'expireWatch' }
  | { readonly do: 'apiDown'; readonly forMs: number }
  /** The wall clocks of operators are set so far ahead of the true time; 0 sets them right. */
  | { readonly do: 'setWallClock'; readonly aheadMs: number }
  /** Another tenant creates objects that fail for ever. */
  | { readonly do: 'crowd' }
  | { readonly do: 'refuseStreams' };

export interface Step {
  /** Milliseconds from the beginning. */
  readonly at: number;
  readonly act: Act;
}

export interface Schedule {
  readonly seed: number;
  readonly spec: Omit<MyDeploymentSpec, 'selector' | 'template'>;
  readonly latency: Latency;
  /** How long a pod typically takes to become ready, and to end. */
  readonly podMs: number;
  readonly steps: readonly Step[];
  /** How people end it; undefined in a run without policies. */
  readonly end?: End;
  /** How operators share the namespaces; undefined where one of them leads. */
  readonly sharing?: Sharing;
}

/** A stall that is longer than this is longer than a lease. */
export const LONGEST_LAG_MS = 8_000;
const LONGEST_MS = 20_000;
const MOST_STEPS = 14;
const MOST_POLICY_ACTS = 10;
const POLICIES = 'rolloutpolicies';
const MOST_REPLICAS = 8;

/** Half of the schedules are under policies. */
export function scheduleOf(seed: number): Schedule {
  const native = nativeSchedule(seed);
  const chance = new Chance(seed, 'policies');
  return chance.happens(0.5) ? governed(native, chance) : native;
}

/** The same under a policy, which mostly is there first. A step may be anywhere in the middle of a rollout. */
function governed(native: Schedule, chance: Chance): Schedule {
  const first = chance.happens(0.8) ? 0 : chance.between(0, LONGEST_MS);
  const steps: Step[] = [{ at: first, act: { do: 'govern', spec: policyBy(chance) } }];
  for (let left = chance.between(1, MOST_POLICY_ACTS); left > 0; left--) {
    const after = chance.happens(0.4) ? chance.pick([...native.steps, ...steps]) : undefined;
    const at = after === undefined ? chance.between(0, LONGEST_MS) : soonAfter(after.at, chance);
    steps.push({ at, act: chance.happens(0.15) ? rollOrStall(chance) : policyActBy(chance) });
  }
  const { spec, latency } = native;
  return {
    ...native,
    spec: { ...spec, progressDeadlineSeconds: chance.pick([600, 600, 5]) },
    latency: { ...latency, watchMs: { ...latency.watchMs, [POLICIES]: chance.pick([1, 10, 100, 800]) } },
    steps: [...native.steps, ...steps].sort((one, other) => one.at - other.at),
    end: chance.pick(ENDS),
  };
}

function rollOrStall(chance: Chance): Act {
  if (chance.happens(0.6)) return roll(chance);
  return { do: 'stallWatch', plural: POLICIES, forMs: chance.between(500, LONGEST_LAG_MS) };
}

export function nativeSchedule(seed: number): Schedule {
  const chance = new Chance(seed, 'schedule');
  const steps: Step[] = [];
  for (let left = chance.between(1, MOST_STEPS); left > 0; left--) {
    // Half of the time, two things happen at almost the same moment: that is where faults hurt.
    const before = chance.happens(0.5) ? steps.at(-1) : undefined;
    const makers = chance.happens(0.1) ? chance.pick(TIGHT_SPOTS) : [anyAct];
    let at = before === undefined ? chance.between(0, LONGEST_MS) : soonAfter(before.at, chance);
    for (const make of makers) {
      steps.push({ at, act: make(chance) });
      at = soonAfter(at, chance);
    }
  }
  return {
    seed,
    spec: {
      replicas: chance.between(1, MOST_REPLICAS),
      strategy: strategyBy(chance),
      minReadySeconds: chance.pick([0, 0, 0, 2]),
      revisionHistoryLimit: chance.pick([0, 1, 10]),
    },
    latency: {
      requestMs: chance.pick([2, 5, 30]),
      watchMs: Object.fromEntries(PLURALS.map((plural) => [plural, chance.pick([1, 10, 100, 800])])),
    },
    podMs: chance.pick([50, 400, 2_000]),
    steps: steps.sort((one, other) => one.at - other.at),
  };
}

type Maker = (chance: Chance) => Act;

const scale: Maker = (chance) => ({ do: 'scale', replicas: chance.between(0, MOST_REPLICAS + 2) });
const shrink: Maker = (chance) => ({ do: 'scale', replicas: chance.between(1, MOST_REPLICAS / 2) });
const roll: Maker = (chance) => ({ do: 'roll', version: chance.between(1, 4) });

const USER: readonly Maker[] = [
  scale,
  roll,
  roll,
  () => ({ do: 'rollBadly' }),
  (chance) => ({ do: chance.pick(['undo', 'undoByAnnotation', 'pause', 'pause', 'resume', 'touch'] as const) }),
  (chance) => ({ do: 'strategy', strategy: strategyBy(chance) }),
  (chance) => ({ do: 'limitHistory', keep: chance.between(0, 3) }),
  (chance) => ({ do: 'minReady', seconds: chance.between(0, 3) }),
  (chance) => ({ do: 'delete', policy: chance.pick(['Background', 'Foreground', 'Orphan', 'Orphan'] as const) }),
  () => ({ do: 'recreateObject' }),
];

const harmPod: Maker = (chance) => ({
  do: chance.pick(['killPod', 'failPod', 'unreadyPod'] as const),
  pick: chance.between(0, 20),
});

const relabelPod: Maker = (chance) => ({
  do: chance.pick(['relabelPod', 'relabelPod', 'unhashPod'] as const),
  pick: chance.between(0, 20),
});
/** Makes it the first to go. */
const cheapenPod: Maker = (chance) => ({ do: 'cheapenPod', pick: chance.between(0, 20) });

const SCRIBBLES = [
  '',
  'null',
  '{"from":"a","to":"b","at":"2026-01-01","changed":{"generation":1,"containers":null}}',
  '{"from":"a","to":"b","at":"2026-01-01","changed":{"generation":1,"containers":{}}}',
  '{"from":"a","to":"b","at":"2026-01-01"}',
];
const scribbleOnPod: Maker = (chance) => ({
  do: 'scribbleOnPod',
  pick: chance.between(0, 20),
  text: chance.pick(SCRIBBLES),
});

const PODS: readonly Maker[] = [
  harmPod,
  (chance) => chance.pick([relabelPod, cheapenPod, scribbleOnPod])(chance),
  (chance) => ({ do: chance.pick(['returnPod', 'forgetRevision', 'removeBarePod'] as const) }),
  otherPod,
];

const crash: Maker = (chance) => ({ do: 'crash', downMs: chance.between(500, 3_000) });
const standBy: Maker = () => ({ do: 'standBy' });
const silenceWatch: Maker = (chance) => ({ do: 'silenceWatch', plural: chance.pick(PLURALS) });

const orphanPod: Maker = (chance) => ({ do: 'orphanPod', pick: chance.between(0, 20) });

function otherPod(chance: Chance): Act {
  const hash = chance.pick([undefined, '5d4f8c7b9']);
  return chance.happens(0.4) ? orphanPod(chance) : { do: chance.pick(['barePod', 'strangerPod'] as const), hash };
}

const refuseClaims: Maker = (chance) => ({
  do: 'refuseClaims',
  refusal: chance.pick(['Forbidden', 'Invalid', undefined] as const),
});

const FAULTS: readonly Maker[] = [
  (chance) => ({ do: 'alterPods', part: chance.pick(PARTS), forMs: chance.between(500, 15_000) }),
  refuseClaims,
  crash,
  crashAtWrite,
  crashAtWrite,
  (chance) => ({ do: 'depose', overlapMs: chance.between(10, 2_000) }),
  weather,
  weather,
  weather,
  (chance) => ({ do: 'stallWatch', plural: chance.pick(PLURALS), forMs: chance.between(500, LONGEST_LAG_MS) }),
  (chance) => ({ do: 'stallWatch', plural: chance.pick(PLURALS), forMs: chance.pick([3_000, 20_000]) }),
  standBy,
  silenceWatch,
  (chance) => ({ do: 'cutWatch', plural: chance.pick([...PLURALS, undefined]), how: chance.pick(['end', 'reset']) }),
  (chance) => ({ do: chance.pick(['expireWatch', 'expireWatch', 'refuseStreams'] as const) }),
  (chance) => ({ do: 'apiDown', forMs: chance.between(100, 4_000) }),
  setWallClock,
  setWallClock,
  // Rarely: it takes as long as ten other schedules.
  (chance) => (chance.happens(0.1) ? { do: 'crowd' } : setWallClock(chance)),
];

const pause: Maker = () => ({ do: 'pause' });

const loseAnswers: Maker = (chance) => ({
  do: 'weather',
  mishap: 'lostAnswer',
  forMs: chance.between(200, 2_000),
  chance: 1,
});

/** What decides anew before the last decision is known to be carried out: left to chance alone it would be rare. */
const TIGHT_SPOTS: readonly (readonly Maker[])[] = [
  [pause, scale],
  [roll, scale],
  [roll, shrink],
  [roll, roll],
  [loseAnswers, roll, scale],
  [loseAnswers, roll, harmPod],
  [loseAnswers, cheapenPod, scale],
  [loseAnswers, cheapenPod, roll],
  [standBy, silenceWatch, roll, crash],
  [standBy, silenceWatch, scale, crash],
  [refuseClaims, orphanPod, roll],
  [refuseClaims, relabelPod, scale],
];

function soonAfter(at: number, chance: Chance): number {
  return at + chance.between(0, 300);
}

function anyAct(chance: Chance): Act {
  const group = chance.pick([USER, USER, PODS, FAULTS, FAULTS]);
  return chance.pick(group)(chance);
}

function crashAtWrite(chance: Chance): Act {
  const moment = chance.pick(['before', 'after'] as const);
  return { do: 'crashAtWrite', writes: chance.between(1, 8), moment, downMs: chance.between(500, 2_000) };
}

function setWallClock(chance: Chance): Act {
  return { do: 'setWallClock', aheadMs: chance.pick([-3_600_000, -600_000, -2_000, 0, 2_000, 600_000, 3_600_000]) };
}

function weather(chance: Chance): Act {
  return {
    do: 'weather',
    mishap: chance.pick(MISHAPS),
    forMs: chance.between(200, 4_000),
    chance: chance.pick([0.1, 0.5, 1]),
  };
}

function strategyBy(chance: Chance): MyDeploymentSpecStrategy {
  if (chance.happens(0.25)) return { type: 'Recreate' };
  const maxSurge = chance.pick([0, 1, 2, 3, '25%', '50%']);
  const maxUnavailable = chance.pick([0, 1, 2, '25%', '50%']);
  const neither = maxSurge === 0 && maxUnavailable === 0;
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable: neither ? 1 : maxUnavailable } };
}
