// The alert rules about the operator and its rollouts. Critical alerts need attention at once, warnings can wait until the next
// working day. Pure data; a test looks up every metric and label in a scrape of the operator.

/** A rule as Prometheus reads it. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: 'critical' | 'warning' };
  readonly annotations: { readonly summary: string; readonly description: string };
}

/** All rules, about the scrape targets that `target` selects. */
export function alertRules(target: string): AlertRule[] {
  return [
    ...lifeAlerts(target),
    ...rolloutAlerts(target),
    ...reconcileAlerts(target),
    ...apiAlerts(target),
    ...webhookAlerts(target),
    ...certificateAlerts(target),
  ];
}

function lifeAlerts(target: string): AlertRule[] {
  return [
    critical('MyDeploymentOperatorDown', '5m', {
      expr: `absent(up{${target}} == 1)`,
      summary: 'No replica of the MyDeployment operator answers Prometheus.',
      description:
        'Pods that die are not replaced, and objects of its kinds cannot be changed while its webhooks are away.',
    }),
    critical('MyDeploymentOperatorNoLeader', '3m', {
      expr: `sum(leader_election_master_status{${target}}) < 1`,
      summary: 'The MyDeployment operator runs, but no replica leads.',
      description: 'Nothing is reconciled. Look at the Lease and at the log of each replica.',
    }),
    critical('MyDeploymentShardWithoutHolder', '3m', {
      expr: `sum(shards_held{${target}}) < max(shards{${target}})`,
      summary: 'The MyDeployment operator runs, but no replica works on some of the namespaces.',
      description: 'Nothing is reconciled in them. Look at the Leases of the shards and at the log of each replica.',
    }),
    warning('MyDeploymentOperatorEventLoopSlow', '10m', {
      expr: `nodejs_eventloop_lag_p99_seconds{${target}} > 1`,
      summary: 'The operator is too busy to answer in time.',
      description:
        'One in a hundred turns of its event loop takes {{ $value | humanizeDuration }}. A lease is lost at 10 s.',
    }),
  ];
}

function rolloutAlerts(target: string): AlertRule[] {
  return [
    warning('MyDeploymentRolloutFailed', '1m', {
      expr:
        'max by (exported_namespace, mydeployment)' +
        ` (mydeployment_status_condition{${target},condition="Progressing",reason="ProgressDeadlineExceeded"}) > 0`,
      summary: 'The rollout of {{ $labels.exported_namespace }}/{{ $labels.mydeployment }} is past its deadline.',
      description:
        'It makes no progress. kubectl md -n {{ $labels.exported_namespace }} why {{ $labels.mydeployment }} says why.',
    }),
    warning('MyDeploymentRolloutStalled', '1m', {
      expr:
        'max by (exported_namespace, mydeployment, reason)' +
        ` (mydeployment_status_condition{${target},condition="Stalled",status="True",reason!="ProgressDeadlineExceeded"}) > 0`,
      summary:
        'The rollout of {{ $labels.exported_namespace }}/{{ $labels.mydeployment }} needs a person: {{ $labels.reason }}.',
      description:
        'Its RolloutPolicy holds it or has taken it back.' +
        ' kubectl md -n {{ $labels.exported_namespace }} why {{ $labels.mydeployment }} says why.',
    }),
    warning('MyDeploymentPromotionForgotten', '4h', {
      expr:
        'max by (exported_namespace, rolloutpolicy)' +
        ` (rolloutpolicy_status_condition{${target},condition="Reconciling",reason="AwaitingPromotion"}) > 0`,
      summary:
        'A rollout waits for a promotion by RolloutPolicy {{ $labels.exported_namespace }}/{{ $labels.rolloutpolicy }}.',
      description: 'It runs two revisions until a user promotes or aborts it: kubectl md rollout promote or abort.',
    }),
    warning('MyDeploymentPolicyNotAccepted', '15m', {
      expr:
        'max by (exported_namespace, rolloutpolicy, reason)' +
        ` (rolloutpolicy_status_condition{${target},condition="Accepted",status="False"}) > 0`,
      summary:
        'RolloutPolicy {{ $labels.exported_namespace }}/{{ $labels.rolloutpolicy }} governs nothing: {{ $labels.reason }}.',
      description: 'Its condition Accepted says why. A rollout that it has begun to govern is held.',
    }),
    warning('MyDeploymentGatesNotMeasured', '15m', {
      expr:
        `sum by (by) (increase(rolloutpolicy_measurements_total{${target},outcome=~"error|blocked"}[15m]))` +
        ` / sum by (by) (increase(rolloutpolicy_measurements_total{${target}}[15m])) > 0.5`,
      summary: 'Most measurements of gates by {{ $labels.by }} cannot be made.',
      description: 'Rollouts behind these gates do not go on. The status of their RolloutPolicies says why.',
    }),
  ];
}

function reconcileAlerts(target: string): AlertRule[] {
  return [
    warning('MyDeploymentReconcileErrors', '15m', {
      expr:
        `sum by (controller) (rate(controller_runtime_reconcile_errors_total{${target}}[10m]))` +
        ` / sum by (controller) (rate(controller_runtime_reconcile_total{${target}}[10m])) > 0.1`,
      summary: 'Reconciles of {{ $labels.controller }} fail.',
      description: '{{ $value | humanizePercentage }} of them did in the last ten minutes. The log has each error.',
    }),
    warning('MyDeploymentReconcileBug', '0m', {
      expr: `sum by (controller) (increase(controller_runtime_reconcile_panics_total{${target}}[15m])) > 0`,
      summary: 'A reconcile of {{ $labels.controller }} hit a bug of the operator.',
      description: 'The object is tried again. The log has the stack; please report it.',
    }),
    warning('MyDeploymentReconcileStuck', '5m', {
      expr: `max by (name) (workqueue_longest_running_processor_seconds{${target}}) > 300`,
      summary: 'A reconcile of {{ $labels.name }} does not end.',
      description: 'It has been going on for {{ $value | humanizeDuration }}.',
    }),
    warning('MyDeploymentQueueGrows', '15m', {
      expr:
        `sum by (name) (workqueue_depth{${target}}) > 100` +
        ` and sum by (name) (deriv(workqueue_depth{${target}}[15m])) > 0`,
      summary: 'The queue of {{ $labels.name }} grows.',
      description: '{{ $value }} keys wait. More arrive than are worked on: see --max-concurrent-reconciles.',
    }),
    warning('MyDeploymentQueueSlow', '15m', {
      expr: `histogram_quantile(0.99, sum by (name, le) (rate(workqueue_queue_duration_seconds_bucket{${target}}[10m]))) > 10`,
      summary: 'Objects of {{ $labels.name }} wait long for their turn.',
      description: 'One in a hundred waits longer than {{ $value | humanizeDuration }}.',
    }),
    warning('MyDeploymentWritesNotSeen', '0m', {
      expr: `sum by (controller) (increase(controller_expectations_leaked_total{${target}}[1h])) > 0`,
      summary: '{{ $labels.controller }} never saw some of its own creations or deletions.',
      description:
        'It gave up waiting for {{ $value }} of them and went on from what it sees. Watches may lose events.',
    }),
  ];
}

function apiAlerts(target: string): AlertRule[] {
  return [
    warning('MyDeploymentApiErrors', '10m', {
      expr:
        `sum(rate(rest_client_requests_total{${target},code=~"429|5..|<error>"}[5m]))` +
        ` / sum(rate(rest_client_requests_total{${target}}[5m])) > 0.05`,
      summary: 'Requests of the operator to the API server fail.',
      description: '{{ $value | humanizePercentage }} were refused for load, failed in the server, or got no answer.',
    }),
    warning('MyDeploymentForbidden', '15m', {
      expr: `sum(rate(rest_client_requests_total{${target},code="403",method="GET"}[10m])) > 0`,
      summary: 'The operator may not read something it has to.',
      description: 'A right is missing. The log names the request.',
    }),
    warning('MyDeploymentWatchesLoseEvents', '0m', {
      expr: `sum by (group, resource) (increase(cache_changes_found_by_relist_total{${target}}[1h])) > 10`,
      summary: 'Changes of {{ $labels.resource }} are found late.',
      description:
        '{{ $value | humanize }} of them were found in the last hour by listing all objects again, not by a watch.',
    }),
  ];
}

function webhookAlerts(target: string): AlertRule[] {
  return [
    critical('MyDeploymentWebhookErrors', '5m', {
      expr: `sum by (webhook) (rate(controller_runtime_webhook_requests_total{${target},code!="200"}[5m])) > 0`,
      summary: 'The webhook {{ $labels.webhook }} fails.',
      description: 'Objects of this kind cannot be created or changed while it does.',
    }),
    warning('MyDeploymentWebhookSlow', '10m', {
      expr: `histogram_quantile(0.99, sum by (webhook, le) (rate(controller_runtime_webhook_latency_seconds_bucket{${target}}[5m]))) > 2`,
      summary: 'The webhook {{ $labels.webhook }} answers slowly.',
      description:
        'One in a hundred requests takes {{ $value | humanizeDuration }}. The API server gives up after 10 s.',
    }),
  ];
}

function certificateAlerts(target: string): AlertRule[] {
  return [
    critical('MyDeploymentCertificateUnreadable', '15m', {
      expr: `increase(certwatcher_read_certificate_errors_total{${target}}[15m]) > 0`,
      summary: 'The operator cannot read its serving certificate.',
      description: 'It goes on with the one it has. When that expires, webhooks and metrics end.',
    }),
    critical('MyDeploymentCertificateExpires', '15m', {
      expr: `min by (certificate) (certificate_expiry_timestamp_seconds{${target}}) - time() < 7 * 24 * 3600`,
      summary: 'The {{ $labels.certificate }} certificate of the operator was not renewed in time.',
      description:
        'It ends in {{ $value | humanizeDuration }}. From then on, objects of its kinds cannot be created or changed.',
    }),
    warning('MyDeploymentCertificateRotationFails', '15m', {
      expr: `sum(increase(certificate_rotation_errors_total{${target}}[15m])) > 0`,
      summary: 'The operator cannot keep its certificates.',
      description: 'It cannot read or write its Secret or the webhook configurations. The log has each error.',
    }),
  ];
}

type Body = AlertRule['annotations'] & { readonly expr: string };

function critical(alert: string, lasting: string, body: Body): AlertRule {
  return ruleOf('critical', alert, lasting, body);
}

function warning(alert: string, lasting: string, body: Body): AlertRule {
  return ruleOf('warning', alert, lasting, body);
}

function ruleOf(
  severity: AlertRule['labels']['severity'],
  alert: string,
  lasting: string,
  { expr, ...annotations }: Body,
): AlertRule {
  return { alert, expr, for: lasting, labels: { severity }, annotations };
}
