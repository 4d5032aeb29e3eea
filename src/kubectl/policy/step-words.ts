// Steps in words, the same wherever they are shown.

import { stepCount } from '../../policy/steps.ts';
import { formatDuration } from '../duration.ts';
import { counted, unended } from '../phrasing.ts';
import { rejectionWords } from './outcome.ts';
import type { Phase, Rolling, Standing, Wait } from './standing.ts';

type Place = Pick<Standing, 'policy' | 'size'>;

/** `step 2 of 3, 25% = 3 pods`; after the last step `all 10 pods`. */
export function stepWords(number: number, place: Place): string {
  const steps = place.policy.spec.steps ?? [];
  const pods = podsOfStep(number, place);
  return number > steps.length ? `all ${pods}` : `step ${number} of ${steps.length}, ${pods}`;
}

/** `25% = 3 pods` */
export function podsOfStep(number: number, { policy, size }: Place): string {
  const step = policy.spec.steps?.[number - 1];
  if (step === undefined) return counted(size.replicas, 'pod');
  const pods = counted(stepCount(step, size), 'pod');
  return typeof step.replicas === 'string' ? `${step.replicas} = ${pods}` : pods;
}

/** What a step waits for, as the object of "waits". */
export function waitWords(wait: Wait, now: number): string {
  switch (wait.for) {
    case 'resume':
      return 'until the rollout is resumed';
    case 'replicas':
      return 'until there are replicas again';
    case 'pods':
      return 'for its pods to be available';
    case 'retry':
      return `for a retry, because a gate failed: ${unended(wait.message)}`;
    case 'gates':
      return `for ${unended(wait.message)}`;
    case 'promotion':
      return 'for promotion';
    case 'time':
      return `${formatDuration(wait.until - now)} more`;
    default:
      return wait satisfies never;
  }
}

/** Where the rollout stands, as a clause. */
export function standingWords({ phase, ...place }: Standing): string {
  switch (phase.is) {
    case 'unseen':
      if (place.notAccepted !== undefined) return notAcceptedWords(place.policy, place.notAccepted);
      return place.object.spec.paused
        ? 'it is paused, and its newest template or steps wait until it is resumed'
        : 'the operator has not seen the newest template and steps yet';
    case 'idle':
      return 'no rollout is under way';
    case 'rolling':
      return phase.step === undefined
        ? `revision ${phase.revision.number} rolls out to ${stepWords(phase.record.step, place)}`
        : `revision ${phase.revision.number} is at ${stepWords(phase.record.step, place)}`;
    case 'rejected':
      return `revision ${phase.revision.number} was ${rejectionWords(phase.rejection)}`;
    default:
      return phase satisfies never;
  }
}

export function notAcceptedWords({ metadata }: Standing['policy'], why: string): string {
  return `rolloutpolicy "${metadata.name}" is not accepted: ${why}`;
}

/** Why the operator neither goes on nor back, as a clause: it serves no promotion and no abort then. */
export function obstacleTo({ policy, notAccepted, revisions, phase }: Standing<Rolling>): string | undefined {
  if (notAccepted !== undefined) return notAcceptedWords(policy, notAccepted);
  const { stable } = phase.record;
  const isThere = revisions.some(({ name, template }) => name === stable && template !== undefined);
  return stable === undefined || isThere ? undefined : `the stable revision "${stable}" is gone or cannot be read`;
}

export function isRolling(standing: Standing<Phase>): standing is Standing<Rolling> {
  return standing.phase.is === 'rolling';
}

/** A revision by its number, or by its name when it is gone. */
export function revisionWords(name: string, revisions: Standing['revisions']): string {
  const found = revisions.find((revision) => revision.name === name);
  return found === undefined ? `revision "${name}"` : `revision ${found.number}`;
}
