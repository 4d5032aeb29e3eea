// A scrape in which every family of the runtime has something to say: what an operator shows after a long life.

import { observeRollouts } from '../../src/kinds/my-deployment/rollout-metrics.ts';
import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import { countMeasurements, observePolicies } from '../../src/kinds/rollout-policy/metrics.ts';
import { PROMOTIONS } from '../../src/policy/attempt.ts';
import type { ChangeHandler } from '../../src/runtime/cache/informer.ts';
import { monotonicClock } from '../../src/runtime/clock.ts';
import { createMetrics, type Metrics } from '../../src/runtime/metrics/metrics.ts';
import { myDeployment } from '../kinds/my-deployment/fixture.ts';
import { inStep, NOW, policy, revision } from '../kinds/rollout-policy/fixture.ts';
import { type Family, familiesOf } from '../runtime/metrics/exposition.ts';

const api = { host: 'api:6443', verb: 'create', method: 'POST' } as const;
const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

/** Every family by name. */
export async function everyFamily(): Promise<ReadonlyMap<string, Family>> {
  const metrics = createMetrics();
  metrics.reconciles('mydeployment', 8).finished({ kind: 'done' }, 1);
  const queue = metrics.queue('mydeployment');
  queue.added('a', 0);
  queue.taken('a', 0);
  metrics.requests.attempt({ ...api, code: 201, durationMs: 3, requestBytes: 10, responseBytes: 20 });
  metrics.requests.retry({ ...api, code: 429 });
  metrics.requests.rateLimited({ ...api, waitMs: 1 });
  metrics.requests.dnsResolved({ host: api.host, durationMs: 1 });
  metrics.cache.foundByRelist(pods, 'deleted');
  metrics.election.leading('operator', true);
  metrics.election.slowPath('operator');
  metrics.shards.split(4);
  metrics.shards.held(1);
  metrics.shards.filteredByServer(true);
  metrics.webhooks.request('/validate')(200);
  metrics.certificates.read('error');
  metrics.certificates.expires('serving', 0);
  metrics.consistency('mydeployment').staleSkip('pods');
  metrics.consistency('mydeployment').remembers(() => 0);
  const conditions = [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }] as const;
  const old = myDeployment({ replicas: 0 });
  const object = { ...old, status: { observedGeneration: 1, replicas: 0, updateRevision: 'web-1', conditions } };
  const onChange = (handler: ChangeHandler<MyDeployment>) => {
    handler({ type: 'updated', old, object: object as unknown as MyDeployment, initial: false });
    return () => {};
  };
  observeRollouts({ list: () => [object as unknown as MyDeployment], onChange }, { clock: monotonicClock, metrics });
  governRollout(metrics);
  return familiesOf(await metrics.metrics());
}

/** A policy in a step, which is promoted. */
function governRollout(metrics: Metrics): void {
  const waiting = { type: 'Reconciling', status: 'True', reason: 'AwaitingPromotion', message: '' } as const;
  const status = { step: 1, conditions: [{ ...waiting, lastTransitionTime: '' }] };
  observePolicies({
    policies: { list: () => [policy({}, { status })] },
    revisions: {
      onChange: (handler) => {
        const promoted = { ...inStep({ step: 2 }), [PROMOTIONS]: '[{"number":2,"step":1}]' };
        handler({ type: 'updated', old: revision(2, inStep()), object: revision(2, promoted), initial: false });
        return () => {};
      },
    },
    wallNow: () => NOW,
    metrics,
  });
  countMeasurements(metrics)({ by: 'job', outcome: 'succeeded' });
}
