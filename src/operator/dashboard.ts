// A Grafana dashboard of the operator: the JSON that Grafana imports, and a ConfigMap that its dashboard sidecar finds.

import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { type Panel, type Query, ROWS, type Row } from './dashboard-panels.ts';
import { INSTALLATION, LABELS } from './names.ts';

/** Settings of the dashboard. */
export interface OperatorDashboardProps {
  /**
   * Where Grafana's sidecar looks for dashboards.
   * @default 'mydeployment-system'
   */
  readonly namespace?: string;

  /**
   * The labels by which it finds them.
   * @default - `grafana_dashboard: "1"`, as the Grafana chart has it
   */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Shows how the operator is doing: `new OperatorDashboard(chart, 'dashboard')`. */
export class OperatorDashboard extends ApiObject {
  constructor(scope: Construct, id: string, props: OperatorDashboardProps = {}) {
    const { namespace = INSTALLATION.namespace, labels = { grafana_dashboard: '1' } } = props;
    super(scope, id, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'mydeployment-dashboard', namespace, labels: { ...LABELS, ...labels } },
      data: { 'mydeployment.json': `${JSON.stringify(operatorDashboard(), undefined, 2)}\n` },
    });
  }
}

const WIDTH = 24;
const TITLE_HEIGHT = 1;
const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/** The dashboard as Grafana imports it. */
export function operatorDashboard(): object {
  return {
    uid: 'mydeployment-operator',
    title: 'MyDeployment operator',
    tags: ['kubernetes', 'operator'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: { list: [datasourceVariable(), jobVariable()] },
    panels: layOut(ROWS),
  };
}

function datasourceVariable(): object {
  return { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' };
}

/** Other operators have metrics of the same names: the job that scrapes this operator selects its own. */
function jobVariable(): object {
  return {
    name: 'job',
    label: 'Job',
    type: 'query',
    datasource: DATASOURCE,
    query: { query: `label_values(leader_election_master_status{name="${INSTALLATION.manager}"}, job)`, refId: 'job' },
    refresh: 2,
    sort: 1,
  };
}

/** Rows under each other, the panels of a row side by side. */
function layOut(rows: readonly Row[]): object[] {
  let y = 0;
  let id = 1;
  return rows.flatMap(({ title, panels }) => {
    const height = panels.every(({ stat }) => stat) ? 4 : 8;
    const w = Math.floor(WIDTH / panels.length);
    const heading = {
      id: id++,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: WIDTH, h: 1 },
    };
    const placed = panels.map((panel, index) => ({
      id: id++,
      gridPos: { x: index * w, y: y + TITLE_HEIGHT, w, h: height },
      ...panelOf(panel),
    }));
    y += TITLE_HEIGHT + height;
    return [heading, ...placed];
  });
}

function panelOf({ title, description, unit, stat, queries }: Panel): object {
  return {
    type: stat ? 'stat' : 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    fieldConfig: { defaults: { unit, min: 0, ...(unit === 'percentunit' && { max: 1 }) }, overrides: [] },
    targets: queries.map(targetOf),
  };
}

function targetOf({ expr, legend }: Query, index: number): object {
  return { refId: String.fromCharCode(65 + index), datasource: DATASOURCE, expr, legendFormat: legend };
}
