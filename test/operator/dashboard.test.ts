import { describe, expect, it } from '@jest/globals';
import { Chart, Testing } from 'cdk8s';
import { OperatorDashboard, operatorDashboard } from '../../src/operator/dashboard.ts';
import { ROWS } from '../../src/operator/dashboard-panels.ts';
import { everyFamily } from './all-metrics.ts';
import { metricsIn, unknownIn } from './expression.ts';

const queries = ROWS.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries));

interface PlacedPanel {
  readonly id: number;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

const { panels } = operatorDashboard() as { panels: readonly PlacedPanel[] };

describe('the dashboard', () => {
  it.each(queries)('asks for metrics and labels that there are: $expr', async ({ expr }) => {
    expect(unknownIn(expr, await everyFamily())).toEqual([]);
  });

  it.each(queries)('asks about the chosen job and no other: $expr', ({ expr }) => {
    const selectors = expr.match(/\{[^}]*\}/g) ?? [];
    expect(selectors.length).toBeGreaterThan(0);
    expect(selectors.filter((selector) => !selector.includes('job="$job"'))).toEqual([]);
  });

  it.each(queries.filter(({ expr }) => expr.includes('by (')))(
    'names lines by labels they have: $expr',
    ({ expr, legend }) => {
      const labels = metricsIn(expr).flatMap((used) => used.labels);
      const named = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((label) => !labels.includes(label))).toEqual([]);
    },
  );

  it('has panels that do not overlap, within the width of the page', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it("is a ConfigMap that Grafana's sidecar finds, with the JSON that Grafana imports", () => {
    const chart = new Chart(Testing.app(), 'chart');
    new OperatorDashboard(chart, 'dashboard', { namespace: 'grafana' });
    const [{ data, ...configMap }] = Testing.synth(chart) as [{ data: Record<string, string> }];
    expect(configMap).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'mydeployment-dashboard',
        namespace: 'grafana',
        labels: { 'app.kubernetes.io/name': 'mydeployment', grafana_dashboard: '1' },
      },
    });
    expect(JSON.parse(data['mydeployment.json'] as string)).toEqual(operatorDashboard());
  });
});
