// Why a step of a RolloutPolicy is not left yet: its gates and its pause. That its pods are not available is found by the rules
// for pods.

import type { GateResult } from '../../policy/gates.ts';
import { resultOf } from '../../policy/gates.ts';
import { formatDuration } from '../duration.ts';
import { gateLine } from '../policy/gate-words.ts';
import { type Rolling, type Standing, type Wait, waitsOf } from '../policy/standing.ts';
import { isRolling, stepWords } from '../policy/step-words.ts';
import type { Cause, Facts } from './cause.ts';
import { standingIn } from './policy-causes.ts';

/** One cause for each gate and pause that holds the present step. */
export function stepHeld(facts: Facts): Cause[] {
  const standing = standingIn(facts);
  if (standing === undefined || !isRolling(standing)) return [];
  return waitsOf(standing, facts.now).flatMap((wait) => causesOf(wait, standing, facts.now));
}

function causesOf(wait: Wait, standing: Standing<Rolling>, now: number): Cause[] {
  const { record } = standing.phase;
  const { name } = standing.object.metadata;
  const here = `Step${stepWords(record.step, standing).slice('step'.length)},`;
  const since = record.since ?? now;
  const started = `all its pods were available ${formatDuration(now - since)} ago`;
  switch (wait.for) {
    case 'resume':
    case 'replicas':
    case 'pods':
      return [];
    case 'retry':
    case 'gates':
      return gateCauses(here, standing, now);
    case 'promotion': {
      const sentence = `${here} has been waiting for promotion for ${formatDuration(now - since)}.`;
      return [
        { name: 'awaiting-promotion', sentence, evidence: [started], advice: `kubectl md rollout promote ${name}` },
      ];
    }
    case 'time': {
      const sentence = `${here} pauses for ${formatDuration(wait.until - now)} more.`;
      const advice = `It goes on by itself; kubectl md rollout promote ${name} ends the pause now.`;
      return [{ name: 'step-paused', sentence, evidence: [started], advice }];
    }
    default:
      return wait satisfies never;
  }
}

function gateCauses(here: string, { policy, phase, object }: Standing<Rolling>, now: number): Cause[] {
  return (phase.step?.gates ?? []).flatMap((name): Cause[] => {
    const result = resultOf(policy.status?.gates ?? [], name, phase.record);
    const gate = policy.spec.gates?.find((each) => each.name === name);
    if (gate === undefined || result?.state === 'Passed') return [];
    const evidence = [gateLine(gate, result, now)];
    const advice = adviceFor(result?.state, object.metadata.name);
    return result?.state === 'Failed'
      ? [
          {
            name: 'gate-failed',
            sentence: `${here} cannot be left: gate "${name}" failed, which is final for it.`,
            evidence,
            ...advice,
          },
        ]
      : [{ name: 'gate-pending', sentence: `${here} waits for gate "${name}".`, evidence, ...advice }];
  });
}

function adviceFor(state: GateResult['state'] | undefined, name: string): Pick<Cause, 'advice'> {
  switch (state) {
    case 'Failed':
      return {
        advice: `Fix the template and apply it, or try again from the first step: kubectl md rollout retry ${name}`,
      };
    case 'NoData':
      return { advice: 'See what the query yields in Prometheus: it has to be one sample that is a number.' };
    case 'Error':
      return { advice: 'The gate is measured again and again; see whether what it asks is there and answers.' };
    case 'Pending':
    case 'Passed':
    case undefined:
      return {};
    default:
      return state satisfies never;
  }
}
