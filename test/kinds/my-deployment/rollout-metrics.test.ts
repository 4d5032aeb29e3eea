import { beforeEach, describe, expect, it } from '@jest/globals';
import { observeRollouts } from '../../../src/kinds/my-deployment/rollout-metrics.ts';
import type { MyDeployment, MyDeploymentStatus } from '../../../src/kinds/my-deployment/types.gen.ts';
import type { ChangeHandler } from '../../../src/runtime/cache/informer.ts';
import { createMetrics, type Metrics } from '../../../src/runtime/metrics/metrics.ts';
import { sampleOf } from '../../runtime/metrics/exposition.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { myDeployment } from './fixture.ts';

type Conditions = NonNullable<MyDeploymentStatus['conditions']>;

const progressing = (reason: string, status = 'True'): Conditions =>
  [{ type: 'Progressing', status, reason }] as unknown as Conditions;

/** An object of three replicas with so many of its newest revision, all of which are available. */
function web(updated: number, status: Partial<MyDeploymentStatus> = {}, name = 'web'): MyDeployment {
  const counts = {
    replicas: 3,
    updatedReplicas: updated,
    availableReplicas: updated,
    unavailableReplicas: 3 - updated,
  };
  return myDeployment({
    replicas: 3,
    metadata: { name, uid: name },
    status: { observedGeneration: 1, updateRevision: 'web-1', ...counts, ...status } as MyDeploymentStatus,
  });
}

describe('metrics of MyDeployments', () => {
  let clock: FakeClock;
  let metrics: Metrics;
  let objects: MyDeployment[];
  let tell: ChangeHandler<MyDeployment>;

  beforeEach(() => {
    clock = new FakeClock();
    metrics = createMetrics(clock);
    objects = [];
    const onChange = (handler: ChangeHandler<MyDeployment>) => {
      tell = handler;
      return () => {};
    };
    observeRollouts({ list: () => objects, onChange }, { clock, metrics });
  });

  const update = (old: MyDeployment, object: MyDeployment): void =>
    tell({ type: 'updated', old, object, initial: false });
  const seconds = async (result: string): Promise<(number | undefined)[]> => {
    const text = await metrics.metrics();
    const sample = (what: string) =>
      sampleOf(text, `mydeployment_rollout_duration_seconds_${what}{result="${result}"}`);
    return [sample('count'), sample('sum')];
  };

  it('tell the counts and conditions of each object, as long as it is there', async () => {
    objects = [web(1, { conditions: progressing('ReplicaSetUpdated') })];
    const text = await metrics.metrics();
    expect(text.match(/^mydeployment_(spec|status).*$/gm)).toEqual([
      'mydeployment_spec_replicas{exported_namespace="default",mydeployment="web"} 3',
      'mydeployment_status_replicas_updated{exported_namespace="default",mydeployment="web"} 1',
      'mydeployment_status_replicas_available{exported_namespace="default",mydeployment="web"} 1',
      'mydeployment_status_replicas_unavailable{exported_namespace="default",mydeployment="web"} 2',
      'mydeployment_status_condition{exported_namespace="default",mydeployment="web",condition="Progressing",status="True",reason="ReplicaSetUpdated"} 1',
    ]);
    expect(sampleOf(text, 'mydeployment_objects{exported="true"}')).toBe(1);
    expect(sampleOf(text, 'mydeployment_objects{exported="false"}')).toBe(0);
    objects = [];
    expect(await metrics.metrics()).not.toMatch(/^mydeployment_(spec|status)_.*\} \d/m);
  });

  it('tell what is meant by an object that says nothing yet, and by a condition without a reason', async () => {
    const conditions = [{ type: 'Ready', status: 'True' }] as unknown as Conditions;
    objects = [myDeployment(), myDeployment({ metadata: { name: 'new' }, status: { replicas: 0, conditions } })];
    const text = await metrics.metrics();
    const told = (name: string) =>
      sampleOf(text, `mydeployment_${name}{exported_namespace="default",mydeployment="web"}`);
    expect(told('spec_replicas')).toBe(1);
    expect(told('status_replicas_updated')).toBe(0);
    expect(told('status_replicas_available')).toBe(0);
    expect(told('status_replicas_unavailable')).toBe(0);
    expect(text).toMatch(/^mydeployment_status_condition\{.*condition="Ready",status="True",reason=""\} 1$/m);
  });

  it('tell of a thousand objects, unfinished rollouts first, and how many are left out', async () => {
    const finished = Array.from({ length: 1_000 }, (_, index) => web(3, {}, `done-${index}`));
    objects = [web(1, {}, 'moving'), ...finished, web(3, { observedGeneration: 0 }, 'unseen')];
    const text = await metrics.metrics();
    const told = text.match(/(?<=^mydeployment_spec_replicas\{.*mydeployment=")[^"]+/gm) ?? [];
    expect(told).toHaveLength(1_000);
    expect(told.slice(0, 3)).toEqual(['moving', 'unseen', 'done-0']);
    expect(sampleOf(text, 'mydeployment_objects{exported="true"}')).toBe(1_000);
    expect(sampleOf(text, 'mydeployment_objects{exported="false"}')).toBe(2);
  });

  it('time a rollout from its new revision to its end, once', async () => {
    update(web(3), web(0, { updateRevision: 'web-2' }));
    await clock.advance(20_000);
    update(web(0, { updateRevision: 'web-2' }), web(2, { updateRevision: 'web-2' }));
    expect(await seconds('complete')).toEqual([undefined, undefined]);
    await clock.advance(10_000);
    update(web(2, { updateRevision: 'web-2' }), web(3, { updateRevision: 'web-2' }));
    update(web(3, { updateRevision: 'web-2' }), web(2, { updateRevision: 'web-2' })); // a pod is replaced
    update(web(2, { updateRevision: 'web-2' }), web(3, { updateRevision: 'web-2' }));
    expect(await seconds('complete')).toEqual([1, 30]);
  });

  it('time a rollout of one pod by a spec that does not say how many, and of a status that does not say of which spec', async () => {
    const one = (available: number, status: Partial<MyDeploymentStatus> = {}): MyDeployment =>
      myDeployment({
        metadata: { name: 'web', uid: 'web' },
        status: { replicas: 1, updatedReplicas: 1, availableReplicas: available, updateRevision: 'web-2', ...status },
      });
    update(web(3), one(0));
    await clock.advance(4_000);
    update(one(0), one(1));
    expect(await seconds('complete')).toEqual([undefined, undefined]);
    update(one(1), one(1, { observedGeneration: 1 }));
    expect(await seconds('complete')).toEqual([1, 4]);
    const buckets = (await metrics.metrics()).match(/(?<=duration_seconds_bucket\{le=")[^"]+/g);
    expect(buckets?.join()).toBe('1,2,5,10,20,30,60,120,300,600,1200,1800,3600,7200,+Inf');
  });

  it('count a rollout that misses its deadline as failed, also if it is completed after all', async () => {
    const late = web(1, { conditions: progressing('ProgressDeadlineExceeded', 'False') });
    update(myDeployment({ metadata: { name: 'web', uid: 'web' } }), web(0));
    await clock.advance(600_000);
    update(web(1), late);
    update(late, web(3));
    expect(await seconds('failed')).toEqual([1, 600]);
    expect(await seconds('complete')).toEqual([undefined, undefined]);
  });

  it('take the time of the last revision when one follows up another', async () => {
    update(web(3), web(0, { updateRevision: 'web-2' }));
    await clock.advance(60_000);
    update(web(1, { updateRevision: 'web-2' }), web(0, { updateRevision: 'web-3' }));
    await clock.advance(5_000);
    update(web(0, { updateRevision: 'web-3' }), web(3, { updateRevision: 'web-3' }));
    expect(await seconds('complete')).toEqual([1, 5]);
  });

  it('count nothing that was not seen to begin', async () => {
    tell({ type: 'added', object: web(1), initial: true });
    update(web(1), web(3));
    update(web(3), web(0, { updateRevision: 'web-2' }));
    tell({ type: 'deleted', object: web(0, { updateRevision: 'web-2' }), initial: false });
    update(web(0, { updateRevision: 'web-2' }), web(3, { updateRevision: 'web-2' }));
    expect(await seconds('complete')).toEqual([undefined, undefined]);
  });
});
