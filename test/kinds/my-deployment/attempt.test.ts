import { describe, expect, it } from '@jest/globals';
import { attemptOf } from '../../../src/kinds/my-deployment/plan/attempt.ts';
import { GIVES_PODS_TO, TAKES_PODS_FROM } from '../../../src/kinds/my-deployment/plan/hand-over.ts';
import type { Revision } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { COMPLETED, readAttempt } from '../../../src/policy/attempt.ts';
import { ABORT, PROMOTE } from '../../../src/policy/requests.ts';
import type { RolloutPolicySpec } from '../../../src/policy/types.gen.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { type AttemptOptions, attempt } from './attempt-fixture.ts';
import { myDeployment, NOW, type ObjectOptions, revision, secondsAgo } from './fixture.ts';

/** What is decided, with the counts of both revisions where it asks for some. */
function decided(options: AttemptOptions = {}, deadline: 'met' | 'exceeded' = 'met') {
  const rollout = attempt(options);
  const { targets, ...decision } = attemptOf(rollout, deadline);
  const named = (name: string | undefined) => rollout.revisions.find((each) => each.name === name) as Revision;
  const [first, second] = ['v1', 'v2'].map((version) => named(nameOf(version)));
  const counts = targets && [first && targets.get(first), second && targets.get(second)];
  return { ...decision, counts, recorded: readAttempt(decision.annotations) };
}

const nameOf = (version: string) => revision(myDeployment(), version, { number: 1 }).metadata.name;
const asked = (key: string, request: object): AttemptOptions => ({
  policy: { metadata: { annotations: { [key]: JSON.stringify(request) } } },
});
const steps = (...all: NonNullable<RolloutPolicySpec['steps']>): AttemptOptions => ({ spec: { steps: all } });
const measured = (state: 'Passed' | 'Failed') => ({
  status: { gates: [{ name: 'errors', number: 2, step: 1, state, message: 'said so', measuredAt: secondsAgo(5) }] },
});
const unstarted = { record: { since: undefined as never } };
const CRASHED = [{ name: 'web', restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } }];
const crashing = (update: readonly Pod[], stable: readonly Pod[]): readonly Pod[] => [
  ...stable,
  ...update.map((pod) => ({ ...pod, status: { phase: 'Running', containerStatuses: CRASHED } })),
];

describe('a step', () => {
  it('is moved to until its pods are available', () => {
    const { counts, condition, recorded, events } = decided({ ...unstarted, update: [1, 0] });
    expect({ counts, condition, events }).toEqual({ counts: [9, 1], condition: undefined, events: [] });
    expect(recorded.step).toMatchObject({ step: 1 });
    expect(recorded.step).not.toHaveProperty('since');
  });

  it('starts its clock when they are, and then waits for its gates', () => {
    const { counts, condition, recorded } = decided(unstarted);
    expect(counts).toEqual([9, 1]);
    expect(recorded.step?.since).toBe(NOW);
    expect(condition).toMatchObject({
      type: 'Reconciling',
      reason: 'GatePending',
      message: 'Step 1 of 2 waits for its gates: errors.',
    });
  });

  it.each<{ name: string; options: AttemptOptions; condition: object | undefined; checkAgainAfter?: number }>([
    {
      name: 'a promotion',
      options: steps({ replicas: 1, pause: { until: 'Promoted' } }),
      condition: { reason: 'AwaitingPromotion' },
    },
    {
      name: 'the end of its pause',
      options: steps({ replicas: 1, pause: { duration: '1m' } }),
      condition: { type: 'Reconciling', reason: 'StepPaused', message: 'Step 1 of 1 is paused for 1m.' },
      checkAgainAfter: 30_000,
    },
    {
      name: 'its gates, when its pause is over',
      options: steps({ replicas: 1, gates: ['errors'], pause: { duration: '10s' } }),
      condition: { reason: 'GatePending' },
    },
    {
      name: 'its gates, when its pause has just ended',
      options: steps({ replicas: 1, gates: ['errors'], pause: { duration: '30s' } }),
      condition: { reason: 'GatePending' },
    },
    {
      name: 'a person, when a gate has failed and nothing goes back by itself',
      options: {
        spec: { rollback: { when: ['PodFailures'] } },
        policy: measured('Failed'),
      },
      condition: {
        type: 'Stalled',
        reason: 'GateFailed',
        message: 'Step 1 of 2 cannot be left: gate "errors": said so.',
      },
    },
    { name: 'nothing while the object is paused', options: { object: { paused: true } }, condition: undefined },
    { name: 'nothing without replicas', options: { object: { replicas: 0 }, ...unstarted }, condition: undefined },
    {
      name: 'no second promotion without replicas',
      options: {
        ...steps({ replicas: 1, pause: { until: 'Promoted' } }),
        object: { replicas: 0 },
        record: { promoted: true },
      },
      condition: undefined,
    },
  ])('waits for $name', ({ options, condition, checkAgainAfter }) => {
    const is = decided(options);
    if (condition === undefined) expect(is.condition).toBeUndefined();
    else expect(is.condition).toMatchObject(condition);
    expect(is.checkAgainAt).toBe(checkAgainAfter && NOW + checkAgainAfter);
    expect(is.recorded.step?.step).toBe(1);
  });

  const half = steps({ replicas: 5 }, { replicas: 8 });

  it('is left for the next one, whose clock does not run yet', () => {
    const { events, counts, recorded } = decided({ ...half, stable: [5, 5], update: [5, 5] });
    expect(events).toEqual([
      { type: 'Normal', reason: 'StepCompleted', message: 'Step 1 of 2 is done: its 5 pods are available' },
    ]);
    expect(counts).toEqual([2, 8]);
    expect(recorded.step).toMatchObject({ step: 2, beganAt: NOW - 60_000 });
    expect(recorded.step).not.toHaveProperty('since');
  });

  it('is left for the rest of the rollout, which has the native pace', () => {
    const { counts, recorded } = decided({ ...steps({ replicas: 5 }), stable: [5, 5], update: [5, 5] });
    expect(counts).toBeUndefined();
    expect(recorded.step?.step).toBe(2);
  });

  it('is left when its gates have passed', () => {
    expect(decided({ policy: measured('Passed') }).recorded.step?.step).toBe(2);
  });

  it('is skipped by a single replica without a surge', () => {
    const object = { replicas: 1, maxSurge: 0, maxUnavailable: 1 };
    const { events, recorded } = decided({ object, stable: [1, 1], update: [0, 0], ...unstarted });
    expect(events).toEqual([
      {
        type: 'Normal',
        reason: 'StepSkipped',
        message: 'Step 1 of 2 is skipped: it needs a surge of at least one pod',
      },
    ]);
    expect(recorded.step?.step).toBe(2);
  });
});

describe('the rest of a rollout', () => {
  const rest = { step: 3, since: undefined as never };

  it('keeps its record and has no targets', () => {
    const { counts, recorded, condition } = decided({ stable: [3, 3], update: [7, 7], record: rest });
    expect({ counts, condition }).toEqual({ counts: undefined, condition: undefined });
    expect(recorded).toMatchObject({ completed: undefined, step: { step: 3 } });
  });

  it.each([10, 1])('is marked as complete with the last of %i pods', (replicas) => {
    const { recorded } = decided({ object: { replicas }, stable: [0, 0], update: [replicas, replicas], record: rest });
    expect(recorded.completed).toBe(2);
    expect(recorded.step).not.toHaveProperty('since');
  });

  it('is not complete while an old pod is left', () => {
    expect(decided({ stable: [1, 0], update: [10, 10], record: rest }).recorded.completed).toBeUndefined();
  });

  it('is not complete without replicas', () => {
    const none = { object: { replicas: 0 }, stable: [0, 0], update: [0, 0], record: rest } as const;
    expect(decided(none).recorded.completed).toBeUndefined();
  });
});

describe('a promotion', () => {
  const paused = steps({ replicas: 1, gates: ['errors'], pause: { until: 'Promoted' } }, { replicas: 5 });
  const promote = (request: object, more: AttemptOptions = {}) =>
    decided({ ...paused, ...asked(PROMOTE, request), ...more });

  it('is recorded with who asked, and the step waits for its gates all the same', () => {
    const { events, recorded, condition } = promote({ number: 2, step: 1, by: 'ann' });
    expect(events).toEqual([{ type: 'Normal', reason: 'StepPromoted', message: 'Step 1 of 2 was promoted by ann' }]);
    expect(recorded.step).toMatchObject({ step: 1, promoted: true });
    expect(recorded.promotions).toEqual([{ number: 2, step: 1, by: 'ann' }]);
    expect(condition).toMatchObject({ reason: 'GatePending' });
  });

  it('of all steps leaves them behind', () => {
    const { events, recorded, counts } = promote({ number: 2, step: 1, full: true });
    expect(events.map(({ message }) => message)).toEqual(['Step 1 of 2 was promoted, with all steps after it']);
    expect(recorded.step?.step).toBe(3);
    expect(counts).toBeUndefined();
  });

  it('of a rollout that has all of its pods tells that as well', () => {
    const { events, recorded } = promote({ number: 2, step: 1, full: true }, { stable: [0, 0], update: [10, 10] });
    expect(events.map(({ reason }) => reason)).toEqual(['RevisionCompleted', 'StepPromoted']);
    expect(recorded.completed).toBe(2);
  });

  it.each([
    { name: 'another step', request: { number: 2, step: 2 }, record: {} },
    { name: 'another attempt', request: { number: 1, step: 1 }, record: {} },
    { name: 'a step that was promoted before', request: { number: 2, step: 1 }, record: { promoted: true as const } },
  ])('of $name promotes nothing', ({ request, record }) => {
    const { events, recorded } = promote(request, { record });
    expect(events).toEqual([]);
    expect(recorded.promotions).toEqual([]);
  });
});

describe('a rejection', () => {
  it.each([
    { name: 'by a user', request: { number: 2, by: 'ann' }, message: 'aborted by ann', by: 'ann' },
    { name: 'without a name', request: { number: 2 }, message: 'aborted', by: undefined },
  ])('is recorded, told and followed at once: $name', ({ request, message, by }) => {
    const { events, recorded, counts, goesBackTo, condition, rejected } = decided(asked(ABORT, request));
    const stable = nameOf('v1');
    expect(events).toEqual([
      {
        type: 'Warning',
        reason: 'RevisionRejected',
        message: `Revision 2 was rejected (Aborted): ${message}; going back to ${stable}`,
      },
    ]);
    const record = { number: 2, policy: 'policy-uid', stable, reason: 'Aborted', message, at: NOW, ...(by && { by }) };
    expect(recorded.rejected).toEqual(record);
    expect(rejected).toEqual(record);
    expect(recorded.step).toMatchObject({ step: 1 });
    expect(counts).toEqual([10, undefined]);
    expect(goesBackTo?.name).toBe(stable);
    expect(condition).toMatchObject({
      type: 'Stalled',
      reason: 'RevisionRejected',
      message: `Revision 2 was rejected (Aborted): ${message}.`,
    });
  });

  it('of another attempt is not followed', () => {
    expect(decided(asked(ABORT, { number: 1 })).goesBackTo).toBeUndefined();
  });

  it('follows from failing pods', () => {
    expect(decided({ pods: crashing }).rejected).toMatchObject({ reason: 'PodFailures' });
  });

  it('stays', () => {
    const { counts, goesBackTo, events } = decided({ rejected: {} });
    expect([counts, goesBackTo?.name, events]).toEqual([[10, undefined], nameOf('v1'), []]);
  });
});

describe('a rollout stands still', () => {
  const refused = steps({ replicas: 1, gates: ['none'] });
  const notAccepted = 'RolloutPolicy "web" is not accepted: spec.steps: there is no gate "none".';

  it.each<{ name: string; options: AttemptOptions; reason: string; message: string }>([
    { name: 'while its policy is not accepted', options: refused, reason: 'PolicyNotAccepted', message: notAccepted },
    {
      name: 'while half of the stable pods are unavailable, too',
      options: { stable: [9, 4], pods: crashing },
      reason: 'StableUnhealthy',
      message: 'The rollout fails (PodFailures), but half of the stable pods are unavailable, too.',
    },
    {
      name: 'when the stable revision is lost',
      options: { record: { stable: 'web-gone' } },
      reason: 'StableRevisionLost',
      message: 'The stable revision "web-gone" is gone or cannot be read.',
    },
  ])('$name', ({ options, reason, message }) => {
    const { condition, obstacle, counts, recorded } = decided(options);
    expect(condition).toMatchObject({ type: 'Stalled', reason, message });
    expect(obstacle).toBe(message);
    expect(counts).toEqual([9, 1]);
    expect(recorded.step).toBeUndefined();
  });

  it.each<{ name: string; options: AttemptOptions; counts: unknown }>([
    { name: 'in a step', options: { update: [1, 1] }, counts: [9, 1] },
    {
      name: 'with a step of former steps',
      options: { update: [5, 5], record: { steps: 'former' } },
      counts: [5, 5],
    },
    { name: 'after a rejection', options: { update: [10, 10], record: { step: 3 }, rejected: {} }, counts: [0, 10] },
    { name: 'in the step of a single replica', options: { object: { replicas: 1 }, update: [1, 1] }, counts: [0, 1] },
  ])('also where no other revision has pods: $name', ({ options, counts: expected }) => {
    const { counts, condition } = decided({ ...refused, stable: [0, 0], ...options });
    expect(counts).toEqual(expected);
    expect(condition).toMatchObject({ reason: 'PolicyNotAccepted' });
  });

  it('and without the stable revision the largest of the others takes what is missing', () => {
    const rollout = attempt({ object: { replicas: 20 }, record: { stable: 'web-gone' } });
    const [first, update] = rollout.revisions as [Revision, Revision];
    const others = [8, 1, 3].map((desired, index) => ({ ...first, name: `web-${index}`, desired }));
    const { targets } = attemptOf({ ...rollout, revisions: [...others, update] }, 'met');
    expect(others.map((each) => targets?.get(each))).toEqual([15, 1, 3]);
  });

  it('but goes on where there is nothing to hold', () => {
    const { counts, condition, obstacle, recorded } = decided({
      ...refused,
      stable: [0, 0],
      update: [10, 10],
      record: { step: 3 },
    });
    expect({ counts, condition, obstacle }).toEqual({ counts: undefined, condition: undefined, obstacle: notAccepted });
    expect(recorded.completed).toBe(2);
  });
});

describe('nothing is decided', () => {
  const urgent: readonly AttemptOptions[] = [
    { pods: crashing },
    { policy: measured('Failed') },
    { policy: measured('Passed') },
    asked(ABORT, { number: 2 }),
    asked(PROMOTE, { number: 2, step: 1 }),
    asked(PROMOTE, { number: 2, step: 1, full: true }),
  ];

  it.each<{ name: string; object: ObjectOptions }>([
    { name: 'while it is paused', object: { paused: true } },
    {
      name: 'while it takes the pods of a ReplicaSet',
      object: { metadata: { annotations: { [TAKES_PODS_FROM]: 'rs' } } },
    },
    { name: 'while a ReplicaSet takes its pods', object: { metadata: { annotations: { [GIVES_PODS_TO]: 'rs' } } } },
    { name: 'without replicas', object: { replicas: 0 } },
  ])('$name', ({ object }) => {
    for (const options of urgent) {
      expect(decided(options, 'exceeded').events).not.toEqual([]);
      const { rejected, events, recorded } = decided({ object, ...options }, 'exceeded');
      const { step, promoted } = recorded.step ?? {};
      expect({ rejected, events, step, promoted }).toEqual({ events: [], step: 1 });
    }
  });
});

describe('the first rollout', () => {
  const first = { alone: true, update: [10, 10] } as const;
  const fails = expect.stringMatching(/^There is no revision to go back to: 10 of 10 pods fail .*\.$/);
  const complete = (change: object = {}, conditions = [{ type: 'Progressing', reason: 'NewReplicaSetAvailable' }]) => ({
    object: {
      status: {
        replicas: 10,
        currentRevision: nameOf('v2') as string,
        updateRevision: nameOf('v2') as string,
        conditions: conditions.map((each) => ({ ...each, status: 'True' as const, message: '' })),
        ...change,
      },
    },
  });

  it('is marked as complete, and has no steps', () => {
    const { counts, condition, recorded } = decided(first);
    expect({ counts, condition }).toEqual({ counts: undefined, condition: undefined });
    expect(recorded).toMatchObject({ completed: 2, step: undefined });
  });

  it.each<{ name: string; options: AttemptOptions }>([
    { name: 'while it is under way', options: {} },
    {
      name: 'while the status tells of another revision as the current one',
      options: complete({ currentRevision: 'web-x' }),
    },
    {
      name: 'while the status tells of another revision as the newest',
      options: complete({ updateRevision: 'web-x' }),
    },
    { name: 'while it makes progress', options: complete({}, [{ type: 'Progressing', reason: 'ReplicaSetUpdated' }]) },
  ])('has nothing to go back to: $name', ({ options }) => {
    const { condition } = decided({ ...first, ...options, pods: crashing });
    expect(condition).toMatchObject({ type: 'Stalled', reason: 'PodFailures', message: fails });
  });

  it.each<{ name: string; options: AttemptOptions }>([
    { name: 'when it was complete before', options: complete() },
    { name: 'while it is paused', options: { object: { paused: true } } },
  ])('is not judged $name', ({ options }) => {
    expect(decided({ ...first, ...options, pods: crashing }).condition).toBeUndefined();
  });
});

describe('a rollout to the stable revision', () => {
  const back = (stable: readonly [number, number], update: readonly [number, number]) =>
    decided({ object: { version: 'v1' }, stable, update, annotations: {} });

  it('is on its way while another revision has a pod', () => {
    const { counts, goesBackTo, recorded } = back([9, 9], [1, 1]);
    expect([counts, goesBackTo?.name]).toEqual([[10, undefined], nameOf('v1')]);
    expect(recorded.completed).toBeUndefined();
  });

  it('is complete under its new number', () => {
    const { counts, goesBackTo, recorded } = back([10, 10], [0, 0]);
    expect([counts, goesBackTo, recorded.completed]).toEqual([undefined, undefined, 3]);
  });

  it('is marked once', () => {
    const marked = { stable: [0, 0], update: [10, 10], annotations: { [COMPLETED]: '2' } } as const;
    expect(decided(marked).annotations).toEqual({});
  });
});
