import { beforeEach, describe, expect, it } from '@jest/globals';
import { TerminalError } from '../../../src/runtime/controller/result.ts';
import { createMetrics, type Metrics } from '../../../src/runtime/metrics/metrics.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { type Family, familiesOf, sampleOf } from './exposition.ts';

let clock: FakeClock;
let metrics: Metrics;

beforeEach(() => {
  clock = new FakeClock();
  metrics = createMetrics(clock);
});

const api = { host: 'api:6443', verb: 'create', method: 'POST' } as const;

/** Has every family say something. */
function useAll(): void {
  metrics.reconciles('widgets', 3);
  const queue = metrics.queue('widgets');
  queue.added('a', 0);
  queue.taken('a', 0);
  queue.finished('a');
  queue.delayed('a');
  metrics.requests.attempt({ ...api, code: 201, durationMs: 3, requestBytes: 10, responseBytes: 20 });
  metrics.requests.retry({ ...api, code: 429 });
  metrics.requests.rateLimited({ ...api, waitMs: 1 });
  metrics.requests.dnsResolved({ host: api.host, durationMs: 1 });
  metrics.election.leading('operator', true);
  metrics.election.slowPath('operator');
  metrics.webhooks.request('/validate')(200);
  metrics.certificates.read('error');
  metrics.certificates.expires('serving', 0);
  metrics.certificates.rotationFailed();
  metrics.cache.foundByRelist(
    { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
    'deleted',
  );
  const consistency = metrics.consistency('widgets');
  consistency.staleSkip('pods');
  consistency.remembers(() => 2);
  consistency.leaked({ creations: ['a'], deletions: [] });
}

const counter = (...labels: string[]): Family => ({ type: 'counter', labels: labels.sort() });
const gauge = (...labels: string[]): Family => ({ type: 'gauge', labels: labels.sort() });
const histogram = (buckets: number[], ...labels: string[]): Family => ({
  type: 'histogram',
  labels: labels.sort(),
  buckets,
});

const reconcileSeconds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const queueSeconds = [-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3].map((exponent) => 10 ** exponent);
const requestSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const bytes = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

// What dashboards for controller-runtime and client-go ask for, and those that only this runtime has.
const expected: Readonly<Record<string, Family>> = {
  controller_runtime_reconcile_total: counter('controller', 'result'),
  controller_runtime_reconcile_errors_total: counter('controller'),
  controller_runtime_terminal_reconcile_errors_total: counter('controller'),
  controller_runtime_reconcile_panics_total: counter('controller'),
  controller_runtime_reconcile_timeouts_total: counter('controller'),
  controller_runtime_reconcile_time_seconds: histogram(reconcileSeconds, 'controller'),
  controller_runtime_max_concurrent_reconciles: gauge('controller'),
  controller_runtime_active_workers: gauge('controller'),
  workqueue_depth: gauge('name', 'controller', 'priority'),
  workqueue_adds_total: counter('name', 'controller'),
  workqueue_queue_duration_seconds: histogram(queueSeconds, 'name', 'controller'),
  workqueue_work_duration_seconds: histogram(queueSeconds, 'name', 'controller'),
  workqueue_unfinished_work_seconds: gauge('name', 'controller'),
  workqueue_longest_running_processor_seconds: gauge('name', 'controller'),
  workqueue_retries_total: counter('name', 'controller'),
  rest_client_requests_total: counter('code', 'method', 'host'),
  rest_client_request_duration_seconds: histogram(requestSeconds, 'verb', 'host'),
  rest_client_dns_resolution_duration_seconds: histogram(requestSeconds.slice(0, -1), 'host'),
  rest_client_request_size_bytes: histogram(bytes, 'verb', 'host'),
  rest_client_response_size_bytes: histogram(bytes, 'verb', 'host'),
  rest_client_rate_limiter_duration_seconds: histogram(requestSeconds, 'verb', 'host'),
  rest_client_request_retries_total: counter('code', 'verb', 'host'),
  leader_election_master_status: gauge('name'),
  leader_election_slowpath_total: counter('name'),
  controller_runtime_webhook_requests_total: counter('webhook', 'code'),
  controller_runtime_webhook_latency_seconds: histogram(
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    'webhook',
  ),
  controller_runtime_webhook_requests_in_flight: gauge('webhook'),
  controller_runtime_webhook_panics_total: counter(),
  controller_runtime_conversion_webhook_panics_total: counter(),
  certwatcher_read_certificate_total: counter(),
  certwatcher_read_certificate_errors_total: counter(),
  certificate_expiry_timestamp_seconds: gauge('certificate'),
  certificate_rotation_errors_total: counter(),
  cache_changes_found_by_relist_total: counter('group', 'resource', 'type'),
  controller_stale_sync_skips_total: counter('controller', 'group', 'resource'),
  controller_expectations_leaked_total: counter('controller'),
  controller_remembered_owners: gauge('controller'),
};

describe('the exposition', () => {
  it('has exactly the families, types, labels and buckets that are expected', async () => {
    useAll();
    const found = [...familiesOf(await metrics.metrics())].filter(([name]) => !/^(process|nodejs)_/.test(name));
    const round = (family: Family): Family =>
      JSON.parse(JSON.stringify(family), (_key, value) =>
        typeof value === 'number' ? Number(value.toPrecision(9)) : value,
      );
    expect(Object.fromEntries(found.map(([name, family]) => [name, round(family)]))).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, family]) => [name, round(family)])),
    );
  });

  it('has the metrics of the process and of Node', async () => {
    const names = [...familiesOf(await metrics.metrics()).keys()];
    expect(names).toEqual(
      expect.arrayContaining(['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds']),
    );
  });

  it('names the text format of Prometheus', () => {
    expect(metrics.contentType).toMatch(/^text\/plain; version=0.0.4/);
  });

  it('is not shared by two sets of metrics', async () => {
    createMetrics(clock).election.leading('operator', true);
    expect(await metrics.metrics()).not.toContain('leader_election_master_status{');
  });
});

/** The values of some samples, as they are now. */
async function samples(...names: readonly string[]): Promise<(number | undefined)[]> {
  const text = await metrics.metrics();
  return names.map((name) => sampleOf(text, name));
}

describe('reconciles', () => {
  it('begin at zero, so that the first increase is seen', async () => {
    metrics.reconciles('widgets', 3);
    expect(
      await samples(
        'controller_runtime_reconcile_total{controller="widgets",result="requeue_after"}',
        'controller_runtime_reconcile_panics_total{controller="widgets"}',
        'controller_runtime_reconcile_time_seconds_count{controller="widgets"}',
        'controller_runtime_max_concurrent_reconciles{controller="widgets"}',
      ),
    ).toEqual([0, 0, 0, 3]);
  });

  const none = { success: 0, error: 0, requeue: 0, requeue_after: 0, errors: 0, terminal: 0, panics: 0 };
  it.each([
    { outcome: { kind: 'done' }, counted: { ...none, success: 1 } },
    { outcome: { kind: 'checkAgain', delayMs: 5 }, counted: { ...none, requeue_after: 1 } },
    { outcome: { kind: 'retry', because: 'x' }, counted: { ...none, requeue: 1 } },
    { outcome: { kind: 'failed', error: new Error('x') }, counted: { ...none, error: 1, errors: 1 } },
    { outcome: { kind: 'failed', error: new TypeError('x') }, counted: { ...none, error: 1, errors: 1, panics: 1 } },
    {
      outcome: { kind: 'terminal', error: new TerminalError('x') },
      counted: { ...none, error: 1, errors: 1, terminal: 1 },
    },
    { outcome: { kind: 'aborted' }, counted: none },
  ] as const)('that end with $outcome.kind are counted once where they belong', async ({ outcome, counted }) => {
    metrics.reconciles('w', 1).finished(outcome, 1500);
    const total = (result: string) => `controller_runtime_reconcile_total{controller="w",result="${result}"}`;
    const [success, error, requeue, requeue_after, errors, terminal, panics, seconds] = await samples(
      ...['success', 'error', 'requeue', 'requeue_after'].map(total),
      'controller_runtime_reconcile_errors_total{controller="w"}',
      'controller_runtime_terminal_reconcile_errors_total{controller="w"}',
      'controller_runtime_reconcile_panics_total{controller="w"}',
      'controller_runtime_reconcile_time_seconds_sum{controller="w"}',
    );
    expect({ success, error, requeue, requeue_after, errors, terminal, panics }).toEqual(counted);
    expect(seconds).toBe(1.5);
  });

  it('keep workers busy, and may take too long', async () => {
    const observer = metrics.reconciles('w', 2);
    observer.busy();
    observer.busy();
    observer.timedOut();
    observer.free();
    expect(
      await samples(
        'controller_runtime_active_workers{controller="w"}',
        'controller_runtime_reconcile_timeouts_total{controller="w"}',
      ),
    ).toEqual([1, 1]);
  });
});

describe('queues', () => {
  const labels = 'name="w",controller="w"';

  it('have a depth by priority', async () => {
    const queue = metrics.queue('w');
    queue.added('a', 0);
    queue.added('b', -100);
    queue.added('c', -100);
    queue.raised('b', -100, 0);
    queue.taken('a', 0);
    expect(
      await samples(
        `workqueue_depth{${labels},priority="0"}`,
        `workqueue_depth{${labels},priority="-100"}`,
        `workqueue_adds_total{${labels}}`,
      ),
    ).toEqual([1, 1, 3]);
  });

  it('measure waiting and working apart', async () => {
    const queue = metrics.queue('w');
    queue.added('a', 0);
    await clock.advance(2000);
    queue.taken('a', 0);
    await clock.advance(500);
    queue.finished('a');
    queue.delayed('a');
    expect(
      await samples(
        `workqueue_queue_duration_seconds_sum{${labels}}`,
        `workqueue_work_duration_seconds_sum{${labels}}`,
        `workqueue_retries_total{${labels}}`,
      ),
    ).toEqual([2, 0.5, 1]);
  });

  it('show work while it is going on', async () => {
    const queue = metrics.queue('w');
    const unfinished = [
      `workqueue_unfinished_work_seconds{${labels}}`,
      `workqueue_longest_running_processor_seconds{${labels}}`,
    ];
    expect(await samples(...unfinished)).toEqual([0, 0]);
    queue.taken('a', 0);
    await clock.advance(3000);
    queue.taken('b', 0);
    await clock.advance(1000);
    expect(await samples(...unfinished)).toEqual([5, 4]);
    queue.finished('a');
    expect(await samples(...unfinished)).toEqual([1, 1]);
    queue.finished('b');
    expect(await samples(...unfinished)).toEqual([0, 0]);
  });
});

describe('requests', () => {
  it('that got no answer have a code of their own and no response size', async () => {
    metrics.requests.attempt({ ...api, code: 0, durationMs: 10, requestBytes: 5, responseBytes: 0 });
    expect(
      await samples(
        'rest_client_requests_total{code="<error>",method="POST",host="api:6443"}',
        'rest_client_request_size_bytes_sum{verb="POST",host="api:6443"}',
        'rest_client_response_size_bytes_count{verb="POST",host="api:6443"}',
      ),
    ).toEqual([1, 5, undefined]);
  });

  it('that watch are counted, not timed', async () => {
    metrics.requests.attempt({
      ...{ host: 'h', verb: 'watch', method: 'GET', code: 200 },
      ...{ durationMs: 1, requestBytes: 0, responseBytes: 0 },
    });
    expect(
      await samples(
        'rest_client_requests_total{code="200",method="GET",host="h"}',
        'rest_client_request_duration_seconds_count{verb="GET",host="h"}',
      ),
    ).toEqual([1, undefined]);
  });

  it('are timed in seconds', async () => {
    metrics.requests.attempt({ ...api, code: 201, durationMs: 250, requestBytes: 5, responseBytes: 7 });
    metrics.requests.rateLimited({ ...api, waitMs: 1500 });
    metrics.requests.dnsResolved({ host: 'api:6443', durationMs: 30 });
    metrics.requests.retry({ ...api, code: 503 });
    expect(
      await samples(
        'rest_client_request_duration_seconds_sum{verb="POST",host="api:6443"}',
        'rest_client_rate_limiter_duration_seconds_sum{verb="POST",host="api:6443"}',
        'rest_client_dns_resolution_duration_seconds_sum{host="api:6443"}',
        'rest_client_response_size_bytes_sum{verb="POST",host="api:6443"}',
        'rest_client_request_retries_total{code="503",verb="POST",host="api:6443"}',
      ),
    ).toEqual([0.25, 1.5, 0.03, 7, 1]);
  });
});

describe('the rest of the runtime', () => {
  it('says who leads', async () => {
    metrics.election.leading('operator', true);
    expect(await samples('leader_election_master_status{name="operator"}')).toEqual([1]);
    metrics.election.leading('operator', false);
    metrics.election.slowPath('operator');
    expect(
      await samples(
        'leader_election_master_status{name="operator"}',
        'leader_election_slowpath_total{name="operator"}',
      ),
    ).toEqual([0, 1]);
  });

  it('follows an admission request from beginning to end', async () => {
    const end = metrics.webhooks.request('/validate');
    metrics.webhooks.panic('/validate');
    expect(
      await samples(
        'controller_runtime_webhook_requests_in_flight{webhook="/validate"}',
        'controller_runtime_webhook_panics_total',
      ),
    ).toEqual([1, 1]);
    await clock.advance(400);
    end(500);
    expect(
      await samples(
        'controller_runtime_webhook_requests_in_flight{webhook="/validate"}',
        'controller_runtime_webhook_requests_total{webhook="/validate",code="500"}',
        'controller_runtime_webhook_latency_seconds_sum{webhook="/validate"}',
      ),
    ).toEqual([0, 1, 0.4]);
  });

  it('counts certificate reads, failed ones among them', async () => {
    metrics.certificates.read('success');
    metrics.certificates.read('error');
    expect(await samples('certwatcher_read_certificate_total', 'certwatcher_read_certificate_errors_total')).toEqual([
      2, 1,
    ]);
  });

  it('counts what caches and controllers missed, by resource', async () => {
    useAll();
    const consistency = metrics.consistency('w');
    consistency.staleSkip('mydeployments.kubebuilder.zq.com');
    consistency.leaked({ creations: ['a', 'b'], deletions: ['c'] });
    expect(
      await samples(
        'cache_changes_found_by_relist_total{group="apps",resource="deployments",type="deleted"}',
        'controller_stale_sync_skips_total{controller="w",group="kubebuilder.zq.com",resource="mydeployments"}',
        'controller_expectations_leaked_total{controller="w"}',
      ),
    ).toEqual([1, 1, 3]);
  });
});

describe('metrics of objects', () => {
  it('are read at each scrape, and what is gone leaves nothing behind', async () => {
    let sizes: Record<string, number> = { small: 1, large: 9 };
    metrics.objects.gauge({
      name: 'widget_size',
      help: 'How large',
      labels: ['widget'],
      read: () => Object.entries(sizes).map(([widget, value]) => ({ labels: { widget }, value })),
    });
    expect(sampleOf(await metrics.metrics(), 'widget_size{widget="large"}')).toBe(9);
    sizes = { small: 2 };
    const text = await metrics.metrics();
    expect(text.match(/^widget_size\{.*$/gm)).toEqual(['widget_size{widget="small"} 2']);
  });

  it('count what happens to them in buckets', async () => {
    const grown = metrics.objects.histogram({
      name: 'widget_growth',
      help: 'How much',
      labels: ['widget'],
      buckets: [1, 5],
    });
    for (const value of [0.5, 3, 8]) grown({ widget: 'small' }, value);
    const text = await metrics.metrics();
    expect(sampleOf(text, 'widget_growth_bucket{le="5",widget="small"}')).toBe(2);
    expect(sampleOf(text, 'widget_growth_count{widget="small"}')).toBe(3);
  });
});

describe('metrics of certificates', () => {
  it('tell when they end, in seconds', async () => {
    metrics.certificates.expires('serving', 1_800_000_000_500);
    metrics.certificates.expires('ca', 1_900_000_000_000);
    const text = await metrics.metrics();
    expect(sampleOf(text, 'certificate_expiry_timestamp_seconds{certificate="serving"}')).toBe(1_800_000_000.5);
    expect(sampleOf(text, 'certificate_expiry_timestamp_seconds{certificate="ca"}')).toBe(1_900_000_000);
  });
});
