// Whether a promotion makes sense, and what it does. It ends the pause of a step and never a gate; a full one skips all steps
// that are left.

import { ABORT, requestsOf } from '../../policy/requests.ts';
import { type Asked, asked, type Refused, refused } from './asked.ts';
import { type Rolling, type Standing, type Wait, waitsOf } from './standing.ts';
import { isRolling, obstacleTo, standingWords, stepWords, waitWords } from './step-words.ts';

export function decidePromotion(verb: 'promote' | 'promoteFull', standing: Standing, now: number): Asked | Refused {
  if (!isRolling(standing)) return refused(`there is nothing to promote: ${standingWords(standing)}`);
  const { policy, phase } = standing;
  const { number, step } = phase.record;
  const obstacle = obstacleTo(standing);
  if (obstacle !== undefined) return refused(obstacle);
  if (requestsOf(policy).get(ABORT)?.number === number) return refused(`revision ${number} is being aborted`);
  if (phase.step === undefined) return refused('no step is left to promote');
  if (verb === 'promote') return promoteStep(standing, now);
  const will = `skips the steps that are left, on to ${stepWords(Number.POSITIVE_INFINITY, standing)}`;
  return asked({ verb, request: { number, step, full: true }, will }, standing, phase.revision);
}

function promoteStep(standing: Standing<Rolling>, now: number): Asked | Refused {
  const { record, step, revision } = standing.phase;
  const waits = waitsOf(standing, now);
  const others = waits.filter((wait) => !isPause(wait) && !isAbsence(wait));
  const here = stepWords(record.step, standing);
  const stillWaits = others.length === 0 ? '' : `; it waits ${listed(others, now)}`;
  if (record.promoted) return refused(`${here}, is promoted already${stillWaits}`);
  const isOver = record.since !== undefined && standing.phase.gates.is !== 'failed' && !waits.some(isPause);
  if (step?.pause === undefined || isOver) {
    return refused(`${here}, has no pause that a promotion could end${stillWaits}`);
  }
  const will = others.length === 0 ? `on to ${stepWords(record.step + 1, standing)}` : `${here}${stillWaits}`;
  return asked({ verb: 'promote', request: { number: record.number, step: record.step }, will }, standing, revision);
}

/** True of what the request itself waits for, too. */
function isAbsence({ for: what }: Wait): boolean {
  return what === 'resume' || what === 'replicas';
}

function isPause({ for: what }: Wait): boolean {
  return what === 'promotion' || what === 'time';
}

function listed(waits: readonly Wait[], now: number): string {
  return waits.map((wait) => waitWords(wait, now)).join(', and ');
}
