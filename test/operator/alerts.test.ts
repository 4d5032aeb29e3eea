import { describe, expect, it } from '@jest/globals';
import { Chart, Testing } from 'cdk8s';
import { alertRules } from '../../src/operator/alert-rules.ts';
import { OperatorAlerts, type OperatorAlertsProps } from '../../src/operator/alerts.ts';
import { everyFamily } from './all-metrics.ts';
import { unknownIn } from './expression.ts';

const rules = alertRules('job="operator"');

function render(props: OperatorAlertsProps = {}) {
  const chart = new Chart(Testing.app(), 'chart');
  new OperatorAlerts(chart, 'alerts', props);
  return Testing.synth(chart)[0];
}

describe('alerts', () => {
  it.each(rules)('$alert asks for metrics and labels that there are', async ({ expr }) => {
    expect(unknownIn(expr, await everyFamily())).toEqual([]);
  });

  it.each(rules)('$alert asks about our operator and no other', ({ expr }) => {
    const selectors = expr.match(/\{[^}]*\}/g) ?? [];
    expect(selectors.length).toBeGreaterThan(0);
    expect(selectors.filter((selector) => !selector.includes('job="operator"'))).toEqual([]);
  });

  it.each(rules)('$alert speaks of labels that its result has', ({ expr, annotations }) => {
    const spoken = Object.values(annotations).flatMap((text) =>
      [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label),
    );
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '));
    expect(spoken.filter((label) => !grouped.includes(label as string))).toEqual([]);
  });

  it('have names of their own', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^MyDeployment[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
  });

  it('are a PrometheusRule where the operator is', () => {
    expect(render()).toMatchObject({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: 'mydeployment-controller-manager', namespace: 'mydeployment-system' },
      spec: {
        groups: [
          {
            name: 'mydeployment-operator',
            rules: alertRules('job="mydeployment-metrics-service",namespace="mydeployment-system"'),
          },
        ],
      },
    });
  });

  it('follow the props', () => {
    const rendered = render({ namespace: 'ops', job: 'mine', labels: { release: 'prometheus' } });
    expect(rendered.metadata).toMatchObject({ namespace: 'ops', labels: { release: 'prometheus' } });
    expect(rendered.spec.groups[0].rules[0].expr).toBe('absent(up{job="mine",namespace="ops"} == 1)');
  });

  it('may be left out by name, and a wrong name is told', () => {
    const left = render({ without: ['MyDeploymentOperatorDown'] }).spec.groups[0].rules;
    expect(left).toHaveLength(rules.length - 1);
    expect(JSON.stringify(left)).not.toContain('MyDeploymentOperatorDown');
    expect(() => render({ without: ['Nonsense'] })).toThrow('chart/alerts: there is no alert Nonsense');
  });
});
