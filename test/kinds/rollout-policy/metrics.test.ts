import { beforeEach, describe, expect, it } from '@jest/globals';
import { countMeasurements, observePolicies } from '../../../src/kinds/rollout-policy/metrics.ts';
import { COMPLETED, PROMOTIONS } from '../../../src/policy/attempt.ts';
import type { RolloutPolicy } from '../../../src/policy/types.gen.ts';
import type { ChangeHandler } from '../../../src/runtime/cache/informer.ts';
import { createMetrics, type Metrics } from '../../../src/runtime/metrics/metrics.ts';
import type { ControllerRevision } from '../../../src/workload/revision.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { at, inStep, NOW, policy, rejection, revision, SECOND } from './fixture.ts';

describe('metrics of policies', () => {
  let metrics: Metrics;
  let policies: RolloutPolicy[];
  let tell: ChangeHandler<ControllerRevision>;

  beforeEach(() => {
    metrics = createMetrics(new FakeClock());
    policies = [];
    const onChange = (handler: ChangeHandler<ControllerRevision>) => {
      tell = handler;
      return () => {};
    };
    observePolicies({
      policies: { list: () => policies },
      revisions: { onChange },
      wallNow: () => NOW + 50 * SECOND,
      metrics,
    });
  });

  const lines = async (pattern: RegExp): Promise<string[]> => (await metrics.metrics()).match(pattern) ?? [];
  const becomes = (old: object, now: object): void =>
    tell({ type: 'updated', old: revision(2, old as never), object: revision(2, now as never), initial: false });
  const transitions = () => lines(/^rolloutpolicy_transitions_total\{.*/gm);

  it('tell where each stands, as long as it is there', async () => {
    const conditions = [
      { type: 'Stalled', status: 'True', reason: 'GateFailed', message: '', lastTransitionTime: at(0) },
    ] as const;
    policies = [policy({}, { status: { step: 2, conditions } }), policy({}, { metadata: { name: 'idle' } })];
    expect(await lines(/^rolloutpolicy_status.*/gm)).toEqual([
      'rolloutpolicy_status_condition{exported_namespace="default",rolloutpolicy="canary",condition="Stalled",status="True",reason="GateFailed"} 1',
      'rolloutpolicy_status_step{exported_namespace="default",rolloutpolicy="canary"} 2',
    ]);
    policies = [];
    expect(await lines(/^rolloutpolicy_status.*/gm)).toEqual([]);
  });

  it('are about those under way or rejected first, when there are too many', async () => {
    const conditions = [
      { type: 'Accepted', status: 'True', reason: 'Accepted', message: '', lastTransitionTime: at(0) },
    ] as const;
    const rejected = { number: 2, reason: 'Aborted', message: '', at: at(0) };
    const statusOf = (index: number) => {
      if (index < 1400) return { conditions };
      return { conditions, ...(index % 2 === 0 ? { step: 1 } : { rejected }) };
    };
    policies = Array.from({ length: 1500 }, (_, index) =>
      policy({}, { metadata: { name: `p${index}` }, status: statusOf(index) }),
    );
    expect(await lines(/^rolloutpolicy_status_step.*/gm)).toHaveLength(50);
    const exported = await lines(/(?<=^rolloutpolicy_status_condition.*rolloutpolicy=")p\d+/gm);
    const numbers = exported.map((name) => Number(name.slice(1))).sort((one, other) => one - other);
    const expected = Array.from({ length: 1500 }, (_, index) => index).filter((index) => index < 900 || index >= 1400);
    expect(numbers).toEqual(expected);
  });

  it('count each step once', async () => {
    becomes({}, inStep({ since: undefined as never }));
    becomes(inStep({ since: undefined as never }), inStep());
    becomes(inStep(), inStep({ step: 2 }));
    tell({ type: 'added', object: revision(3, inStep({ number: 3 })), initial: false });
    expect(await transitions()).toEqual(['rolloutpolicy_transitions_total{transition="StepBegun",reason=""} 3']);
    expect(await lines(/^rolloutpolicy_promotion_wait_seconds_count.*/gm)).toEqual([
      'rolloutpolicy_promotion_wait_seconds_count 0',
    ]);
  });

  it('count a step anew under another policy', async () => {
    becomes(inStep(), inStep({ policy: 'other' }));
    expect(await transitions()).toEqual(['rolloutpolicy_transitions_total{transition="StepBegun",reason=""} 1']);
  });

  it('count rejections by reason', async () => {
    const one = ['rolloutpolicy_transitions_total{transition="Rejected",reason="GateFailed"} 1'];
    becomes(inStep(), { ...inStep(), ...rejection() });
    expect(await transitions()).toEqual(one);
    becomes({ ...inStep(), ...rejection() }, { ...inStep(), ...rejection(), note: 'x' });
    expect(await transitions()).toEqual(one);
  });

  it('count promotions, and how long they took', async () => {
    becomes(inStep(), { ...inStep({ promoted: true }), [PROMOTIONS]: '[{"number":2,"step":1}]' });
    expect(await transitions()).toEqual(['rolloutpolicy_transitions_total{transition="Promoted",reason=""} 1']);
    expect(await lines(/^rolloutpolicy_promotion_wait_seconds_(sum|count).*/gm)).toEqual([
      'rolloutpolicy_promotion_wait_seconds_sum 60',
      'rolloutpolicy_promotion_wait_seconds_count 1',
    ]);
  });

  it('sort waits for a promotion into buckets from a minute to a week', async () => {
    const bounds = await lines(/(?<=^rolloutpolicy_promotion_wait_seconds_bucket.le=")[^"]+/gm);
    const [minute, hour, day] = [60, 3600, 86_400];
    const expected = [
      ...[1, 5, 15, 30].map((count) => count * minute),
      ...[1, 2, 4, 8].map((count) => count * hour),
      ...[1, 3, 7].map((count) => count * day),
    ];
    expect(bounds).toEqual([...expected.map(String), '+Inf']);
  });

  it('do not take a wrong clock for a wait', async () => {
    becomes(inStep({ since: NOW + 90 * SECOND }), { ...inStep(), [PROMOTIONS]: '[{"number":2,"step":1}]' });
    expect(await lines(/^rolloutpolicy_promotion_wait_seconds_(sum|count).*/gm)).toEqual([
      'rolloutpolicy_promotion_wait_seconds_sum 0',
      'rolloutpolicy_promotion_wait_seconds_count 1',
    ]);
  });

  it('count measurements by what came of them', async () => {
    const count = countMeasurements(metrics);
    count({ by: 'job', outcome: 'failed' });
    count({ by: 'prometheus', outcome: 'value' });
    count({ by: 'prometheus', outcome: 'value' });
    expect(await lines(/^rolloutpolicy_measurements_total.*/gm)).toEqual([
      'rolloutpolicy_measurements_total{by="job",outcome="failed"} 1',
      'rolloutpolicy_measurements_total{by="prometheus",outcome="value"} 2',
    ]);
  });

  it('count rollouts that were completed, but not what was there when its policy came', async () => {
    const one = [
      'rolloutpolicy_transitions_total{transition="StepBegun",reason=""} 1',
      'rolloutpolicy_transitions_total{transition="Completed",reason=""} 1',
    ];
    becomes(inStep(), { ...inStep({ step: 3 }), [COMPLETED]: '2' });
    expect(await transitions()).toEqual(one);
    becomes({}, { [COMPLETED]: '2' });
    becomes({ [COMPLETED]: '2' }, {});
    becomes({ ...inStep({ step: 3 }), [COMPLETED]: '2' }, { ...inStep({ step: 3 }), [COMPLETED]: '2', note: 'x' });
    expect(await transitions()).toEqual(one);
  });

  it('count nothing that was there before, or goes', async () => {
    tell({ type: 'added', object: revision(2, inStep()), initial: true });
    tell({ type: 'deleted', object: revision(2, inStep()), initial: false });
    expect(await transitions()).toEqual([]);
  });
});
