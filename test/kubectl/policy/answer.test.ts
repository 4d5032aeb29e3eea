import { describe, expect, it } from '@jest/globals';
import { answerTo } from '../../../src/kubectl/policy/answer.ts';
import type { Asked, Verb } from '../../../src/kubectl/policy/asked.ts';
import { decide } from '../../../src/kubectl/policy/decide.ts';
import { standingOf } from '../../../src/kubectl/policy/standing.ts';
import { requestLine } from '../../../src/kubectl/policy/verbs.ts';
import { formatRequest } from '../../../src/policy/requests.ts';
import { NOW } from '../../kinds/my-deployment/fixture.ts';
import { factsOf, type SceneOptions, standing } from './scene.ts';

const ask = (verb: Verb, scene: SceneOptions = {}): Asked => {
  const decision = decide(verb, standing(scene), NOW);
  if (decision.is === 'refused') throw new Error(decision.because);
  return decision;
};

describe('what became of a request', () => {
  it('nothing yet while the annotation is there, with the name of who asked', () => {
    const asked = ask('promote');
    const annotations = { [asked.key]: formatRequest({ ...asked.request, by: 'alice' }) };
    expect(answerTo(asked, standing({ policy: { annotations } }), NOW)).toEqual({ is: 'pending' });
  });

  it.each<{ name: string; verb: Verb; asked?: SceneOptions; after: SceneOptions; answer: object }>([
    {
      name: 'the next step',
      verb: 'promote',
      after: { step: { step: 2 }, promotions: [{ number: 3, step: 1 }] },
      answer: { is: 'served', words: 'step 2 of 3, 25% = 3 pods' },
    },
    {
      name: 'the same step, which a gate holds',
      verb: 'promote',
      after: { step: { promoted: true }, gates: [{ state: 'Pending', message: '2 of 5 good' }] },
      answer: { is: 'served', words: 'step 1 of 3, 1 pod, still waits for gate "smoke": 2 of 5 good' },
    },
    {
      name: 'the same step, which is about to be left',
      verb: 'promote',
      after: { step: { promoted: true }, gates: [{ state: 'Passed' }] },
      answer: { is: 'pending' },
    },
    {
      name: 'all pods',
      verb: 'promoteFull',
      after: { step: { step: 4 }, promotions: [{ number: 3, step: 1 }] },
      answer: { is: 'served', words: 'all 10 pods' },
    },
    {
      name: 'a complete rollout',
      verb: 'promoteFull',
      after: { completed: 3 },
      answer: { is: 'served', words: 'revision 3 is rolled out' },
    },
    {
      name: 'nothing, because it was rejected meanwhile',
      verb: 'promote',
      after: { rejected: { message: 'boom' } },
      answer: { is: 'dropped', because: `revision 3 was rejected (PodFailures): boom` },
    },
    {
      name: 'nothing, although the step is the same',
      verb: 'promote',
      after: {},
      answer: { is: 'dropped', because: `revision 3 is at step 1 of 3, 1 pod` },
    },
    {
      name: 'a rejection',
      verb: 'abort',
      after: { rejected: { reason: 'Aborted' } },
      answer: { is: 'served', words: 'revision 3 is rejected, going back to revision 2' },
    },
    {
      name: 'no rejection, because it was complete',
      verb: 'abort',
      after: { completed: 3 },
      answer: { is: 'dropped', because: `no rollout is under way` },
    },
    {
      name: 'no retry',
      verb: 'retry',
      asked: { rejected: {} },
      after: { rejected: { message: 'boom' } },
      answer: { is: 'dropped', because: `revision 3 was rejected (PodFailures): boom` },
    },
    {
      name: 'another policy',
      verb: 'promote',
      after: { policy: { uid: 'other' } },
      answer: { is: 'dropped', because: 'rolloutpolicy "web" does not govern it any more' },
    },
  ])('$verb: $name', ({ verb, asked, after, answer }) => {
    expect(answerTo(ask(verb, asked), standing(after), NOW)).toEqual(answer);
  });

  it('a retry has the next number', () => {
    const { object, revisions, policies } = factsOf({ step: { number: 4 } });
    const retried = revisions.map((each) => (each.number === 3 ? { ...each, number: 4 } : each));
    const after = standingOf({ object, revisions: retried, policies });
    expect(answerTo(ask('retry', { rejected: {} }), after, NOW)).toEqual({
      is: 'served',
      words: 'as revision 4, step 1 of 3, 1 pod',
    });
  });

  it('none when the policy is gone', () => {
    expect(answerTo(ask('abort'), undefined, NOW)).toMatchObject({ is: 'dropped' });
  });
});

describe('what is printed', () => {
  const promotion = ask('promote', { gates: [{ state: 'Passed' }] });

  it.each([
    { answer: { is: 'served', words: 'step 2' }, dryRun: 'none', line: 'promoted: step 2' },
    {
      answer: { is: 'pending' },
      dryRun: 'server',
      line: 'promoted: on to step 2 of 3, 25% = 3 pods (server dry run)',
    },
    { answer: { is: 'pending' }, dryRun: 'client', line: 'promoted: on to step 2 of 3, 25% = 3 pods (dry run)' },
  ] as const)('$line', ({ answer, dryRun, line }) => {
    expect(requestLine(promotion, answer, dryRun)).toBe(line);
  });

  it('that a request waits while the rollout is paused', () => {
    expect(requestLine({ ...promotion, waitsUntil: 'it is resumed' }, { is: 'pending' }, 'none')).toBe(
      'waits: the promotion is requested, and is served when it is resumed',
    );
  });

  it('fails when nobody answers, or with another answer', () => {
    expect(() => requestLine(promotion, { is: 'pending' }, 'none')).toThrow(
      'timed out waiting for the operator: the promotion is requested and stays so',
    );
    expect(() => requestLine(promotion, { is: 'dropped', because: 'late' }, 'none')).toThrow(
      'the operator dropped the request to promote it: late',
    );
  });
});
