// Alert rules about the operator, as a PrometheusRule for clusters with the Prometheus operator. Without it, copy the groups
// from the YAML into Prometheus' configuration.

import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { alertRules } from './alert-rules.ts';
import { INSTALLATION, LABELS } from './names.ts';

/** Settings of the alerts. */
export interface OperatorAlertsProps {
  /**
   * Where the operator is installed; the rules are, too.
   * @default 'mydeployment-system'
   */
  readonly namespace?: string;

  /**
   * The job under which Prometheus scrapes the operator.
   * @default 'mydeployment-metrics-service', as with `serviceMonitor: true`
   */
  readonly job?: string;

  /**
   * Labels by which a Prometheus finds its rules, such as `release: prometheus`.
   * @default - none but our own
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * Alerts to leave out, by name.
   * @default - none
   */
  readonly without?: readonly string[];
}

/** Tells Prometheus when the operator is not well: `new OperatorAlerts(chart, 'alerts')`. */
export class OperatorAlerts extends ApiObject {
  constructor(scope: Construct, id: string, props: OperatorAlertsProps = {}) {
    const { namespace = INSTALLATION.namespace, job = INSTALLATION.metricsService, without = [] } = props;
    const rules = alertRules(`job="${job}",namespace="${namespace}"`);
    super(scope, id, {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: INSTALLATION.manager, namespace, labels: { ...LABELS, ...props.labels } },
      spec: {
        groups: [{ name: 'mydeployment-operator', rules: rules.filter(({ alert }) => !without.includes(alert)) }],
      },
    });
    const unknown = without.filter((name) => !rules.some(({ alert }) => alert === name));
    if (unknown.length > 0) throw new Error(`${this.node.path}: there is no alert ${unknown.join(', ')}`);
  }
}
