// What the tree shows of a RolloutPolicy: its steps, where the rollout is among them, what it waits for and its gates. Pure.

import { resultOf } from '../../policy/gates.ts';
import { formatDuration } from '../duration.ts';
import { printable } from '../terminal/printable.ts';
import { gateLine } from './gate-words.ts';
import { type Phase, type Rolling, type Standing, waitsOf } from './standing.ts';
import { isRolling, podsOfStep, standingWords, waitWords } from './step-words.ts';

export interface StepView {
  /** `step 2`, or `all` for the rest. */
  readonly title: string;
  readonly pods: string;
  readonly state: 'over' | 'here' | 'ahead';
  /** What it waits for, when the rollout is here. */
  readonly waits: readonly string[];
  /** The gates in a line each, when the rollout is here. */
  readonly gates: readonly string[];
}

export interface PolicyView {
  readonly name: string;
  readonly state: 'idle' | 'moving' | 'failed';
  /** Where the rollout stands, as a clause. */
  readonly words: string;
  /** None while nothing rolls out. */
  readonly steps: readonly StepView[];
}

/** The view, fit to be shown: what is recorded may come from any user who may write it. */
export function policyView(standing: Standing, now: number): PolicyView {
  const { policy, notAccepted } = standing;
  const words = notAccepted === undefined ? standingWords(standing) : `not accepted: ${notAccepted}`;
  const steps = isRolling(standing) ? stepViews(standing, now) : [];
  const state = notAccepted === undefined ? stateOf(standing.phase) : 'failed';
  return printable({ name: policy.metadata.name, state, words, steps });
}

function stateOf(phase: Phase): PolicyView['state'] {
  if (phase.is === 'rolling') return phase.gates.is === 'failed' ? 'failed' : 'moving';
  return phase.is === 'rejected' ? 'failed' : 'idle';
}

function stepViews(standing: Standing<Rolling>, now: number): StepView[] {
  const { steps = [] } = standing.policy.spec;
  const present = standing.phase.record.step;
  return [...steps, undefined].map((step, index) => {
    const number = index + 1;
    const isHere = number === present;
    return {
      title: step === undefined ? 'all' : `step ${number}`,
      pods: podsOfStep(number, standing),
      state: isHere ? 'here' : number < present ? 'over' : 'ahead',
      waits: isHere ? waitLines(standing, now) : [],
      gates: isHere ? gateLines(standing, step?.gates ?? [], now) : [],
    };
  });
}

function waitLines(standing: Standing<Rolling>, now: number): string[] {
  const { since } = standing.phase.record;
  const soFar = since === undefined ? '' : `, ${formatDuration(now - since)} so far`;
  return waitsOf(standing, now).map((wait) => {
    const advice = wait.for === 'promotion' ? `: kubectl md rollout promote ${standing.object.metadata.name}` : '';
    const words = wait.for === 'gates' ? `for ${openGates(standing)}` : waitWords(wait, now);
    return `waits ${words}${wait.for === 'time' ? '' : soFar}${advice}`;
  });
}

/** By their names alone: each has a line of its own below. */
function openGates({ policy, phase }: Standing<Rolling>): string {
  const results = policy.status?.gates ?? [];
  const open = phase.step?.gates?.filter((name) => resultOf(results, name, phase.record)?.state !== 'Passed') ?? [];
  return `${open.length === 1 ? 'gate' : 'gates'} ${open.map((name) => `"${name}"`).join(', ')}`;
}

function gateLines({ policy, phase }: Standing<Rolling>, names: readonly string[], now: number): string[] {
  return names.flatMap((name) => {
    const gate = policy.spec.gates?.find((each) => each.name === name);
    return gate === undefined ? [] : [gateLine(gate, resultOf(policy.status?.gates ?? [], name, phase.record), now)];
  });
}
