// What became of a revision that rolled out under a policy: completed, rejected and why, and who promoted what. Pure.

import type { RevisionRecord } from '../../kinds/my-deployment/plan/record.ts';
import type { Promotion, Rejection } from '../../policy/attempt.ts';
import { unended } from '../phrasing.ts';
import { printable } from '../terminal/printable.ts';

type Recorded = Pick<RevisionRecord, 'number' | 'attempt'>;

/**
 * The outcome in a line, fit to be shown; empty when nothing is recorded. Only the revision with the newest number of the object is
 * still on its way.
 */
export function outcomeOf(revision: Recorded, newest: number): string {
  const promoted = revision.attempt.promotions.filter(({ number }) => number === revision.number).map(promotion);
  return printable([...fateOf(revision, newest), ...promoted, ...formerFate(revision)].join('; '));
}

function fateOf({ number, attempt: { completed, step, rejected } }: Recorded, newest: number): string[] {
  if (rejected?.number === number) return [rejectionWords(rejected)];
  if (completed === number) return ['completed'];
  if (step?.number !== number) return [];
  return [number === newest ? `at step ${step.step}` : `replaced at step ${step.step}`];
}

/** That an earlier attempt at the revision was rejected. */
function formerFate({ number, attempt: { rejected } }: Recorded): string[] {
  return rejected === undefined || rejected.number === number
    ? []
    : [`as revision ${rejected.number} ${rejectionWords(rejected)}`];
}

/** `rejected (PodFailures): …`, or `aborted by alice`. */
export function rejectionWords({ reason, message, by }: Rejection): string {
  if (reason === 'Aborted') return by === undefined ? 'aborted' : `aborted by ${by}`;
  return `rejected (${reason})${message === '' ? '' : `: ${unended(message)}`}`;
}

function promotion({ step, by }: Promotion): string {
  return `step ${step} promoted${by === undefined ? '' : ` by ${by}`}`;
}
