// All spec transitions of all kinds, and everything hostile, within a budget: first what is quick and has to come first,
// then every field of every kind once with a good and once with a bad value, then the rest for as long as there is time.

import { myDeployment } from '../../../src/kinds/my-deployment/schema.ts';
import { isPassedOn, offerContainers } from './box-containers.ts';
import { inRounds, type Transition, transitionsOf } from './fields.ts';
import { flood } from './hostile/floods.ts';
import { overload } from './hostile/objects.ts';
import { mistype } from './hostile/plugin.ts';
import { drink } from './hostile/poison.ts';
import { refuse } from './hostile/refusals.ts';
import { swell } from './hostile/swelling.ts';
import { besiege } from './hostile/webhooks.ts';
import { convergeAll, isOwn } from './own-fields.ts';
import { emptyTally, type Part, type Tally, type TransitionStage } from './part.ts';
import { podSamples } from './pod-samples.ts';
import { smallTransitions } from './small-fields.ts';
import { smallKinds } from './small-kinds.ts';
import { onTransitionStage } from './stage.ts';
import { offerAll } from './template-fields.ts';

export type Budget = Omit<Part, 'onViolation'>;

export interface TransitionsReport {
  /** How many fields were given a value. */
  readonly fields: number;
  /** How many there are. */
  readonly allFields: number;
  readonly transitions: number;
  readonly strains: Tally['strains'];
  readonly violations: readonly string[];
}

const SIEGES = 2;
const FLOODS = { senders: 60, forMs: 8_000 };
const REFUSALS = { objects: 20, forMs: 10_000 };
/** One good and one bad value of every field. */
const FIRST_ROUNDS = 2;

/** Plays on a cluster of its own. Needs a folder for what it builds. */
export async function runTransitions(folder: string, budget: Budget): Promise<TransitionsReport> {
  let report: TransitionsReport | undefined;
  await onTransitionStage(folder, budget.signal, async (stage) => {
    report = await playTransitions(stage, budget);
  });
  return report as TransitionsReport;
}

/** Plays on a cluster that is there. */
export async function playTransitions(stage: TransitionStage, budget: Budget): Promise<TransitionsReport> {
  const violations: string[] = [];
  const part: Part = { ...budget, onViolation: (what) => void violations.push(what) };
  const tally = emptyTally();
  const plan = planOf(budget.seed);
  await besiege(stage, SIEGES, part, tally);
  await flood(stage, FLOODS, part, tally);
  await refuse(stage, REFUSALS, part, tally);
  await swell(stage, part, tally);
  await mistype(stage, part, tally);
  await drink(stage, part, tally);
  // The ones wait for controllers, the others keep the API server busy.
  await Promise.all([converge(stage, plan, part, tally), offer(stage, plan, part, tally)]);
  const { fields, transitions, strains } = tally;
  return { fields: fields.size, allFields: plan.allFields, transitions, strains, violations };
}

interface Plan {
  readonly allFields: number;
  readonly ours: readonly Transition[][];
  /** In the order of `smallKinds`. */
  readonly small: readonly (readonly Transition[][])[];
}

function planOf(seed: number): Plan {
  const ours = transitionsOf(myDeployment.spec, podSamples, seed);
  const small = smallKinds.map(({ kind, samples }) => transitionsOf(kind.spec, samples, seed));
  return {
    allFields: [ours, ...small].reduce((sum, fields) => sum + fields.size, 0),
    ours: inRounds(ours, seed),
    small: small.map((fields) => inRounds(fields, seed)),
  };
}

/** What is stored and carried out. */
async function converge(stage: TransitionStage, { ours, small }: Plan, part: Part, tally: Tally): Promise<void> {
  const play = async (from: number, to?: number): Promise<void> => {
    await convergeAll(stage, ours.slice(from, to).flat().filter(isOwn), part, tally);
    for (const [index, kind] of smallKinds.entries()) {
      const transitions = small[index]?.slice(from, to).flat() ?? [];
      await smallTransitions(
        stage,
        kind,
        transitions.filter((each) => !isPassedOn(each)),
        part,
        tally,
      );
    }
  };
  await play(0, FIRST_ROUNDS);
  await overload(stage, part, tally);
  await play(FIRST_ROUNDS);
  await convergeAll(
    stage,
    ours.flat().filter((each) => !isOwn(each)),
    part,
    tally,
  );
}

/** What is only offered: every field once, then every field badly, then the rest. */
async function offer(stage: TransitionStage, { ours, small }: Plan, part: Part, tally: Tally): Promise<void> {
  for (const [from, to] of [[0, 1], [1, FIRST_ROUNDS], [FIRST_ROUNDS]]) {
    await offerAll(stage, ours.slice(from, to).flat(), part, tally);
    const boxes = small.flatMap((rounds) => rounds.slice(from, to).flat());
    await offerContainers(stage, boxes.filter(isPassedOn), part, tally);
  }
}
