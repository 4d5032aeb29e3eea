// What became of a request: the operator records its decision first and removes the annotation after, so what is recorded
// once the annotation is gone is the answer. Pure.

import { requestsOf } from '../../policy/requests.ts';
import { type Asked, sameRequest } from './asked.ts';
import { type Standing, waitsOf } from './standing.ts';
import { isRolling, revisionWords, standingWords, stepWords, waitWords } from './step-words.ts';

export type Answer =
  | { readonly is: 'pending' }
  /** It was served; the words say what happened, as a clause. */
  | { readonly is: 'served'; readonly words: string }
  /** The operator dropped it, or cannot answer any more. */
  | { readonly is: 'dropped'; readonly because: string };

/** The answer, as far as there is one. The policy has to be read before everything else of the standing. */
export function answerTo(asked: Asked, standing: Standing | undefined, now: number): Answer {
  if (standing?.policy.metadata.uid !== asked.policy.metadata.uid) {
    return { is: 'dropped', because: `rolloutpolicy "${asked.policy.metadata.name}" does not govern it any more` };
  }
  if (sameRequest(requestsOf(standing.policy).get(asked.key), asked.request)) return { is: 'pending' };
  if (!isRecorded(asked, standing)) return { is: 'dropped', because: standingWords(standing) };
  const words = outcome(asked, standing, now);
  return words === undefined ? { is: 'pending' } : { is: 'served', words };
}

function isRecorded({ verb, request, revision: { name } }: Asked, { revisions }: Standing): boolean {
  const revision = revisions.find((each) => each.name === name);
  if (revision === undefined) return false;
  const { completed, step, rejected, promotions } = revision.attempt;
  switch (verb) {
    case 'promote':
    case 'promoteFull':
      return (
        promotions.some((each) => each.number === request.number && each.step === request.step) ||
        (step?.number === request.number && (step.promoted === true || step.step > (request.step ?? 0))) ||
        completed === request.number
      );
    case 'abort':
      return rejected?.number === request.number;
    case 'retry':
      return revision.number > request.number;
    default:
      return verb satisfies never;
  }
}

/** Undefined while nothing keeps the operator from the next step: it is about to be recorded. */
function outcome({ request }: Asked, standing: Standing, now: number): string | undefined {
  const { phase, revisions } = standing;
  if (phase.is === 'rejected') {
    const back = revisionWords(phase.rejection.stable, revisions);
    return `revision ${phase.revision.number} is rejected, going back to ${back}`;
  }
  if (phase.is === 'idle' && phase.revision.number === request.number)
    return `revision ${request.number} is rolled out`;
  if (!isRolling(standing)) return standingWords(standing);
  const { record } = standing.phase;
  const here = stepWords(record.step, standing);
  if (record.number !== request.number) return `as revision ${record.number}, ${here}`;
  if (record.step !== request.step) return here;
  const waits = waitsOf(standing, now).map((wait) => waitWords(wait, now));
  return waits.length === 0 ? undefined : `${here}, still waits ${waits.join(', and ')}`;
}
