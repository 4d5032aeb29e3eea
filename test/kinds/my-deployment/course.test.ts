import { describe, expect, it } from '@jest/globals';
import {
  courseOf,
  type GovernedCourse,
  isAbandoned,
  isRejected,
  leavingOrder,
  NATIVE,
  policyOf,
  withoutLost,
} from '../../../src/kinds/my-deployment/plan/course.ts';
import { isStepReached, situationOf } from '../../../src/kinds/my-deployment/plan/situation.ts';
import type { Revision } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { type AttemptRecords, type Rejection, readAttempt, type StepRecord } from '../../../src/policy/attempt.ts';
import { stepsDigest } from '../../../src/policy/steps.ts';
import type { RolloutPolicy } from '../../../src/policy/types.gen.ts';
import { attempt, STEPS, situation } from './attempt-fixture.ts';
import { myDeployment, NOW, secondsAgo } from './fixture.ts';

const policy = {
  metadata: { name: 'web', namespace: 'default', uid: 'policy-uid', resourceVersion: '1' },
  spec: STEPS,
} as RolloutPolicy;

/** `web-1` is of number 1. */
function rev(number: number, records: Partial<AttemptRecords> = {}, change: Partial<Revision> = {}): Revision {
  const base = { name: `web-${number}`, number, desired: 1, active: [], available: 1, ready: 1, living: [] };
  return { ...base, attempt: { ...readAttempt(), ...records }, ...change } as unknown as Revision;
}

const step = (change: Partial<StepRecord> = {}): StepRecord => {
  return { number: 3, policy: 'policy-uid', steps: 'x', step: 1, beganAt: NOW, ...change };
};
const rejection = (change: Partial<Rejection> = {}): Rejection => {
  const { number, policy: of } = step();
  return { number, policy: of, stable: 'web-1', reason: 'Aborted', message: '', at: NOW, ...change };
};

describe('the course of a rollout', () => {
  const courses = (revisions: readonly Revision[], status: object = {}, number = 3) => {
    const object = myDeployment({ status: { replicas: 1, ...status } });
    return courseOf(object, policy, { revisions, update: revisions.at(-1), number }) as GovernedCourse;
  };
  const completed = (number: number) => ({ completed: number });
  const old = [rev(1, completed(1)), rev(2, completed(2))];

  it('is none without a policy', () => {
    expect(courseOf(myDeployment(), undefined, { revisions: [], update: undefined, number: 1 })).toBe(NATIVE);
  });

  it.each<{ name: string; revisions: readonly Revision[]; status?: object; stable: string | undefined }>([
    { name: 'the one that was completed last', revisions: [...old, rev(3)], stable: 'web-2' },
    {
      name: 'by its number, not by its place',
      revisions: [rev(2, completed(2)), rev(1, completed(1)), rev(3)],
      stable: 'web-2',
    },
    { name: 'the update itself when it is complete', revisions: [...old, rev(3, completed(3))], stable: 'web-3' },
    {
      name: 'not the update when it was complete under another number',
      revisions: [...old, rev(3, completed(1))],
      stable: 'web-2',
    },
    {
      name: 'the one on the record of the step',
      revisions: [...old, rev(3, { step: step({ stable: 'web-1' }) })],
      stable: 'web-1',
    },
    {
      name: 'the one on the record of the rejection',
      revisions: [...old, rev(3, { step: step({ stable: 'web-2' }), rejected: rejection() })],
      stable: 'web-1',
    },
    {
      name: 'not that of another attempt',
      revisions: [...old, rev(3, { step: step({ number: 2, stable: 'web-1' }) })],
      stable: 'web-2',
    },
    {
      name: 'not that of another policy',
      revisions: [...old, rev(3, { step: step({ policy: 'x', stable: 'web-1' }) })],
      stable: 'web-2',
    },
    {
      name: 'for a new policy the one that serves',
      revisions: [rev(1), rev(2), rev(3)],
      status: { currentRevision: 'web-1' },
      stable: 'web-1',
    },
    {
      name: 'not one that does not serve',
      revisions: [rev(1, {}, { available: 0 }), rev(3)],
      status: { currentRevision: 'web-1' },
      stable: undefined,
    },
    { name: 'not the update', revisions: [rev(1), rev(3)], status: { currentRevision: 'web-3' }, stable: undefined },
    {
      name: 'one that another attempt of the policy named',
      revisions: [rev(1, {}, { available: 0 }), rev(2, { step: step({ number: 2, stable: 'web-1' }) }), rev(3)],
      stable: 'web-1',
    },
    {
      name: 'one that an attempt named which was rejected',
      revisions: [
        rev(1, {}, { available: 0 }),
        rev(2, { step: step({ number: 2, stable: 'web-1' }), rejected: rejection({ number: 2 }) }),
        rev(3),
      ],
      stable: 'web-1',
    },
    {
      name: 'not one that an attempt named and that was rejected when it came back',
      revisions: [
        rev(2, { step: step({ number: 2, stable: 'web-3' }) }),
        rev(3, { rejected: rejection({ number: 3 }) }),
        rev(4),
      ],
      stable: undefined,
    },
    {
      name: 'the one that the last of these attempts named',
      revisions: [
        rev(1, {}, { available: 0 }),
        rev(2, { step: step({ number: 2, stable: 'web-1' }) }),
        rev(3, { step: step({ number: 3, stable: 'web-2' }) }),
        rev(4),
      ],
      stable: 'web-2',
    },
    {
      name: 'not one that an attempt of another policy named',
      revisions: [
        rev(1, {}, { available: 0 }),
        rev(2, { step: step({ number: 2, stable: 'web-1', policy: 'x' }) }),
        rev(3),
      ],
      stable: undefined,
    },
    {
      name: 'not one that an earlier attempt of its revision named',
      revisions: [rev(1, {}, { available: 0 }), rev(2, { step: step({ number: 1, stable: 'web-1' }) }), rev(3)],
      stable: undefined,
    },
    {
      name: 'not one that is gone',
      revisions: [rev(2, { step: step({ number: 2, stable: 'web-1' }) }), rev(3)],
      stable: undefined,
    },
    {
      name: 'not one that was rejected, although it is all that is left',
      revisions: [rev(2, { rejected: rejection({ number: 2 }) }), rev(3)],
      status: { currentRevision: 'web-2' },
      stable: undefined,
    },
    {
      name: 'not one that was completed before, and rejected when it came back',
      revisions: [rev(2, { ...completed(1), rejected: rejection({ number: 2 }) }), rev(3)],
      stable: undefined,
    },
    {
      name: 'one that another policy rejected, or of which an earlier attempt was',
      revisions: [
        rev(1, { rejected: rejection({ number: 1, policy: 'x' }) }),
        rev(2, { ...completed(2), rejected: rejection({ number: 1 }) }),
        rev(3),
      ],
      status: { currentRevision: 'web-1' },
      stable: 'web-2',
    },
    {
      name: 'the update, which was completed before it was rejected',
      revisions: [rev(3, { ...completed(1), rejected: rejection({ number: 2 }) })],
      stable: 'web-3',
    },
    {
      name: 'one that was completed while there was no policy',
      revisions: [rev(1, completed(1)), rev(2), rev(3)],
      status: { currentRevision: 'web-2' },
      stable: 'web-2',
    },
    {
      name: 'not one whose attempt under this policy was left, although the status names it',
      revisions: [rev(1, completed(1)), rev(2, { step: step({ number: 2, stable: 'web-1' }) }), rev(3)],
      status: { currentRevision: 'web-2' },
      stable: 'web-1',
    },
    {
      name: 'one that was completed after its attempt under another policy was let go',
      revisions: [rev(1, completed(1)), rev(2, { step: step({ number: 2, stable: 'web-1', policy: 'x' }) }), rev(3)],
      status: { currentRevision: 'web-2' },
      stable: 'web-2',
    },
    {
      name: 'not one of which the status told before',
      revisions: [rev(1), rev(2, completed(2)), rev(3)],
      status: { currentRevision: 'web-1' },
      stable: 'web-2',
    },
    {
      name: 'the update, if the status tells that it is complete',
      revisions: [rev(1, completed(1)), rev(3)],
      status: { currentRevision: 'web-3', updateRevision: 'web-3' },
      stable: 'web-3',
    },
    {
      name: 'not the update of a status that is about another revision',
      revisions: [rev(1, completed(1)), rev(3)],
      status: { currentRevision: 'web-3', updateRevision: 'web-1' },
      stable: 'web-1',
    },
  ])('knows the stable revision: $name', ({ revisions, status, stable }) => {
    expect(courses(revisions, status).stable).toBe(stable);
  });

  it('reads the records of the present attempt under this policy only', () => {
    const present = { step: step(), rejected: rejection() };
    expect(courses([rev(3, present)])).toMatchObject({ number: 3, ...present });
    for (const other of [{ number: 2 }, { policy: 'other' }]) {
      const { step: read, rejected } = courses([rev(3, { step: step(other), rejected: rejection(other) })]);
      expect([read, rejected]).toEqual([undefined, undefined]);
    }
  });
});

it('the oldest policy about the object governs it', () => {
  const named = (name: string, target: string, age: number) => ({
    metadata: { ...policy.metadata, name, creationTimestamp: secondsAgo(age) },
    spec: { ...STEPS, targetRef: { name: target } },
  });
  const all = [named('young', 'web', 10), named('other', 'api', 99), named('old', 'web', 20)];
  expect(policyOf(myDeployment(), all)?.metadata.name).toBe('old');
  expect(policyOf(myDeployment(), [])).toBeUndefined();
});

describe('a rejected revision', () => {
  const course = (rejected?: Rejection) => ({ policy, rejected, stable: 'web-1' }) as unknown as GovernedCourse;
  const third = rev(3, {}, { desired: 3, active: [{}] as never });
  const before = rev(2, { rejected: rejection({ number: 2 }) }, { desired: 2, active: [{}] as never });
  const stable = rev(1, {}, { desired: 2, active: [{}] as never });

  it.each<{ name: string; of: Revision; rejected?: Rejection; is: boolean }>([
    { name: 'the update when its attempt is', of: third, rejected: rejection(), is: true },
    { name: 'not the update otherwise', of: third, is: false },
    { name: 'one that another has taken the place of', of: before, is: true },
    { name: 'not when it was tried again', of: rev(4, { rejected: rejection({ number: 2 }) }), is: false },
    { name: 'not by another policy', of: rev(2, { rejected: rejection({ number: 2, policy: 'x' }) }), is: false },
    { name: 'not without a record', of: stable, is: false },
  ])('is $name', ({ of, rejected, is }) => {
    expect(isRejected({ update: third, course: course(rejected) }, of)).toBe(is);
    expect(isRejected({ update: third, course: NATIVE }, of)).toBe(false);
  });

  it('gets no lost pod replaced, unlike others', () => {
    const revisions = [stable, before, third];
    const counted = withoutLost({ revisions, update: third, course: course(rejection()) });
    expect(counted.revisions.map(({ desired }) => desired)).toEqual([2, 1, 1]);
    expect(counted.update).toBe(counted.revisions[2]);
    const full = rev(2, { rejected: rejection({ number: 2 }) }, { desired: 1, active: [{}] as never });
    expect(withoutLost({ revisions: [full], update: undefined, course: course() }).revisions[0]).toBe(full);
  });

  it('keeps a count below the pods that it still has', () => {
    const leaving = rev(2, { rejected: rejection({ number: 2 }) }, { desired: 0, active: [{}] as never });
    const { revisions: counted } = withoutLost({ revisions: [leaving], update: undefined, course: course() });
    expect(counted.map(({ desired }) => desired)).toEqual([0]);
  });

  it('leaves before all others, and the update last', () => {
    const between = rev(4);
    const revisions = [third, stable, between, before];
    const names = (of: GovernedCourse | typeof NATIVE) =>
      leavingOrder({ revisions, update: third, course: of }).map(({ name }) => name);
    expect(names(course())).toEqual(['web-2', 'web-4', 'web-1', 'web-3']);
    expect(names(course(rejection()))).toEqual(['web-3', 'web-2', 'web-4', 'web-1']);
    expect(names(NATIVE)).toEqual(['web-3', 'web-1', 'web-4', 'web-2']);
  });
});

describe('an abandoned revision', () => {
  const course = { policy, rejected: undefined, stable: 'web-1' } as unknown as GovernedCourse;
  const update = rev(3, { step: step() });

  it.each<{ name: string; of: Revision; is: boolean }>([
    { name: 'one whose attempt was left', of: rev(2, { step: step({ number: 2 }) }), is: true },
    { name: 'not the update', of: update, is: false },
    { name: 'not one that was complete', of: rev(2, { step: step({ number: 2 }), completed: 2 }), is: false },
    {
      name: 'one that was complete under a former number',
      of: rev(2, { step: step({ number: 2 }), completed: 1 }),
      is: true,
    },
    { name: 'not one whose attempt was of a former number', of: rev(2, { step: step({ number: 1 }) }), is: false },
    { name: 'not one of another policy', of: rev(2, { step: step({ number: 2, policy: 'x' }) }), is: false },
    { name: 'not one without a record', of: rev(2), is: false },
  ])('is $name', ({ of, is }) => {
    expect(isAbandoned({ update, course }, of)).toBe(is);
    expect(isAbandoned({ update, course: NATIVE }, of)).toBe(false);
  });
});

describe('the place of an attempt', () => {
  const former = { steps: 'former', step: 2 };

  it('is the recorded one, while the steps are the same', () => {
    const { record, step: present, count } = situation({ record: { step: 2 } });
    expect([record.step, record.since, present, count]).toEqual([2, NOW - 30_000, STEPS.steps?.[1], 5]);
  });

  it('is the first step with as many pods, when the steps have changed', () => {
    const { record, count } = situation({ record: former, stable: [6, 6], update: [4, 4] });
    expect(record).toMatchObject({ step: 2, steps: stepsDigest(STEPS), beganAt: NOW - 60_000 });
    expect(record).not.toHaveProperty('since');
    expect(count).toBe(5);
  });

  it('is counted by the replicas that there were', () => {
    const { record } = situation({ record: former, object: { replicas: 10 }, stable: [6, 6], update: [6, 6] });
    expect(record.step).toBe(3);
  });

  it('is the first step for a new attempt, which begins now', () => {
    const { record } = situation({ record: { number: 1 }, update: [5, 5] });
    expect(record).toMatchObject({ number: 2, step: 1, beganAt: NOW, policy: 'policy-uid' });
    expect(record.stable).toBe(attempt().revisions[0]?.name);
  });

  it('is where the pods are for a new policy', () => {
    expect(situation({ record: { policy: 'former' }, update: [5, 5] }).record.step).toBe(2);
  });

  it('begins after the pods that have ended already', () => {
    const { record } = situation({
      record: { number: 1 },
      pods: (update, stable) => [
        ...update,
        ...stable.map((pod) => ({
          metadata: { ...pod.metadata, creationTimestamp: secondsAgo(-5) },
          status: { phase: 'Failed' },
        })),
      ],
    });
    expect(record.beganAt).toBe(NOW + 6000);
  });

  it('stays as it is recorded while the policy is not accepted, with the share that the update has', () => {
    const spec = { steps: [{ replicas: 1, gates: ['none'] }] };
    const { record, step: present, count } = situation({ record: former, spec, stable: [5, 5], update: [5, 5] });
    expect([record.step, record.steps, present, count]).toEqual([2, 'former', undefined, 5]);
    const scaled = attempt({ record: former, spec, stable: [5, 5], update: [5, 5] });
    const at = (replicas: number, recorded: object) => {
      const limits = { ...scaled.limits, replicas };
      return situationOf({ ...scaled, limits, update: { ...scaled.update, ...recorded } }, scaled.course).count;
    };
    expect(at(4, {})).toBe(2);
    expect(at(5, {})).toBe(3); // half a pod is a pod
    expect(at(0, {})).toBe(0);
    expect(at(7, { recorded: {} })).toBe(5); // without a record of the replicas it keeps its count
    expect(at(0, { recorded: {} })).toBe(0);
  });

  it('has no step while the policy is not accepted, even where it names one', () => {
    const spec = { steps: [{ replicas: 1, gates: ['none'] }] };
    expect(situation({ record: { ...former, step: 1 }, spec }).step).toBeUndefined();
  });

  it('is the first step for a new attempt, even where that has no pod', () => {
    const object = { replicas: 1, maxSurge: 0, maxUnavailable: 1 };
    expect(situation({ record: { number: 1 }, object, stable: [1, 1], update: [0, 0] }).record.step).toBe(1);
  });

  it('has no way back to a stable revision that cannot be read', () => {
    const { revisions, ...rollout } = attempt();
    const [first, second] = revisions as [Revision, Revision];
    expect(situationOf({ ...rollout, revisions: [first, second] }, rollout.course).stable).toBe(first);
    const unread = [{ ...first, template: undefined }, second];
    expect(situationOf({ ...rollout, revisions: unread }, rollout.course).stable).toBeUndefined();
  });

  it('is reached with as many pods as the step has, counted and available', () => {
    const replicas = 'mydeployment.kubebuilder.zq.com/replicas';
    expect(isStepReached(situation())).toBe(true);
    expect(isStepReached(situation({ update: [1, 0] }))).toBe(false);
    expect(isStepReached(situation({ annotations: { [replicas]: '0' } }))).toBe(false);
  });
});
