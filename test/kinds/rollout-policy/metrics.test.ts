import { beforeEach, describe, expect, it } from '@jest/globals';
import { observePolicies } from '../../../src/kinds/rollout-policy/metrics.ts';
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

  it('are about those under way first, when there are too many', async () => {
    policies = Array.from({ length: 1500 }, (_, index) =>
      policy({}, { metadata: { name: `p${index}` }, status: index < 1400 ? {} : { step: 1 } }),
    );
    expect(await lines(/^rolloutpolicy_status_step.*/gm)).toHaveLength(100);
  });

  it('count each step once', async () => {
    becomes({}, inStep({ since: undefined as never }));
    becomes(inStep({ since: undefined as never }), inStep());
    becomes(inStep(), inStep({ step: 2 }));
    tell({ type: 'added', object: revision(3, inStep({ number: 3 })), initial: false });
    expect(await transitions()).toEqual(['rolloutpolicy_transitions_total{transition="StepBegun",reason=""} 3']);
  });

  it('count rejections by reason', async () => {
    becomes(inStep(), { ...inStep(), ...rejection() });
    becomes({ ...inStep(), ...rejection() }, { ...inStep(), ...rejection(), note: 'x' });
    expect(await transitions()).toEqual([
      'rolloutpolicy_transitions_total{transition="Rejected",reason="GateFailed"} 1',
    ]);
  });

  it('count promotions, and how long they took', async () => {
    becomes(inStep(), { ...inStep({ promoted: true }), [PROMOTIONS]: '[{"number":2,"step":1}]' });
    expect(await transitions()).toEqual(['rolloutpolicy_transitions_total{transition="Promoted",reason=""} 1']);
    expect(await lines(/^rolloutpolicy_promotion_wait_seconds_(sum|count).*/gm)).toEqual([
      'rolloutpolicy_promotion_wait_seconds_sum 60',
      'rolloutpolicy_promotion_wait_seconds_count 1',
    ]);
  });

  it('count rollouts that were completed, but not what was there when its policy came', async () => {
    becomes(inStep(), { ...inStep({ step: 3 }), [COMPLETED]: '2' });
    becomes({}, { [COMPLETED]: '2' });
    expect(await transitions()).toEqual([
      'rolloutpolicy_transitions_total{transition="StepBegun",reason=""} 1',
      'rolloutpolicy_transitions_total{transition="Completed",reason=""} 1',
    ]);
  });

  it('count nothing that was there before, or goes', async () => {
    tell({ type: 'added', object: revision(2, inStep()), initial: true });
    tell({ type: 'deleted', object: revision(2, inStep()), initial: false });
    expect(await transitions()).toEqual([]);
  });
});
