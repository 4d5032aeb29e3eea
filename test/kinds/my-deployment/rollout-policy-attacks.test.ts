// Stories in which a policy is tempted to break a promise: by an unlucky order of what people do, by pods that are lost at the
// wrong moment, by requests that come late, by policies that come and go.

import { describe, expect, it } from '@jest/globals';
import { REPLICAS } from '../../../src/kinds/my-deployment/plan/record.ts';
import { readAttempt } from '../../../src/policy/attempt.ts';
import { ABORT, PROMOTE, RETRY, type Request, type RequestKey } from '../../../src/policy/requests.ts';
import { isTerminating, type Pod } from '../../../src/workload/pod.ts';
import type { ModelCluster } from '../../support/model-cluster.ts';
import {
  conditions,
  type Policy,
  promote,
  rest,
  revisionOf,
  roll,
  running,
  twoSteps,
  untilPromoted,
  versionOf,
  versions,
} from '../../support/rollout-story.ts';
import { template } from './fixture.ts';

const atOnce: Policy = { rollback: {} };
const half: Policy = { steps: [{ replicas: '50%', pause: untilPromoted }], rollback: {} };

function podOf(cluster: ModelCluster, version: string): Pod {
  return podsOf(cluster, version)[0] as Pod;
}

function podsOf(cluster: ModelCluster, version: string): Pod[] {
  return cluster.active.filter((pod) => versionOf(cluster, pod) === version);
}

function eventsOf(cluster: ModelCluster): string[] {
  return cluster.reconcile().events.map(({ reason, message }) => `${reason}: ${message}`);
}

describe('a rollout that was completed', () => {
  it('does not go back when its pods fail later', () => {
    const cluster = running({}, atOnce);
    roll(cluster, 'v2');
    for (const pod of podsOf(cluster, 'v2')) cluster.crash(pod);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 10 });
    expect(readAttempt(revisionOf(cluster, 'v2').metadata.annotations).rejected).toBeUndefined();
  });

  it('is marked although its stable revision was lost at the end', () => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.ask(PROMOTE, { number: 2, step: 1, full: true });
    cluster.settle();
    cluster.revisions.delete(revisionOf(cluster, 'v1').metadata.name);
    for (const pod of cluster.active) if (versionOf(cluster, pod) !== 'v2') cluster.remove(pod);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 10 });
    expect(readAttempt(revisionOf(cluster, 'v2').metadata.annotations).completed).toBe(2);
  });

  it('cannot be aborted', () => {
    const cluster = running();
    roll(cluster, 'v2');
    promote(cluster, 2, 1, true);
    cluster.ask(ABORT, { number: 2 });
    expect(eventsOf(cluster)).toEqual(['RequestRefused: Did not abort revision 2: no rollout is under way']);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 10 });
  });

  it('is not undone by a policy that comes when its pods fail', () => {
    const cluster = running({}, atOnce);
    cluster.policies.clear();
    roll(cluster, 'v2');
    for (const pod of podsOf(cluster, 'v2')) cluster.crash(pod);
    cluster.govern(atOnce);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 10 });
  });

  it('is what a later one goes back to, although it was completed without a policy', () => {
    const cluster = running({}, atOnce);
    cluster.policies.clear();
    roll(cluster, 'v2');
    cluster.govern(twoSteps);
    roll(cluster, 'v3');
    promote(cluster, 3, 1);
    cluster.ask(ABORT, { number: 3 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 10 });
  });

  it('is not called stalled by the first policy, when its pods fail before that comes', () => {
    const cluster = running({}, 'none');
    for (const pod of cluster.active) cluster.crash(pod);
    cluster.govern(atOnce);
    rest(cluster);
    expect(conditions(cluster)).toContain('Reconciling=True PodsNotReady');
  });
});

describe('a rejected revision', () => {
  function rejected(left: number): ModelCluster {
    const cluster = running({}, half);
    roll(cluster, 'v2');
    cluster.ask(ABORT, { number: 2 });
    cluster.settle();
    expect(podsOf(cluster, 'v2').length).toBeGreaterThanOrEqual(left);
    return cluster;
  }

  it.each([{ paused: false }, { paused: true }])('gets no lost pod back behind a newer one, %j', ({ paused }) => {
    const cluster = rejected(2);
    cluster.edit({ paused, template: template('v3') });
    cluster.settle();
    const before = podsOf(cluster, 'v2').length;
    cluster.remove(podOf(cluster, 'v2'));
    cluster.settle();
    expect(podsOf(cluster, 'v2').length).toBeLessThan(before);
  });

  it('is not scaled up by share while a newer template is paused', () => {
    const cluster = rejected(2);
    cluster.edit({ paused: true, template: template('v3') });
    cluster.settle();
    const before = podsOf(cluster, 'v2').length;
    cluster.edit({ replicas: 40 });
    rest(cluster);
    expect(podsOf(cluster, 'v2').length).toBeLessThanOrEqual(before);
  });

  it('gets no lost pod back while its policy is not accepted', () => {
    const cluster = rejected(2);
    cluster.govern({ ...half, steps: [{ replicas: 1, gates: ['gone'] }] });
    cluster.settle();
    const before = podsOf(cluster, 'v2').length;
    cluster.remove(podOf(cluster, 'v2'));
    cluster.settle();
    expect(podsOf(cluster, 'v2').length).toBeLessThan(before);
  });

  it('does not come back from zero replicas while its policy is not accepted', () => {
    const cluster = rejected(2);
    rest(cluster);
    cluster.edit({ replicas: 0, strategy: { type: 'Recreate' } });
    rest(cluster);
    cluster.edit({ replicas: 5 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 5 });
  });

  it('is not what the next one goes back to, although its canary was all that was left', () => {
    const cluster = running({ replicas: 1 });
    roll(cluster, 'v2');
    cluster.terminate(podOf(cluster, 'v1'));
    cluster.ask(ABORT, { number: 2 });
    cluster.reconcile();
    expect(cluster.object.status?.currentRevision).toBe(revisionOf(cluster, 'v1').metadata.name);
    rest(cluster);
    roll(cluster, 'v3');
    cluster.ask(ABORT, { number: 3 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 1 });
  });

  it('gets no pods when the stable revision was deleted before the next template came', () => {
    const cluster = rejected(2);
    cluster.revisions.delete(revisionOf(cluster, 'v1').metadata.name);
    const before = podsOf(cluster, 'v2').length;
    cluster.edit({ template: template('v3') });
    cluster.settle();
    expect(podsOf(cluster, 'v2').length).toBeLessThanOrEqual(before);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v3: 10 });
  });

  it('takes nothing when it is scaled at the moment of the next template', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } as const;
    const cluster = running({ replicas: 6, strategy }, atOnce);
    cluster.edit({ template: template('v2') });
    for (let round = 0; round < 2; round++) {
      cluster.settle();
      for (const pod of podsOf(cluster, 'v2')) cluster.makeReady(pod);
    }
    cluster.ask(ABORT, { number: 2 });
    cluster.settle();
    const before = podsOf(cluster, 'v2').length;
    cluster.edit({ template: template('v3'), replicas: 20 });
    cluster.reconcile();
    expect(podsOf(cluster, 'v2').length).toBeLessThanOrEqual(before);
    expect(cluster.active.length).toBeLessThanOrEqual(21);
  });

  it('is tried again although a pod of its first attempt has failed, by a clock that is behind', () => {
    const cluster = running();
    cluster.edit({ template: template('v2') });
    cluster.settle();
    cluster.fail(podOf(cluster, 'v2'));
    cluster.settle();
    expect(versions(cluster)).toEqual({ v1: 10 });
    cluster.now -= 3_600_000;
    cluster.ask(RETRY, { number: 2 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
  });

  it('is tried again although the pods of its first attempt are still going', () => {
    const cluster = running();
    cluster.edit({ template: template('v2') });
    cluster.settle();
    const bad = podOf(cluster, 'v2');
    cluster.crash(bad);
    cluster.settle();
    expect(versions(cluster)).toEqual({ v1: 10 });
    expect(cluster.pods.has(bad.metadata.name)).toBe(true);
    cluster.ask(RETRY, { number: 2 });
    cluster.settle();
    cluster.makeReady(podOf(cluster, 'v2'));
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
  });
});

describe('a step', () => {
  it('is not scaled by share in the plan that leaves it', () => {
    const cluster = running({}, half);
    roll(cluster, 'v2');
    cluster.edit({ replicas: 20 });
    cluster.ask(PROMOTE, { number: 2, step: 1, full: true });
    const planned = cluster.reconcile();
    const left = readAttempt(revisionOf(cluster, 'v2').metadata.annotations).step?.step;
    expect(left).toBe(2);
    expect(planned.events.map(({ reason }) => reason)).toContain('StepPromoted');
  });

  it('keeps its limit when it is paused with another template and scaled', () => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.edit({ paused: true, template: template('v3') });
    cluster.settle();
    cluster.edit({ replicas: 40 });
    rest(cluster);
    expect(versions(cluster).v2).toBe(1);
  });

  it('keeps the canary of a single replica and the pod beside it where the policy is not accepted any more', () => {
    const cluster = running({ replicas: 1 });
    roll(cluster, 'v2');
    cluster.govern({ steps: [{ replicas: 1, gates: ['gone'], pause: untilPromoted }] });
    rest(cluster);
    expect(conditions(cluster)).toContain('Stalled=True PolicyNotAccepted');
    expect(versions(cluster)).toEqual({ v1: 1, v2: 1 });
  });

  it('keeps its limit when the stable revision is lost with all of its pods', () => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.revisions.delete(revisionOf(cluster, 'v1').metadata.name);
    const [canary] = podsOf(cluster, 'v2');
    for (const pod of cluster.active) if (pod !== canary) cluster.remove(pod);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 1 });
    expect(conditions(cluster)).toContain('Stalled=True StableRevisionLost');
  });

  it('keeps its limit when it is paused and scaled after the stable revision was lost', () => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.revisions.delete(revisionOf(cluster, 'v1').metadata.name);
    cluster.settle();
    cluster.edit({ paused: true, replicas: 40 });
    rest(cluster);
    expect(versions(cluster).v2).toBe(1);
  });

  it('keeps the stable revision when it is paused and scaled down to a single pod', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } as const;
    const cluster = running({ replicas: 2, strategy }, half);
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v1: 1, v2: 1 });
    cluster.edit({ paused: true, replicas: 1 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 1 });
  });

  it('gets no share when it is scaled after its template was taken back', () => {
    const cluster = running({ replicas: 5 }, half);
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v1: 2, v2: 3 });
    cluster.edit({ template: template('v1'), replicas: 20 });
    cluster.reconcile();
    expect(versions(cluster).v2).toBeLessThanOrEqual(3);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 20 });
  });

  it('is scaled by share while it is paused at the stable template, and by no more', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: '50%' } } as const;
    const cluster = running({ replicas: 4, strategy });
    roll(cluster, 'v2');
    cluster.remove(podOf(cluster, 'v1'));
    cluster.edit({ template: template('v1'), replicas: 10, paused: true });
    cluster.reconcile();
    const counts = [...cluster.revisions.values()].map(({ metadata: { annotations = {} } }) => annotations[REPLICAS]);
    expect(counts.map(Number).reduce((sum, count) => sum + count)).toBe(15);
  });

  it('replaces no lost pod beside others under Recreate, where its policy is not accepted', () => {
    const cluster = running({}, half);
    roll(cluster, 'v2');
    cluster.edit({ strategy: { type: 'Recreate' } });
    cluster.settle();
    cluster.remove(podOf(cluster, 'v1'));
    cluster.settle();
    expect(versions(cluster)).toEqual({ v1: 4, v2: 5 });
  });

  it('keeps its share when it is scaled down where its policy is not accepted', () => {
    const cluster = running({}, half);
    roll(cluster, 'v2');
    cluster.govern({ steps: [{ replicas: '50%', gates: ['gone'] }] });
    rest(cluster);
    cluster.edit({ replicas: 4 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 2, v2: 2 });
  });

  it('is found again when steps and replicas change at the same moment', () => {
    const cluster = running({}, half);
    roll(cluster, 'v2');
    cluster.govern({ ...half, steps: [{ replicas: '50%', pause: { duration: '1h' } }] });
    cluster.edit({ replicas: 8 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 4, v2: 4 });
  });

  it('is left in between and does not grow when all steps of the next template are promoted as it is scaled', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: '50%' } } as const;
    const cluster = running({ replicas: 1, strategy });
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v1: 1, v2: 1 });
    cluster.events.length = 0;
    cluster.edit({ template: template('v3'), replicas: 6 });
    cluster.ask(PROMOTE, { number: 3, step: 1, full: true });
    cluster.reconcile();
    expect(Number(revisionOf(cluster, 'v2').metadata.annotations?.[REPLICAS])).toBeLessThanOrEqual(1);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v3: 6 });
    expect(cluster.events.filter(({ reason }) => reason === 'StepPromoted')).toHaveLength(1);
  });
});

describe('under Recreate', () => {
  it('waits for the pods of the rejected revision, also when it is paused on the way back', () => {
    const cluster = running({ strategy: { type: 'Recreate' } }, atOnce);
    roll(cluster, 'v2', 'none');
    cluster.edit({ template: template('v3') });
    for (let round = 0; round < 3; round++) {
      cluster.settle();
      for (const pod of cluster.pods.values()) if (isTerminating(pod)) cluster.remove(pod);
    }
    cluster.ask(ABORT, { number: 3 });
    cluster.settle();
    expect(versions(cluster)).toEqual({});
    cluster.edit({ paused: true });
    cluster.settle();
    expect(versions(cluster)).toEqual({});
  });

  it('never creates pods of two templates, although all of them were lost where the policy is not accepted', () => {
    const cluster = running({ strategy: { type: 'Recreate' } }, atOnce);
    cluster.edit({ template: template('v2') });
    for (let round = 0; round < 3; round++) {
      cluster.settle();
      for (const pod of cluster.pods.values()) if (isTerminating(pod)) cluster.remove(pod);
    }
    expect(versions(cluster)).toEqual({ v2: 10 });
    cluster.govern(half);
    for (const pod of cluster.active) cluster.remove(pod);
    cluster.settle();
    expect(versions(cluster)).toEqual({ v2: 10 });
  });
});

describe('the stable revision', () => {
  /** Under a policy that came in the middle of the rollout to v2, so that nothing is marked. */
  function unmarked(): ModelCluster {
    const cluster = running({ revisionHistoryLimit: 0 }, 'none');
    cluster.edit({ template: template('v2') });
    cluster.settle();
    cluster.govern(half);
    cluster.settle();
    return cluster;
  }

  it('is kept although it is marked nowhere, has no pods, and the object is paused with another template', () => {
    const cluster = unmarked();
    cluster.edit({ paused: true, replicas: 0, template: template('v3') });
    rest(cluster);
    expect(revisionOf(cluster, 'v1')).toBeDefined();
  });
});

describe('a template that comes back after it was rejected', () => {
  function backAgain(): ModelCluster {
    const cluster = running();
    roll(cluster, 'v2', 'v2');
    roll(cluster, 'v1');
    cluster.edit({ template: template('v2') });
    cluster.ask(PROMOTE, { number: 2, step: 1 });
    rest(cluster);
    return cluster;
  }

  it('is a new attempt, which a late promotion of the former one does not hit', () => {
    const cluster = backAgain();
    expect(revisionOf(cluster, 'v2').revision).toBe(4);
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
    expect(cluster.events.map(({ message }) => message)).toContain('Did not promote revision 2: the present one is 4');
    expect(conditions(cluster)).toContain('Reconciling=True AwaitingPromotion');
  });

  it('can be rejected again, and has another number then', () => {
    const cluster = backAgain();
    cluster.ask(ABORT, { number: 2 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 9, v2: 1 });
    cluster.ask(ABORT, { number: 4 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 10 });
    const { rejected } = readAttempt(revisionOf(cluster, 'v2').metadata.annotations);
    expect(rejected).toMatchObject({ number: 4, reason: 'Aborted' });
    expect(revisionOf(cluster, 'v1').revision).toBe(3);
  });
});

describe('when an autoscaler and people meet in a step', () => {
  it('a promotion of the step before does not hit the one that scaling has led to', () => {
    const cluster = running({}, { steps: [{ replicas: 1 }, { replicas: '50%', pause: untilPromoted }] });
    roll(cluster, 'v2');
    cluster.edit({ replicas: 4 });
    cluster.ask(PROMOTE, { number: 2, step: 1 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 2, v2: 2 });
  });

  it('a change of the steps and a late promotion of the former step leave it where it is', () => {
    const cluster = running({}, { steps: [{ replicas: 5, pause: untilPromoted }] });
    roll(cluster, 'v2');
    const steps = [
      { replicas: 1, pause: untilPromoted },
      { replicas: 5, pause: untilPromoted },
    ];
    cluster.govern({ steps });
    cluster.ask(PROMOTE, { number: 2, step: 1 });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 5, v2: 5 });
    expect(conditions(cluster)).toContain('Reconciling=True AwaitingPromotion');
  });
});

describe('at zero replicas', () => {
  it.each([{ paused: false }, { paused: true }])('nothing is pruned, %j', ({ paused }) => {
    const cluster = running();
    roll(cluster, 'v2');
    promote(cluster, 2, 1, true);
    roll(cluster, 'v3');
    cluster.edit({ replicas: 0, paused, revisionHistoryLimit: 0 });
    rest(cluster);
    expect([...cluster.revisions.values()].map(({ revision }) => revision)).toEqual([1, 2, 3]);
  });

  it('nothing is pruned or forgotten while another template is paused', () => {
    const cluster = running({ revisionHistoryLimit: 1 }, 'none');
    roll(cluster, 'v2');
    cluster.govern(half);
    cluster.edit({ replicas: 0, paused: true, revisionHistoryLimit: 0, template: template('v3') });
    rest(cluster);
    expect([...cluster.revisions.values()].map(({ revision }) => revision)).toEqual([1, 2]);
    expect(cluster.object.status?.currentRevision).toBe(revisionOf(cluster, 'v2').metadata.name);
  });
});

describe('a request', () => {
  it.each<{ key: RequestKey; request: Request; verb: string }>([
    { key: PROMOTE, request: { number: 2, step: 1 }, verb: 'promote' },
    { key: ABORT, request: { number: 2 }, verb: 'abort' },
  ])('to $verb is refused while the policy is not accepted', ({ key, request, verb }) => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.govern({ steps: [{ replicas: 1, gates: ['gone'], pause: untilPromoted }] });
    cluster.settle();
    cluster.ask(key, request);
    const [event] = eventsOf(cluster);
    expect(event).toMatch(new RegExp(`^RequestRefused: Did not ${verb} revision 2: .*not accepted`));
    expect(cluster.policies.get('web')?.metadata.annotations).toEqual({});
  });

  it('to abort is refused when the stable revision is lost', () => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.revisions.delete(revisionOf(cluster, 'v1').metadata.name);
    cluster.settle();
    cluster.ask(ABORT, { number: 2 });
    expect(eventsOf(cluster)[0]).toMatch(/^RequestRefused: Did not abort revision 2: .*stable revision/);
  });

  it('to retry that comes after another template is refused, not forgotten', () => {
    const cluster = running();
    roll(cluster, 'v2', 'v2');
    roll(cluster, 'v3');
    cluster.ask(RETRY, { number: 2 });
    expect(eventsOf(cluster)).toEqual(['RequestRefused: Did not retry revision 2: the present one is 3']);
  });

  it('to retry that was served before a crash is removed without a word', () => {
    const cluster = running();
    roll(cluster, 'v2', 'v2');
    cluster.ask(RETRY, { number: 2 });
    cluster.settle();
    cluster.ask(RETRY, { number: 2 });
    expect(eventsOf(cluster)).toEqual([]);
    expect(cluster.policies.get('web')?.metadata.annotations).toEqual({});
  });
});
