import { describe, expect, it } from '@jest/globals';
import { withDefaults } from '../../../src/kinds/my-deployment/defaults.ts';
import { withUpdate } from '../../../src/kinds/my-deployment/plan/history.ts';
import {
  deadlineOf,
  hasProgressed,
  isComplete,
  isUnderway,
  judgeProgress,
  noteFailedUpdate,
  notePause,
  noteUpdate,
  progressCheckAt,
} from '../../../src/kinds/my-deployment/plan/progress.ts';
import { observe, type Rollout } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { type DeploymentCondition, timestamp } from '../../../src/runtime/conditions.ts';
import { myDeployment, NOW, type ObjectOptions, revision, secondsAgo, snapshotOf } from './fixture.ts';

const UNLIMITED = 2 ** 31 - 1;
const JUST_NOW = timestamp(NOW);
const BEFORE = secondsAgo(600);

function progressing(status: DeploymentCondition['status'], reason: string, time = BEFORE): DeploymentCondition {
  return { type: 'Progressing', status, reason, lastUpdateTime: time, lastTransitionTime: time };
}

const updated = progressing('True', 'ReplicaSetUpdated');
const complete = progressing('True', 'NewReplicaSetAvailable');
const timedOut = progressing('False', 'ProgressDeadlineExceeded');

function counts(
  replicas: number,
  updatedReplicas: number,
  availableReplicas: number,
  readyReplicas = availableReplicas,
) {
  return { replicas, updatedReplicas, readyReplicas, availableReplicas };
}

function rolloutOf(options: ObjectOptions, hasUpdate = true): Rollout {
  const object = myDeployment({ progressDeadlineSeconds: 60, ...options });
  return observe(snapshotOf(object, hasUpdate ? [revision(object, 'v2', { number: 1, replicas: 3 })] : []), NOW);
}

describe('progress_test.go TestSyncRolloutStatus', () => {
  it.each([
    {
      name: 'General: remove Progressing condition and do not estimate progress if there is no Progress Deadline',
      deadline: UNLIMITED,
      stored: counts(2, 2, 2),
      now: counts(3, 2, 3),
      condition: updated,
      result: undefined,
    },
    {
      name: 'General: do not estimate progress with only one active ReplicaSet: the rollout is finished',
      stored: counts(3, 3, 1),
      now: counts(3, 3, 2),
      condition: complete,
      result: complete,
    },
    {
      name: 'old pods beside those of a finished rollout: it is a rollout again, and they are timed',
      stored: counts(4, 3, 2),
      now: counts(4, 3, 3),
      condition: complete,
      result: { ...updated, lastUpdateTime: JUST_NOW },
    },
    {
      name: 'DeploymentProgressing: dont update lastTransitionTime if Progressing=True',
      stored: counts(2, 2, 2),
      now: counts(3, 2, 3),
      condition: updated,
      result: { ...updated, lastUpdateTime: JUST_NOW },
    },
    {
      name: 'DeploymentProgressing: update everything if Progressing=False',
      stored: counts(2, 2, 2),
      now: counts(3, 2, 3),
      condition: timedOut,
      result: progressing('True', 'ReplicaSetUpdated', JUST_NOW),
    },
    {
      name: 'DeploymentProgressing: create the condition if it does not exist',
      stored: counts(2, 2, 2),
      now: counts(3, 2, 3),
      condition: undefined,
      result: progressing('True', 'ReplicaSetUpdated', JUST_NOW),
    },
    {
      name: 'DeploymentComplete: dont update lastTransitionTime if Progressing=True',
      stored: counts(3, 3, 3),
      now: counts(3, 3, 3),
      condition: updated,
      result: { ...complete, lastUpdateTime: JUST_NOW },
    },
    {
      name: 'DeploymentComplete: update everything if Progressing=False',
      stored: counts(3, 3, 3),
      now: counts(3, 3, 3),
      condition: timedOut,
      result: progressing('True', 'NewReplicaSetAvailable', JUST_NOW),
    },
    {
      name: 'DeploymentComplete: create the condition if it does not exist',
      stored: counts(3, 3, 3),
      now: counts(3, 3, 3),
      condition: undefined,
      result: progressing('True', 'NewReplicaSetAvailable', JUST_NOW),
    },
    {
      name: 'DeploymentTimedOut: update status if rollout exceeds the deadline',
      stored: counts(2, 2, 2),
      now: counts(2, 2, 2),
      condition: updated,
      result: progressing('False', 'ProgressDeadlineExceeded', JUST_NOW),
    },
    {
      name: 'DeploymentTimedOut: do not update an existing timedOut condition',
      stored: counts(2, 2, 2),
      now: counts(2, 2, 2),
      condition: timedOut,
      result: timedOut,
    },
    {
      name: 'nothing moved and there is time left',
      deadline: 600,
      stored: counts(2, 2, 2),
      now: counts(2, 2, 2),
      condition: updated,
      result: updated,
    },
  ])('$name', ({ deadline = 60, stored, now, condition, result }) => {
    const rollout = rolloutOf({ replicas: 3, progressDeadlineSeconds: deadline, status: stored });
    const conditions = judgeProgress(rollout, { ...now, ...(condition && { conditions: [condition] }) });
    const { message: _, ...found } = conditions[0] ?? { message: undefined };
    expect(conditions.length).toBe(result === undefined ? 0 : 1);
    if (result !== undefined) expect(found).toEqual(result);
  });

  it.each([
    { hasUpdate: true, message: /^Revision "web-[a-z0-9]+" has successfully progressed\.$/ },
    { hasUpdate: false, message: /^MyDeployment "web" has successfully progressed\.$/ },
  ])(
    'DeploymentComplete: defend against NPE when newRS=nil, has a new revision: $hasUpdate',
    ({ hasUpdate, message }) => {
      const rollout = rolloutOf({ replicas: 0, status: counts(3, 3, 3) }, hasUpdate);
      const [condition] = judgeProgress(rollout, { ...counts(0, 0, 0), conditions: [updated] });
      expect(condition).toMatchObject({ reason: 'NewReplicaSetAvailable', message: expect.stringMatching(message) });
    },
  );
});

describe('progress_test.go TestRequeueStuckDeployment', () => {
  it.each([
    { name: 'infinite deadline', deadline: UNLIMITED, status: counts(3, 3, 2), condition: updated, at: undefined },
    { name: 'no progressing condition', deadline: 60, status: counts(3, 3, 2), condition: undefined, at: undefined },
    { name: 'complete', deadline: 60, status: counts(3, 3, 3), condition: updated, at: undefined },
    { name: 'already failed', deadline: 60, status: counts(3, 3, 0), condition: timedOut, at: undefined },
    {
      name: 'paused',
      deadline: 60,
      status: counts(3, 3, 1),
      condition: progressing('Unknown', 'DeploymentPaused'),
      at: undefined,
    },
    {
      name: 'a pod lost after it was complete',
      deadline: 60,
      status: counts(3, 3, 2),
      condition: complete,
      at: undefined,
    },
    { name: 'stuck, 30 s left', deadline: 630, status: counts(3, 3, 1), condition: updated, at: NOW + 30_001 },
    { name: 'stuck, 1 s left', deadline: 601, status: counts(3, 3, 1), condition: updated, at: NOW + 1_001 },
    {
      name: 'less than 1 s left: not rounded',
      deadline: 600,
      status: counts(3, 3, 1),
      condition: { ...updated, lastUpdateTime: new Date(NOW - 599_001).toISOString() },
      at: NOW + 1_000,
    },
    { name: 'stuck, on the dot', deadline: 600, status: counts(3, 3, 1), condition: updated, at: NOW + 1 },
    { name: '1 s after: at once', deadline: 599, status: counts(3, 3, 1), condition: updated, at: NOW - 999 },
    { name: '60 s after: at once', deadline: 540, status: counts(3, 3, 1), condition: updated, at: NOW - 59_999 },
    {
      name: 'resumed, 30 s left',
      deadline: 630,
      status: counts(3, 3, 1),
      condition: progressing('Unknown', 'DeploymentResumed'),
      at: NOW + 30_001,
    },
  ])('$name', ({ deadline, status, condition, at }) => {
    const { spec } = rolloutOf({ replicas: 3, progressDeadlineSeconds: deadline });
    expect(progressCheckAt(spec, { ...status, ...(condition && { conditions: [condition] }) })).toBe(at);
  });

  it('nil progressDeadlineSeconds: means 600 s, as the API server would have it', () => {
    const spec = withDefaults(myDeployment({ replicas: 3 }).spec);
    expect(progressCheckAt(spec, { ...counts(3, 3, 1), conditions: [updated] })).toBe(NOW + 1);
  });

  it('asks to be woken at the first moment at which it is overdue', () => {
    const stored = { ...counts(2, 2, 2), conditions: [updated] };
    const rollout = rolloutOf({ replicas: 3, progressDeadlineSeconds: 600, status: stored });
    const at = progressCheckAt(rollout.spec, stored) as number;
    expect(judgeProgress({ ...rollout, now: at - 1 }, stored)).toBe(stored.conditions);
    expect(judgeProgress({ ...rollout, now: at }, stored)).toMatchObject([{ reason: 'ProgressDeadlineExceeded' }]);
  });
});

describe('progress while the status still speaks of another revision', () => {
  const stored = { ...counts(3, 3, 3), updateRevision: 'web-1' };
  const created = [progressing('True', 'NewReplicaSetCreated', JUST_NOW)];

  it.each([
    { name: 'a first new pod', now: counts(3, 1, 2), reason: 'ReplicaSetUpdated' },
    { name: 'an old pod less', now: counts(2, 0, 2), reason: 'ReplicaSetUpdated' },
    { name: 'all pods are old now', now: counts(3, 0, 3), reason: 'NewReplicaSetCreated' },
  ])('$name: $reason', ({ now, reason }) => {
    const rollout = rolloutOf({ replicas: 3, status: stored });
    expect(judgeProgress(rollout, { ...now, conditions: created })).toMatchObject([{ status: 'True', reason }]);
  });
});

describe('deployment_util_test.go TestDeploymentComplete', () => {
  it.each([
    { name: 'min but not all pods become available', replicas: 5, status: counts(5, 5, 4), complete: false },
    { name: 'min availability is not honored', replicas: 5, status: counts(5, 5, 3), complete: false },
    { name: 'complete', replicas: 5, status: counts(5, 5, 5), complete: true },
    { name: 'all available but not updated', replicas: 5, status: counts(5, 4, 5), complete: false },
    { name: 'still running old pods', replicas: 1, status: counts(2, 1, 1), complete: false },
    { name: 'one replica never comes up', replicas: 1, status: counts(1, 1, 0), complete: false },
    { name: 'none asked for, none there', replicas: 0, status: { replicas: 0 }, complete: true },
  ])('$name: $complete', ({ replicas, status, complete: expected }) => {
    expect(isComplete({ replicas }, status)).toBe(expected);
  });
});

describe('deployment_util_test.go TestDeploymentProgressing', () => {
  it.each([
    { name: 'updated pods', before: counts(10, 4, 4), after: counts(10, 6, 4), moved: true },
    { name: 'not progressing', before: counts(10, 4, 4), after: counts(10, 4, 4), moved: false },
    { name: 'old pods removed', before: counts(10, 4, 6), after: counts(8, 4, 6), moved: true },
    { name: 'less new pods', before: counts(10, 7, 3), after: counts(10, 6, 3), moved: false },
    { name: 'less overall but more new pods', before: counts(10, 4, 7), after: counts(8, 8, 5), moved: true },
    { name: 'more ready pods', before: counts(10, 10, 8, 9), after: counts(10, 10, 8, 10), moved: true },
    { name: 'more available pods', before: counts(10, 10, 9, 10), after: counts(10, 10, 10, 10), moved: true },
    { name: 'no status yet', before: undefined, after: counts(1, 1, 0), moved: true },
    { name: 'no status yet, and no pods either', before: undefined, after: { replicas: 0 }, moved: false },
    { name: 'old pods, of new ones no word', before: counts(3, 0, 0), after: { replicas: 3 }, moved: false },
    {
      name: 'a first ready pod',
      before: { replicas: 1, updatedReplicas: 1 },
      after: { replicas: 1, updatedReplicas: 1, readyReplicas: 1 },
      moved: true,
    },
    {
      name: 'a first available pod',
      before: { replicas: 1, updatedReplicas: 1, readyReplicas: 1 },
      after: counts(1, 1, 1),
      moved: true,
    },
  ])('$name: $moved', ({ before, after, moved }) => {
    expect(hasProgressed(before, after)).toBe(moved);
  });
});

describe('a rollout is under way', () => {
  it.each([
    { reason: 'NewReplicaSetCreated', underway: true },
    { reason: 'FoundNewReplicaSet', underway: true },
    { reason: 'ReplicaSetUpdated', underway: true },
    { reason: 'NewReplicaSetAvailable', underway: false },
    { reason: 'DeploymentPaused', underway: false },
    { reason: undefined, underway: false },
  ])('$reason: $underway', ({ reason, underway }) => {
    expect(isUnderway(reason)).toBe(underway);
  });
});

describe('deployment_util_test.go TestDeploymentTimedOut', () => {
  it.each([
    { name: 'nil: 600 s allowed', deadline: undefined, reason: '', late: false },
    { name: 'infinite', deadline: UNLIMITED, reason: '', late: false },
    { name: '11 s since, 10 s allowed', deadline: 10, ago: 11, reason: '', late: true },
    { name: '9 s since, 10 s allowed', deadline: 10, ago: 9, reason: '', late: false },
    { name: 'the rollout before was complete', deadline: 10, ago: 99, reason: 'NewReplicaSetAvailable', late: false },
  ])('$name: $late', ({ deadline, ago = 11, reason, late }) => {
    const allowed = deadline === undefined ? {} : { progressDeadlineSeconds: deadline };
    const spec = withDefaults(myDeployment(allowed).spec);
    const at = deadlineOf(spec, [progressing('True', reason, secondsAgo(ago))]);
    expect(at !== undefined && NOW > at).toBe(late);
  });
});

describe('sync.go checkPausedConditions', () => {
  it.each([
    { name: 'paused', paused: true, condition: updated, reason: 'DeploymentPaused', status: 'Unknown' },
    {
      name: 'paused from the start',
      paused: true,
      condition: undefined,
      reason: 'DeploymentPaused',
      status: 'Unknown',
    },
    { name: 'a failure stays visible', paused: true, condition: timedOut, reason: timedOut.reason, status: 'False' },
    {
      name: 'resumed',
      paused: false,
      condition: progressing('Unknown', 'DeploymentPaused'),
      reason: 'DeploymentResumed',
      status: 'Unknown',
    },
    { name: 'never paused', paused: false, condition: updated, reason: 'ReplicaSetUpdated', status: 'True' },
  ])('$name', ({ paused, condition, reason, status }) => {
    const rollout = rolloutOf({ paused });
    expect(notePause(rollout, condition ? [condition] : [])).toMatchObject([{ type: 'Progressing', reason, status }]);
  });

  it('says nothing without a deadline, and the same only once', () => {
    expect(notePause(rolloutOf({ paused: true, progressDeadlineSeconds: UNLIMITED }), [])).toEqual([]);
    const paused = notePause(rolloutOf({ paused: true }), []);
    expect(notePause(rolloutOf({ paused: true }), paused)).toBe(paused);
  });
});

describe('a rollout under a policy', () => {
  const waiting = progressing('True', 'AwaitingPromotion');
  const said = (reason: string) => ({ type: 'Reconciling', status: 'True', reason, message: 'so' }) as const;
  const status = (...conditions: DeploymentCondition[]) => ({ ...counts(3, 1, 3), conditions });

  it('says why it waits, and that it was rejected', () => {
    const progressOf = (reason: string) => judgeProgress(rolloutOf({}), status(updated), said(reason));
    expect(progressOf('AwaitingPromotion')).toMatchObject([{ status: 'True', reason: 'AwaitingPromotion' }]);
    expect(progressOf('RevisionRejected')).toMatchObject([{ status: 'False', reason: 'RevisionRejected' }]);
  });

  it('is judged by its counts where the policy says something else', () => {
    const stored = { status: counts(3, 1, 3) };
    expect(judgeProgress(rolloutOf(stored), status(updated), said('SurgingOnDrain'))).toMatchObject([
      { reason: 'ProgressDeadlineExceeded' },
    ]);
  });

  it('has no deadline while it waits, and begins anew after that', () => {
    const { spec } = rolloutOf({});
    expect(deadlineOf(spec, [updated])).toBeDefined();
    expect(deadlineOf(spec, [waiting])).toBeUndefined();
    const stored = { status: counts(3, 1, 3) };
    expect(judgeProgress(rolloutOf(stored), status(waiting))).toMatchObject([
      { reason: 'ReplicaSetUpdated', lastUpdateTime: JUST_NOW },
    ]);
  });

  it('stays rejected while it is paused', () => {
    const rejected = [progressing('False', 'RevisionRejected')];
    expect(notePause(rolloutOf({ paused: true }), rejected)).toBe(rejected);
  });
});

describe('the beginning of a rollout', () => {
  it('is a new revision, which restarts the clock even after another new one', () => {
    const rollout = withUpdate(rolloutOf({}, false));
    const created = progressing('True', 'NewReplicaSetCreated');
    expect(noteUpdate(rollout, [created])).toEqual([
      { ...created, message: `Created new revision "${rollout.update.name}"`, lastUpdateTime: JUST_NOW },
    ]);
  });

  it('is an old revision that is back, which restarts the clock too', () => {
    const object = myDeployment();
    const back = revision(object, 'v2', { number: 1 });
    const other = revision(object, 'v1', { number: 2 });
    const rollout = observe(snapshotOf(object, [back, other]), NOW);
    expect(noteUpdate(rollout, [timedOut])).toMatchObject([
      { status: 'True', reason: 'FoundNewReplicaSet', lastUpdateTime: JUST_NOW },
    ]);
  });

  const { name: updateRevision } = revision(myDeployment(), 'v2', { number: 1 }).metadata;

  it('is noted for a revision that was there before anybody asked for progress', () => {
    const told = rolloutOf({ status: { replicas: 3, updateRevision } });
    expect(noteUpdate(told, [])).toMatchObject([{ reason: 'FoundNewReplicaSet' }]);
    const conditions = [updated];
    expect(noteUpdate(told, conditions)).toBe(conditions);
  });

  it.each([
    {
      name: 'new, and the status speaks of another',
      status: { replicas: 3, updateRevision: 'web-1' },
      begun: 'Created',
    },
    { name: 'new, and there is no status', begun: 'Created' },
    { name: 'back, and the status speaks of another', history: '1', begun: 'Found' },
  ])('is noted when the revision was recorded and nobody told of it: it is $name', ({ status, history, begun }) => {
    const object = myDeployment({ progressDeadlineSeconds: 60, ...(status && { status }) });
    const annotations = history === undefined ? {} : { 'mydeployment.kubebuilder.zq.com/revision-history': history };
    const recorded = revision(object, 'v2', { number: 3, replicas: 3, annotations });
    expect(noteUpdate(observe(snapshotOf(object, [recorded]), NOW), [complete])).toEqual([
      {
        ...complete,
        reason: begun === 'Found' ? 'FoundNewReplicaSet' : 'NewReplicaSetCreated',
        message: `${begun} new revision "${updateRevision}"`,
        lastUpdateTime: JUST_NOW,
      },
    ]);
  });

  it('is not noted without a deadline', () => {
    expect(noteUpdate(withUpdate(rolloutOf({ progressDeadlineSeconds: UNLIMITED }, false)), [])).toEqual([]);
  });
});

describe('a revision that could not be recorded', () => {
  it('is told instead of the beginning that did not happen, once', () => {
    const failed = noteFailedUpdate([complete], [progressing('True', 'NewReplicaSetCreated', JUST_NOW)], {
      message: 'quota exceeded',
      now: NOW,
    });
    expect(failed).toMatchObject([{ status: 'False', reason: 'ReplicaSetCreateError', message: 'quota exceeded' }]);
    const again = noteFailedUpdate(failed, [progressing('True', 'NewReplicaSetCreated', JUST_NOW)], {
      message: 'still exceeded',
      now: NOW + 60_000,
    });
    expect(again).toEqual(failed);
  });

  it('leaves the other conditions alone', () => {
    const available: DeploymentCondition = { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' };
    const planned = [available, progressing('True', 'NewReplicaSetCreated', JUST_NOW)];
    expect(noteFailedUpdate([available, complete], planned, { message: 'm', now: NOW })).toMatchObject([
      available,
      { reason: 'ReplicaSetCreateError' },
    ]);
  });

  it('is not told without a deadline', () => {
    expect(noteFailedUpdate([], [], { message: 'm', now: NOW })).toEqual([]);
  });
});
