// What the Grafana dashboard shows, as data: rows of panels, each a question with the expressions that answer it. A test
// looks every metric and label up in a scrape. `$job` and `$__rate_interval` are variables of the dashboard.

export interface Query {
  readonly expr: string;
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  /** What a good answer looks like. */
  readonly description: string;
  readonly unit: 'short' | 's' | 'percentunit' | 'ops' | 'bytes';
  /** A number instead of a graph. */
  readonly stat?: true;
  readonly queries: readonly Query[];
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const T = 'job="$job"';
const RATE = '[$__rate_interval]';

export const ROWS: readonly Row[] = [
  {
    title: 'Is it well?',
    panels: [
      stat('Replicas that answer', 'As many as were installed.', `sum(up{${T}})`),
      stat(
        'Leases held',
        'One, and with shards more. None while leadership changes hands.',
        `sum(leader_election_master_status{${T}})`,
      ),
      stat('Keys that wait', 'About none.', `sum(workqueue_depth{${T}})`),
      stat(
        'Failed reconciles in the last hour',
        'A few after an outage; none on a good day.',
        `sum(increase(controller_runtime_reconcile_errors_total{${T}}[1h]))`,
      ),
    ],
  },
  {
    title: 'Rollouts',
    panels: [
      graph('Where rollouts are', 'short', 'All NewReplicaSetAvailable, but for those under way.', [
        q(
          'count by (reason) (max by (exported_namespace, mydeployment, reason)' +
            ` (mydeployment_status_condition{${T},condition="Progressing"}))`,
          '{{reason}}',
        ),
      ]),
      graph('Pods that are missing', 'short', 'Short peaks while a rollout may spare some; none otherwise.', [
        q(
          `max by (exported_namespace, mydeployment) (mydeployment_status_replicas_unavailable{${T}}) > 0`,
          '{{exported_namespace}}/{{mydeployment}}',
        ),
      ]),
      graph('How long a rollout takes', 's', 'The median and the slowest tenth of those that ended.', [
        quantile(0.5, 'result', 'mydeployment_rollout_duration_seconds'),
        quantile(0.9, 'result', 'mydeployment_rollout_duration_seconds'),
      ]),
    ],
  },
  {
    title: 'Rollouts by policy',
    panels: [
      graph('What they wait for', 'short', 'Rollouts under way, and those that need a person.', [
        q(
          'count by (reason) (max by (exported_namespace, rolloutpolicy, reason)' +
            ` (rolloutpolicy_status_condition{${T},condition=~"Reconciling|Stalled",status="True"}))`,
          '{{reason}}',
        ),
      ]),
      graph('Steps, promotions, ends', 'short', 'By the hour. A rejection has its reason.', [
        q(
          `max by (transition, reason) (increase(rolloutpolicy_transitions_total{${T}}[1h]))`,
          '{{transition}} {{reason}}',
        ),
      ]),
      graph('How long a promotion takes', 's', 'The median and the slowest tenth, from when the pods were available.', [
        quantile(0.5, 'job', 'rolloutpolicy_promotion_wait_seconds'),
        quantile(0.9, 'job', 'rolloutpolicy_promotion_wait_seconds'),
      ]),
      graph('Measurements of gates', 'ops', 'By what came of them. Errors hold rollouts up.', [
        q(`sum by (by, outcome) (rate(rolloutpolicy_measurements_total{${T}}${RATE}))`, '{{by}} {{outcome}}'),
      ]),
    ],
  },
  {
    title: 'Reconciles',
    panels: [
      graph('Reconciles', 'ops', 'What each controller does, by result.', [
        q(
          `sum by (controller, result) (rate(controller_runtime_reconcile_total{${T}}${RATE}))`,
          '{{controller}} {{result}}',
        ),
      ]),
      graph('How long a reconcile takes', 's', 'The median and the slowest hundredth.', [
        quantile(0.5, 'controller', 'controller_runtime_reconcile_time_seconds'),
        quantile(0.99, 'controller', 'controller_runtime_reconcile_time_seconds'),
      ]),
      graph('Busy workers', 'percentunit', 'At 100 % for long, more workers would help: --max-concurrent-reconciles.', [
        q(
          `sum by (controller) (controller_runtime_active_workers{${T}})` +
            ` / sum by (controller) (controller_runtime_max_concurrent_reconciles{${T}})`,
          '{{controller}}',
        ),
      ]),
    ],
  },
  {
    title: 'Queues',
    panels: [
      graph('Keys that wait', 'short', 'Short peaks are normal; a slope is not.', [
        q(`sum by (name) (workqueue_depth{${T}})`, '{{name}}'),
      ]),
      graph('How long a key waits', 's', 'The median and the slowest hundredth.', [
        quantile(0.5, 'name', 'workqueue_queue_duration_seconds'),
        quantile(0.99, 'name', 'workqueue_queue_duration_seconds'),
      ]),
      graph('Keys added, and looked at again', 'ops', 'Retries follow failures and timers.', [
        q(`sum by (name) (rate(workqueue_adds_total{${T}}${RATE}))`, '{{name}} added'),
        q(`sum by (name) (rate(workqueue_retries_total{${T}}${RATE}))`, '{{name}} again'),
      ]),
      graph('The longest work going on', 's', 'A steady slope is a reconcile that is stuck.', [
        q(`max by (name) (workqueue_longest_running_processor_seconds{${T}})`, '{{name}}'),
      ]),
    ],
  },
  {
    title: 'The API server',
    panels: [
      graph('Requests', 'ops', 'By method and status code.', [
        q(`sum by (method, code) (rate(rest_client_requests_total{${T}}${RATE}))`, '{{method}} {{code}}'),
      ]),
      graph('How long a request takes', 's', 'The slowest hundredth.', [
        quantile(0.99, 'verb', 'rest_client_request_duration_seconds'),
      ]),
      graph('Retries and waits for the rate limit', 'ops', 'None, unless the API server is under pressure.', [
        q(`sum by (code) (rate(rest_client_request_retries_total{${T}}${RATE}))`, 'retry after {{code}}'),
        q(`sum(rate(rest_client_rate_limiter_duration_seconds_count{${T}}${RATE}))`, 'requests through the rate limit'),
      ]),
      graph('What watches and caches missed', 'short', 'About none: events lost, and writes of our own not seen yet.', [
        q(
          `sum by (resource) (increase(cache_changes_found_by_relist_total{${T}}${RATE}))`,
          '{{resource}} found by listing again',
        ),
        q(
          `sum by (controller) (increase(controller_stale_sync_skips_total{${T}}${RATE}))`,
          '{{controller}} waits for its cache',
        ),
        q(
          `sum by (controller) (increase(controller_expectations_leaked_total{${T}}${RATE}))`,
          '{{controller}} gave up waiting',
        ),
      ]),
    ],
  },
  {
    title: 'Webhooks',
    panels: [
      graph('Admission requests', 'ops', 'By webhook and HTTP status; refusals are answered with 200.', [
        q(
          `sum by (webhook, code) (rate(controller_runtime_webhook_requests_total{${T}}${RATE}))`,
          '{{webhook}} {{code}}',
        ),
      ]),
      graph('How long an answer takes', 's', 'The slowest hundredth. The API server gives up after 10 s.', [
        quantile(0.99, 'webhook', 'controller_runtime_webhook_latency_seconds'),
      ]),
      graph(
        'How long certificates last',
        's',
        'Renewed when a third is left: the serving one never has less than 30 d.',
        [q(`min by (certificate) (certificate_expiry_timestamp_seconds{${T}}) - time()`, '{{certificate}}')],
      ),
    ],
  },
  {
    title: 'The process',
    panels: [
      graph('CPU', 'short', 'In cores.', [q(`rate(process_cpu_seconds_total{${T}}${RATE})`, '{{pod}}')]),
      graph('Memory', 'bytes', 'Grows with the objects in the cache, then stays.', [
        q(`process_resident_memory_bytes{${T}}`, '{{pod}} resident'),
        q(`nodejs_heap_size_used_bytes{${T}}`, '{{pod}} heap'),
      ]),
      graph('Event loop lag', 's', 'Below 0.1 s. A leader that cannot renew for 10 s gives up.', [
        q(`nodejs_eventloop_lag_p99_seconds{${T}}`, '{{pod}}'),
      ]),
    ],
  },
];

function stat(title: string, description: string, expr: string): Panel {
  return { title, description, unit: 'short', stat: true, queries: [q(expr, '')] };
}

function graph(title: string, unit: Panel['unit'], description: string, queries: readonly Query[]): Panel {
  return { title, description, unit, queries };
}

function q(expr: string, legend: string): Query {
  return { expr, legend };
}

function quantile(share: number, label: string, histogram: string): Query {
  const expr = `histogram_quantile(${share}, sum by (${label}, le) (rate(${histogram}_bucket{${T}}${RATE})))`;
  return q(expr, `{{${label}}} ${share * 100} %`);
}
