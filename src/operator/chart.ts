// The whole installation of this project's operator as one chart, so that another cdk8s app installs it in three lines.

import type { Construct } from 'constructs';
import { InstallationChart } from './installation-chart.ts';
import type { OperatorProps } from './props.ts';
import { ownInstallation } from './settings.ts';

/** Installs the operator: `new OperatorChart(app, 'mydeployment', { image })`. */
export class OperatorChart extends InstallationChart {
  constructor(scope: Construct, id: string, props: OperatorProps) {
    super(scope, id, ownInstallation([scope.node.path, id].filter(Boolean).join('/'), props));
  }
}
