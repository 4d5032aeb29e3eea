import { describe, expect, it } from '@jest/globals';
import { answerRequests } from '../../../src/kinds/my-deployment/plan/requests.ts';
import { ABORT, PROMOTE, RETRY, type RequestKey } from '../../../src/policy/requests.ts';
import { rolloutPolicies } from '../../../src/policy/resource.ts';
import { type AttemptOptions, attempt } from './attempt-fixture.ts';

type Asked = Partial<Record<RequestKey, object | string>>;

const textOf = (request: object | string) => (typeof request === 'string' ? request : JSON.stringify(request));

function answer(asked: Asked, options: AttemptOptions = {}, obstacle?: string) {
  const annotations = Object.fromEntries(Object.entries(asked).map(([key, request]) => [key, textOf(request)]));
  return answerRequests(attempt({ ...options, policy: { metadata: { annotations } } }), { obstacle });
}

/** Why the requests are refused, in the order in which they are answered. */
const refusals = (...args: Parameters<typeof answer>) => answer(...args).events.map(({ message }) => message);

const rejected: AttemptOptions = { rejected: {} };
const served = { annotations: { 'mydeployment.kubebuilder.zq.com/promotions': '[{"number":2,"step":1}]' } };
const complete = { annotations: { 'mydeployment.kubebuilder.zq.com/completed': '2' } };
const retried = { annotations: { 'mydeployment.kubebuilder.zq.com/revision-history': '1' } };
const alone = { alone: true, update: [10, 10] } as const;

describe('a request', () => {
  it('is removed as it was read, once it is served', () => {
    const { actions, events } = answer({ [PROMOTE]: { number: 2, step: 1 }, [ABORT]: { number: 2 } });
    expect(actions).toEqual([
      {
        do: 'removeAnnotations',
        resource: rolloutPolicies,
        name: 'web',
        uid: 'policy-uid',
        values: { [PROMOTE]: '{"number":2,"step":1}', [ABORT]: '{"number":2}' },
      },
    ]);
    expect(events).toEqual([]);
  });

  it('that is refused is removed with a warning', () => {
    const { actions, events } = answer({ [ABORT]: { number: 1 } });
    expect(actions).toMatchObject([{ values: { [ABORT]: '{"number":1}' } }]);
    expect(events).toEqual([
      {
        type: 'Warning',
        reason: 'RequestRefused',
        message: 'Did not abort revision 1: the present one is 2',
      },
    ]);
  });

  it.each<{ name: string; options: AttemptOptions }>([
    { name: 'while the object is paused', options: { object: { paused: true } } },
    { name: 'without replicas', options: { object: { replicas: 0 } } },
  ])('waits $name', ({ options }) => {
    expect(answer({ [ABORT]: { number: 2 }, [PROMOTE]: 'x' }, options)).toEqual({ actions: [], events: [] });
  });

  it('is not looked for where there is none', () => {
    expect(answer({})).toEqual({ actions: [], events: [] });
  });

  it.each([PROMOTE, ABORT, RETRY])('%s has to be readable', (key) => {
    const verb = key.split('/')[1];
    expect(refusals({ [key]: 'yes' })).toEqual([`The request to ${verb} is not JSON with the number of an attempt`]);
  });
});

describe('is served or refused', () => {
  it.each<{ name: string; asked: Asked; options?: AttemptOptions; obstacle?: string; why?: string }>([
    { name: 'a promotion of the present step', asked: { [PROMOTE]: { number: 2, step: 1 } } },
    {
      name: 'a promotion of another step',
      asked: { [PROMOTE]: { number: 2, step: 2 } },
      why: 'Did not promote revision 2: it is in step 1, not in step 2',
    },
    {
      name: 'a promotion of no step',
      asked: { [PROMOTE]: { number: 2 } },
      why: 'Did not promote revision 2: it is in step 1, not in step (none)',
    },
    {
      name: 'a promotion of another attempt',
      asked: { [PROMOTE]: { number: 3, step: 1 } },
      why: 'Did not promote revision 3: the present one is 2',
    },
    {
      name: 'a promotion that was served',
      asked: { [PROMOTE]: { number: 2, step: 1 } },
      options: { ...served, record: { step: 2 } },
    },
    {
      name: 'a promotion beside one that was served',
      asked: { [PROMOTE]: { number: 2, step: 3 } },
      options: { ...served, record: { step: 2 } },
      why: 'Did not promote revision 2: it is in step 2, not in step 3',
    },
    {
      name: 'a promotion of the attempt before one that was served',
      asked: { [PROMOTE]: { number: 1, step: 1 } },
      options: { ...served, record: { step: 2 } },
      why: 'Did not promote revision 1: the present one is 2',
    },
    {
      name: 'a promotion of what is rejected',
      asked: { [PROMOTE]: { number: 2, step: 1 } },
      options: rejected,
      why: 'Did not promote revision 2: it is rejected',
    },
    {
      name: 'a promotion of what stands still',
      asked: { [PROMOTE]: { number: 2, step: 1 } },
      obstacle: 'The policy is not accepted.',
      why: 'Did not promote revision 2: The policy is not accepted.',
    },
    {
      name: 'a promotion in the rest of the rollout',
      asked: { [PROMOTE]: { number: 2, step: 3 } },
      options: { record: { step: 3 } },
      why: 'Did not promote revision 2: it is not in a step',
    },
    {
      name: 'a promotion of what is complete',
      asked: { [PROMOTE]: { number: 2, step: 1 } },
      options: complete,
      why: 'Did not promote revision 2: it is not in a step',
    },
    { name: 'an abort', asked: { [ABORT]: { number: 2 } } },
    { name: 'an abort of what is rejected', asked: { [ABORT]: { number: 2 } }, options: rejected },
    {
      name: 'an abort of what is rejected and stands still',
      asked: { [ABORT]: { number: 2 } },
      options: rejected,
      obstacle: 'The stable revision is gone.',
    },
    {
      name: 'an abort of what is complete',
      asked: { [ABORT]: { number: 2 } },
      options: complete,
      why: 'Did not abort revision 2: no rollout is under way',
    },
    {
      name: 'an abort of the first rollout',
      asked: { [ABORT]: { number: 2 } },
      options: alone,
      why: 'Did not abort revision 2: there is no revision to go back to',
    },
    {
      name: 'an abort of what stands still',
      asked: { [ABORT]: { number: 2 } },
      obstacle: 'The stable revision is gone.',
      why: 'Did not abort revision 2: The stable revision is gone.',
    },
    {
      name: 'a retry of what goes well',
      asked: { [RETRY]: { number: 2 } },
      why: 'Did not retry revision 2: it was not rejected, and none of its gates has failed',
    },
    {
      name: 'a retry of another attempt',
      asked: { [RETRY]: { number: 5 } },
      why: 'Did not retry revision 5: the present one is 2',
    },
    { name: 'a retry that gave the revision its number', asked: { [RETRY]: { number: 1 } }, options: retried },
    {
      name: 'a retry of a number that the revision never had',
      asked: { [RETRY]: { number: 1 } },
      why: 'Did not retry revision 1: the present one is 2',
    },
  ])('$name', ({ asked, options, obstacle, why }) => {
    expect(refusals(asked, options, obstacle)).toEqual(why === undefined ? [] : [why]);
  });

  it.each<{ name: string; number: number; present: number; history: string; why: readonly string[] }>([
    { name: 'by the last of several numbers', number: 11, present: 12, history: '10,11', why: [] },
    {
      name: 'but not where it got its number by being rolled out again',
      number: 1,
      present: 3,
      history: '1',
      why: ['Did not retry revision 1: the present one is 3'],
    },
  ])('a retry that gave the revision its number is known $name', ({ number, present, history, why }) => {
    const annotations = { 'mydeployment.kubebuilder.zq.com/revision-history': history };
    const policy = { metadata: { annotations: { [RETRY]: JSON.stringify({ number }) } } };
    const { update, course, ...rollout } = attempt({ annotations, policy });
    const numbered = { ...rollout, update: { ...update, number: present }, course: { ...course, number: present } };
    expect(answerRequests(numbered, { obstacle: undefined }).events.map(({ message }) => message)).toEqual(why);
  });

  it('a retry that is about to give the revision the next number', () => {
    const metadata = { annotations: { [RETRY]: '{"number":2}' } };
    const rollout = { ...attempt({ ...rejected, policy: { metadata } }), isRetried: true };
    expect(answerRequests(rollout, { obstacle: undefined }).events).toEqual([]);
  });
});
