// A slice of the spec transitions for every run of the tests. `make chaos` takes every value of every field.

import { describe, expect, it } from '@jest/globals';
import { myDeployment } from '../../../src/kinds/my-deployment/schema.ts';
import { useStage } from '../../e2e/stage.ts';
import { isPassedOn, offerContainers } from './box-containers.ts';
import { inRounds, type Transition, transitionsOf } from './fields.ts';
import { flood } from './hostile/floods.ts';
import { mistype } from './hostile/plugin.ts';
import { drink } from './hostile/poison.ts';
import { refuse } from './hostile/refusals.ts';
import { swell } from './hostile/swelling.ts';
import { besiege } from './hostile/webhooks.ts';
import { convergeAll, isOwn } from './own-fields.ts';
import { emptyTally, type Part, type Tally } from './part.ts';
import { podSamples } from './pod-samples.ts';
import { smallTransitions } from './small-fields.ts';
import { smallKinds } from './small-kinds.ts';
import { offerAll } from './template-fields.ts';

const stage = await useStage({ name: 'transitions' });

const SEED = 4;
const ours = inRounds(transitionsOf(myDeployment.spec, podSamples, SEED), SEED);

/** Plays to the end and tells what was found. */
async function found(
  play: (part: Part, tally: Tally) => Promise<void>,
): Promise<{ violations: string[]; tally: Tally }> {
  const violations: string[] = [];
  const { signal } = new AbortController();
  const tally = emptyTally();
  const onViolation = (what: string): unknown => violations.push(what);
  await play({ endsAt: Number.POSITIVE_INFINITY, signal, seed: SEED, onViolation }, tally);
  return { violations, tally };
}

/** So many of the first two rounds: good values and bad ones. */
function some(count: number, rounds: readonly Transition[][], which: (each: Transition) => boolean): Transition[] {
  return rounds.slice(0, 2).flatMap((round) => round.filter(which).slice(0, count / 2));
}

describe('a MyDeployment and a Deployment', () => {
  it.concurrent('are given values of their own fields and come to rest alike', async () => {
    const transitions = some(16, ours, isOwn);
    const { violations, tally } = await found((part, seen) => convergeAll(stage, transitions, part, seen));
    expect(violations).toEqual([]);
    expect(tally.transitions).toBe(16);
  });

  it.concurrent('take and refuse the same fields of a template', async () => {
    const transitions = some(120, ours, (each) => !isOwn(each));
    const { violations, tally } = await found((part, seen) => offerAll(stage, transitions, part, seen));
    expect(violations).toEqual([]);
    expect(tally).toMatchObject({ transitions: 120 });
  });
});

describe('the smaller kinds', () => {
  it.concurrent.each(smallKinds)('$kind.resource.kind carries out good values and refuses bad ones', async (kind) => {
    const rounds = inRounds(transitionsOf(kind.kind.spec, kind.samples, SEED), SEED);
    const transitions = some(20, rounds, (each) => !isPassedOn(each));
    const { violations } = await found((part, seen) => smallTransitions(stage, kind, transitions, part, seen));
    expect(violations).toEqual([]);
    const passedOn = some(40, rounds, isPassedOn);
    expect(await found((part, seen) => offerContainers(stage, passedOn, part, seen))).toMatchObject({ violations: [] });
  });
});

describe('hostile', () => {
  it('reviews are answered, and harm nobody', async () => {
    const { violations, tally } = await found((part, seen) => besiege(stage, 1, part, seen));
    expect(violations).toEqual([]);
    expect(tally.transitions).toBeGreaterThan(300);
  });

  it('floods of the webhook port leave the operator within its memory, and admissions answered', async () => {
    const { violations, tally } = await found((part, seen) => flood(stage, { senders: 60, forMs: 2_000 }, part, seen));
    expect(violations).toEqual([]);
    expect(tally.transitions).toBe(5);
  });

  it('refusals of 670 kB are told in short', async () => {
    const { violations } = await found((part, seen) => refuse(stage, { objects: 3, forMs: 5_000 }, part, seen));
    expect(violations).toEqual([]);
  });

  it('templates that are long with their defaults are refused in words', async () => {
    const { violations } = await found((part, seen) => swell(stage, part, seen));
    expect(violations).toEqual([]);
  });

  it('names are told in one line', async () => {
    const { violations, tally } = await found((part, seen) => mistype(stage, part, seen));
    expect(violations).toEqual([]);
    expect(tally.transitions).toBeGreaterThan(200);
  });

  it('text in a cluster reaches no terminal as a code', async () => {
    expect((await found((part, seen) => drink(stage, part, seen))).violations).toEqual([]);
  });
});
