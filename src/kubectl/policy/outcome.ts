// What became of a revision that rolled out under a policy: completed, rejected and why, and who promoted what. Pure.

import type { RevisionRecord } from '../../kinds/my-deployment/plan/record.ts';
import type { Promotion, Rejection } from '../../policy/attempt.ts';
import { unended } from '../phrasing.ts';
import { printable } from '../terminal/printable.ts';

type Recorded = Pick<RevisionRecord, 'number' | 'attempt'>;

/** The outcome of the present attempt in a line, fit to be shown; empty when nothing is recorded of it. */
export function outcomeOf(revision: Recorded): string {
  const promoted = revision.attempt.promotions.filter(({ number }) => number === revision.number).map(promotion);
  return printable([...fateOf(revision), ...promoted].join('; '));
}

function fateOf({ number, attempt: { completed, step, rejected } }: Recorded): string[] {
  if (rejected?.number === number) return [rejectionWords(rejected)];
  if (completed === number) return ['completed'];
  return step?.number === number ? [`at step ${step.step}`] : [];
}

/** `rejected (PodFailures): …`, or `aborted by alice`. */
export function rejectionWords({ reason, message, by }: Rejection): string {
  if (reason === 'Aborted') return by === undefined ? 'aborted' : `aborted by ${by}`;
  return `rejected (${reason})${message === '' ? '' : `: ${unended(message)}`}`;
}

function promotion({ step, by }: Promotion): string {
  return `step ${step} promoted${by === undefined ? '' : ` by ${by}`}`;
}
