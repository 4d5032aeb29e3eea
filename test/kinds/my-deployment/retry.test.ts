import { describe, expect, it } from '@jest/globals';
import { canRetry, retryIfAsked } from '../../../src/kinds/my-deployment/plan/retry.ts';
import { COMPLETED } from '../../../src/policy/attempt.ts';
import { RETRY } from '../../../src/policy/requests.ts';
import { type AttemptOptions, attempt } from './attempt-fixture.ts';
import { secondsAgo } from './fixture.ts';

const rejected: AttemptOptions = { rejected: {} };
/** A failed gate, and a policy that does not go back because of it. */
const failedGate: AttemptOptions = {
  spec: { rollback: { when: ['PodFailures'] } },
  policy: { status: { gates: [{ name: 'errors', number: 2, step: 1, state: 'Failed', measuredAt: secondsAgo(5) }] } },
};
const asked = (number: number): AttemptOptions => ({
  policy: { metadata: { annotations: { [RETRY]: JSON.stringify({ number }) } } },
});

describe('an attempt can be retried', () => {
  it.each<{ name: string; options: AttemptOptions; can: boolean }>([
    { name: 'when it was rejected', options: rejected, can: true },
    { name: 'when a failed gate keeps it where it is', options: failedGate, can: true },
    { name: 'not while nothing has failed', options: {}, can: false },
    { name: 'not while the object is paused', options: { ...rejected, object: { paused: true } }, can: false },
    { name: 'not when it is the first one', options: { ...failedGate, alone: true }, can: false },
    {
      name: 'not when it was completed',
      options: { ...failedGate, annotations: { [COMPLETED]: '2' } },
      can: false,
    },
  ])('$name: $can', ({ options, can }) => {
    expect(canRetry(attempt(options))).toBe(can);
  });

  it('not without a policy', () => {
    expect(canRetry({ ...attempt(rejected), course: { policy: undefined } })).toBe(false);
  });
});

describe('a request to retry', () => {
  it('gives the revision the next number, under which nothing is recorded yet', () => {
    const { isRetried, course } = retryIfAsked(attempt({ ...rejected, ...asked(2) }));
    expect(isRetried).toBe(true);
    expect(course).toMatchObject({ number: 3, step: undefined, rejected: undefined });
  });

  it.each<{ name: string; options: AttemptOptions }>([
    { name: 'of another attempt', options: { ...rejected, ...asked(1) } },
    { name: 'of an attempt that goes well', options: asked(2) },
  ])('$name changes nothing', ({ options }) => {
    const rollout = attempt(options);
    expect(retryIfAsked(rollout)).toBe(rollout);
  });
});
