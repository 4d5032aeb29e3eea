// Rollouts under a policy as stories, on the model cluster: steps, promotions, rollbacks, and what people do in between.

import { describe, expect, it } from '@jest/globals';
import { readAttempt } from '../../../src/policy/attempt.ts';
import { ABORT, PROMOTE, RETRY } from '../../../src/policy/requests.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import {
  conditions,
  image,
  type Policy,
  promote,
  rest,
  revisionOf,
  roll,
  running,
  untilPromoted,
  versionOf,
  versions,
} from '../../support/rollout-story.ts';
import { template } from './fixture.ts';

describe('steps', () => {
  it('has exactly the pods of the step until it is promoted, and completes after the last one', () => {
    const cluster = running();
    expect(readAttempt(revisionOf(cluster, 'v1').metadata.annotations).completed).toBe(1);
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
    expect(conditions(cluster)).toEqual(['Progressing=True AwaitingPromotion', 'Reconciling=True AwaitingPromotion']);

    promote(cluster, 2, 1);
    expect(versions(cluster)).toEqual({ v1: 5, v2: 5 });
    promote(cluster, 2, 2);
    expect(versions(cluster)).toEqual({ v2: 10 });
    expect(conditions(cluster)).toEqual(['Progressing=True NewReplicaSetAvailable']);
    const { completed, promotions } = readAttempt(revisionOf(cluster, 'v2').metadata.annotations);
    expect(completed).toBe(2);
    expect(promotions).toEqual([
      { number: 2, step: 1, by: 'alice' },
      { number: 2, step: 2, by: 'alice' },
    ]);
    expect(cluster.policies.get('web')?.metadata.annotations).toEqual({});
  });

  it('tells of every transition in an event', () => {
    const cluster = running();
    cluster.events.length = 0;
    roll(cluster, 'v2');
    promote(cluster, 2, 1);
    promote(cluster, 2, 2);
    const told = cluster.events.filter(({ reason }) => /Promoted|Completed/.test(reason));
    expect(told.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      'StepPromoted: Step 1 of 2 was promoted by alice',
      'StepCompleted: Step 1 of 2 is done: its pod is available',
      'StepPromoted: Step 2 of 2 was promoted by alice',
      'StepCompleted: Step 2 of 2 is done: its 5 pods are available',
      `RevisionCompleted: Revision 2 is rolled out: later ones go back to ${revisionOf(cluster, 'v2').metadata.name}`,
    ]);
    cluster.events.length = 0;
    roll(cluster, 'v3');
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v2: 10 });
    expect(cluster.events.map(({ reason }) => reason)).not.toContain('RevisionCompleted');
  });

  it('skips all steps that are left with a full promotion', () => {
    const cluster = running();
    roll(cluster, 'v2');
    promote(cluster, 2, 1, true);
    expect(versions(cluster)).toEqual({ v2: 10 });
  });

  it('goes on by itself after a timed pause, which counts from when the pods were available', () => {
    const cluster = running({}, { steps: [{ replicas: 2, pause: { duration: '10m' } }] });
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v1: 8, v2: 2 });
    expect(conditions(cluster)).toContain('Reconciling=True StepPaused');
    const { checkAgainAt } = cluster.settle();
    expect(checkAgainAt).toBe(cluster.now + 600_000);
    cluster.now += 599_000;
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 8, v2: 2 });
    cluster.now += 1000;
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 10 });
  });

  it('waits for its gates, and reads no result of another attempt or step', () => {
    const policy: Policy = {
      steps: [{ replicas: 1, gates: ['errors'] }],
      gates: [{ name: 'errors', prometheus: { query: 'up', max: '1' } }],
    };
    const cluster = running({}, policy);
    roll(cluster, 'v2');
    const wrong = [{ name: 'errors', number: 1, step: 1, state: 'Passed' as const }];
    cluster.measure(wrong);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
    expect(conditions(cluster)).toContain('Reconciling=True GatePending');
    cluster.measure([{ name: 'errors', number: 2, step: 1, state: 'Passed' }]);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 10 });
  });

  it('is not left while one of its pods is missing, and its clock goes on', () => {
    const cluster = running({}, { steps: [{ replicas: 2, pause: { duration: '1m' } }] });
    roll(cluster, 'v2');
    const pod = cluster.active.find((each) => versionOf(cluster, each) === 'v2') as Pod;
    cluster.makeUnready(pod);
    cluster.now += 120_000;
    cluster.settle();
    expect(versions(cluster)).toEqual({ v1: 8, v2: 2 });
    expect(conditions(cluster)).toContain('Progressing=True ReplicaSetUpdated');
    cluster.makeReady(pod);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 10 });
  });

  it.each([
    { name: 'up, with a percentage', to: 20, policy: '50%', expected: { v1: 10, v2: 10 } },
    { name: 'up, with a number', to: 20, policy: 3, expected: { v1: 17, v2: 3 } },
    { name: 'down to fewer than the step has', to: 2, policy: 3, expected: { v1: 1, v2: 1 } },
    { name: 'to zero and back', to: 0, policy: 3, expected: {} },
  ])('scales $name, never by share', ({ to, policy, expected }) => {
    const cluster = running({}, { steps: [{ replicas: policy, pause: untilPromoted }] });
    roll(cluster, 'v2');
    cluster.edit({ replicas: to });
    rest(cluster);
    expect(versions(cluster)).toEqual(expected);
    cluster.edit({ replicas: 10 });
    rest(cluster);
    const count = policy === '50%' ? 5 : 3;
    expect(versions(cluster)).toEqual({ v1: 10 - count, v2: count });
  });

  it('makes the canary of a single replica the surge, and skips the step without a surge', () => {
    const cluster = running({ replicas: 1 });
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v1: 1, v2: 1 });
    promote(cluster, 2, 1);
    promote(cluster, 2, 2);
    expect(versions(cluster)).toEqual({ v2: 1 });

    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } as const;
    const without = running({ replicas: 1, strategy });
    roll(without, 'v2');
    expect(versions(without)).toEqual({ v2: 1 });
  });

  it('begins anew with another template, and the revision in between leaves first', () => {
    const cluster = running();
    roll(cluster, 'v2');
    promote(cluster, 2, 1);
    roll(cluster, 'v3');
    expect(versions(cluster)).toEqual({ v1: 9, v3: 1 });
    expect(conditions(cluster)).toContain('Reconciling=True AwaitingPromotion');
  });

  it('goes straight back with the stable template', () => {
    const cluster = running();
    roll(cluster, 'v2');
    roll(cluster, 'v1');
    expect(versions(cluster)).toEqual({ v1: 10 });
    expect(conditions(cluster)).toEqual(['Progressing=True NewReplicaSetAvailable']);
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
  });

  it('finds its place when a policy arrives or changes in the middle, and removes no new pod', () => {
    const cluster = running({}, { steps: [{ replicas: 4, pause: untilPromoted }] });
    roll(cluster, 'v2');
    cluster.govern({
      steps: [
        { replicas: 1, pause: untilPromoted },
        { replicas: 6, pause: untilPromoted },
      ],
    });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 4, v2: 6 });
    cluster.policies.clear();
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 10 });
  });

  it('stands still while paused, and scales by share up to its step', () => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.edit({ paused: true });
    promote(cluster, 2, 1);
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
    cluster.edit({ replicas: 30 });
    rest(cluster);
    expect(versions(cluster).v2).toBe(1);
    cluster.edit({ paused: false, replicas: 10 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 5, v2: 5 });
  });

  it('does not begin with the first rollout of an object', () => {
    const cluster = running();
    expect(versions(cluster)).toEqual({ v1: 10 });
  });
});

describe('going back', () => {
  it('goes back by itself when the pods of the step fail, and stays there', () => {
    const cluster = running();
    roll(cluster, 'v2', 'v2');
    expect(versions(cluster)).toEqual({ v1: 10 });
    expect(image(cluster)).toBe('web:v2');
    expect(conditions(cluster)).toEqual(['Progressing=False RevisionRejected', 'Stalled=True RevisionRejected']);
    const { rejected } = readAttempt(revisionOf(cluster, 'v2').metadata.annotations);
    expect(rejected).toMatchObject({ number: 2, reason: 'PodFailures' });
    expect(rejected?.message).toMatch(/^1 of 1 pods fail .* exit code 1 \(Error\): no such file/);

    const { writes } = cluster;
    const before = { ...writes };
    cluster.edit({ template: template('v2') });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 10 });
    expect(writes.createPods).toBe(before.createPods);

    roll(cluster, 'v3');
    expect(versions(cluster)).toEqual({ v1: 9, v3: 1 });
  });

  it('replaces lost pods of the stable revision alone', () => {
    const cluster = running();
    roll(cluster, 'v2', 'v2');
    cluster.terminate(cluster.active[0] as Pod);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 10 });
  });

  it('goes back at the deadline, also without steps', () => {
    const cluster = running({ progressDeadlineSeconds: 60 }, { rollback: { when: ['ProgressDeadlineExceeded'] } });
    cluster.edit({ template: template('v2') });
    cluster.settle();
    cluster.now += 61_000;
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 10 });
    expect(conditions(cluster)).toContain('Stalled=True RevisionRejected');
  });

  it('goes nowhere without a rollback in the policy', () => {
    const cluster = running({ progressDeadlineSeconds: 60 }, { steps: [{ replicas: 1, pause: untilPromoted }] });
    roll(cluster, 'v2', 'v2');
    cluster.now += 61_000;
    rest(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
    expect(conditions(cluster)).toEqual([
      'Progressing=False ProgressDeadlineExceeded',
      'Stalled=True ProgressDeadlineExceeded',
    ]);
  });

  it('does not count the time in which a step waits for somebody', () => {
    const cluster = running({ progressDeadlineSeconds: 60 });
    roll(cluster, 'v2');
    cluster.now += 3_600_000;
    rest(cluster);
    expect(conditions(cluster)).toContain('Reconciling=True AwaitingPromotion');
  });

  it('goes back when a gate fails, or holds where the policy does not go back by itself', () => {
    const gates: Policy['gates'] = [{ name: 'smoke', job: { fromCronJob: 'smoke' } }];
    const steps: Policy['steps'] = [{ replicas: 1, gates: ['smoke'] }];
    const failed = { name: 'smoke', number: 2, step: 1, state: 'Failed' as const, message: 'job failed' };
    const back = running({}, { steps, gates, rollback: {} });
    roll(back, 'v2');
    back.measure([failed]);
    rest(back);
    expect(versions(back)).toEqual({ v1: 10 });

    const held = running({}, { steps, gates });
    roll(held, 'v2');
    held.measure([failed]);
    rest(held);
    expect(versions(held)).toEqual({ v1: 9, v2: 1 });
    expect(conditions(held)).toContain('Stalled=True GateFailed');
    held.ask(RETRY, { number: 2 });
    rest(held);
    expect(revisionOf(held, 'v2').revision).toBe(3);
    expect(conditions(held)).toContain('Reconciling=True GatePending');
  });

  it('aborts on request, and tries again on request', () => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.ask(ABORT, { number: 2, by: 'bob' });
    cluster.ask(PROMOTE, { number: 2, step: 1 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 10 });
    const { rejected } = readAttempt(revisionOf(cluster, 'v2').metadata.annotations);
    expect(rejected).toMatchObject({ number: 2, reason: 'Aborted', by: 'bob' });

    cluster.ask(RETRY, { number: 2 });
    rest(cluster);
    expect(revisionOf(cluster, 'v2').revision).toBe(3);
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
    promote(cluster, 2, 1);
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
    promote(cluster, 3, 1);
    expect(versions(cluster)).toEqual({ v1: 5, v2: 5 });
  });

  it('undoes past a rejected revision, and tries one again that is named', () => {
    const cluster = running();
    roll(cluster, 'v2');
    promote(cluster, 2, 1, true);
    roll(cluster, 'v3', 'v3');
    cluster.annotate({ 'mydeployment.kubebuilder.zq.com/rollback-to': '3' });
    rest(cluster);
    expect(revisionOf(cluster, 'v3').revision).toBe(4);
    expect(versions(cluster)).toEqual({ v2: 9, v3: 1 });
    expect(cluster.object.metadata.annotations).toEqual({});
    expect(cluster.events.filter(({ reason }) => reason.startsWith('DeploymentRollback'))).toEqual([]);
    cluster.ask(ABORT, { number: 4 });
    rest(cluster);
    roll(cluster, 'v4');
    cluster.annotate({ 'mydeployment.kubebuilder.zq.com/rollback-to': '0' });
    rest(cluster);
    expect(image(cluster)).toBe('web:v2');
    expect(versions(cluster)).toEqual({ v2: 10 });
  });

  it('goes to the template of a rejected revision that is named, when another one is present', () => {
    const cluster = running();
    roll(cluster, 'v2', 'v2');
    roll(cluster, 'v3');
    cluster.annotate({ 'mydeployment.kubebuilder.zq.com/rollback-to': '2' });
    rest(cluster);
    expect(image(cluster)).toBe('web:v2');
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
  });

  it('tries again on request while it is scaled, also without steps', () => {
    const cluster = running({}, { rollback: {} });
    roll(cluster, 'v2', 'v2');
    expect(versions(cluster)).toEqual({ v1: 10 });
    cluster.edit({ replicas: 20 });
    cluster.ask(RETRY, { number: 2 });
    rest(cluster);
    expect(revisionOf(cluster, 'v2').revision).toBe(3);
    expect(versions(cluster)).toEqual({ v2: 20 });
    expect(cluster.events.map(({ reason }) => reason)).not.toContain('RequestRefused');
  });

  it('holds while half of the stable pods are unavailable', () => {
    const cluster = running();
    roll(cluster, 'v2');
    const stable = cluster.active.filter((pod) => versionOf(cluster, pod) === 'v1');
    for (const pod of stable.slice(0, 5)) cluster.makeUnready(pod);
    cluster.crash(cluster.active.find((pod) => versionOf(cluster, pod) === 'v2') as Pod);
    cluster.settle();
    expect(conditions(cluster)).toContain('Stalled=True StableUnhealthy');
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
  });

  it('holds when the stable revision is lost', () => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.revisions.delete(revisionOf(cluster, 'v1').metadata.name);
    cluster.settle();
    expect(conditions(cluster)).toContain('Stalled=True StableRevisionLost');
    expect(cluster.active).toHaveLength(10);
  });

  it('keeps a rejection through zero replicas', () => {
    const cluster = running();
    roll(cluster, 'v2', 'v2');
    cluster.edit({ replicas: 0 });
    rest(cluster);
    expect(conditions(cluster)).toContain('Stalled=True RevisionRejected');
    cluster.edit({ replicas: 4 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 4 });
  });

  it('works under Recreate, where steps are not accepted', () => {
    const cluster = running({ strategy: { type: 'Recreate' } }, { rollback: {} });
    roll(cluster, 'v2', 'v2');
    expect(versions(cluster)).toEqual({ v1: 10 });

    const refused = running({ strategy: { type: 'Recreate' } });
    roll(refused, 'v2');
    expect(versions(refused)).toEqual({ v1: 10 });
    expect(conditions(refused)).toContain('Stalled=True PolicyNotAccepted');
  });

  it('lets go when the policy is deleted', () => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.ask(ABORT, { number: 2 });
    rest(cluster);
    cluster.policies.clear();
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 10 });
    expect(conditions(cluster)).toEqual(['Progressing=True NewReplicaSetAvailable']);
  });
});
