// What `promote`, `abort` and `retry` ask for, decided before anything is written: what would happen, or why the verb makes no
// sense now. Pure, so that it can be shown before it is done.

import { type Asked, asked, type Refused, refused, type Verb } from './asked.ts';
import { decidePromotion } from './decide-promotion.ts';
import type { Standing } from './standing.ts';
import { isRolling, obstacleTo, revisionWords, standingWords, stepWords } from './step-words.ts';

/** What the verb asks for. Without a standing, no policy is about the MyDeployment. */
export function decide(verb: Verb, standing: Standing | undefined, now: number): Asked | Refused {
  if (standing === undefined) return refused('no RolloutPolicy is about it');
  if (standing.phase.is === 'unseen') return refused(standingWords(standing));
  switch (verb) {
    case 'promote':
    case 'promoteFull':
      return decidePromotion(verb, standing, now);
    case 'abort':
      return decideAbort(standing);
    case 'retry':
      return decideRetry(standing);
    default:
      return verb satisfies never;
  }
}

function decideAbort(standing: Standing): Asked | Refused {
  if (!isRolling(standing)) return refused(`there is nothing to abort: ${standingWords(standing)}`);
  const { record, revision } = standing.phase;
  if (record.stable === undefined) return refused('there is no stable revision to go back to');
  const obstacle = obstacleTo(standing);
  if (obstacle !== undefined) return refused(obstacle);
  const back = revisionWords(record.stable, standing.revisions);
  const will = `rejects revision ${revision.number} and goes back to ${back}; the spec stays as it is`;
  return asked({ verb: 'abort', request: { number: record.number }, will }, standing, revision);
}

function decideRetry(standing: Standing): Asked | Refused {
  const { phase, policy } = standing;
  const hasFailed = phase.is === 'rejected' || (phase.is === 'rolling' && phase.gates.is === 'failed');
  if (!hasFailed) {
    return refused(`there is nothing to retry: ${standingWords(standing)}`);
  }
  const { revision } = phase;
  const from = (policy.spec.steps ?? []).length === 0 ? '' : `, from ${stepWords(1, standing)}`;
  const will = `tries revision ${revision.number} again${from}`;
  return asked({ verb: 'retry', request: { number: revision.number }, will }, standing, revision);
}
