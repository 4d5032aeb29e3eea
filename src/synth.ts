// The cdk8s app behind `cdk8s synth` and `make synth`. It writes
//   crds/               the CRDs, one file a kind, apart: deleting the operator must not delete objects of users
//   manifests/          the operator, one file a part, named so that `kubectl apply -f manifests/` finds the right order
//   charts/mydeployment the Helm chart, with the CRDs
//   dist/install.yaml   CRDs and operator in one file, for a release
//   docs/monitoring/    alert rules and dashboard, for users who do not install with constructs
// Nothing here may import generated TypeScript: types and typed constructs are made from what this writes.

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ApiObject, App, Chart, Yaml } from 'cdk8s';
import packageJson from '../package.json' with { type: 'json' };
import { helmChart } from './helm/chart.ts';
import { KINDS } from './kinds/kinds.ts';
import { OperatorAlerts } from './operator/alerts.ts';
import { OperatorChart } from './operator/chart.ts';
import { CustomResourceDefinition } from './operator/crd.ts';
import { operatorDashboard } from './operator/dashboard.ts';
import { INSTALLATION } from './operator/names.ts';
import type { OperatorProps } from './operator/props.ts';

const image = `${packageJson.name}:${packageJson.version}`;

function writeCrds(folder: string): void {
  const app = new App({ outdir: folder, outputFileExtension: '.yaml' });
  for (const { definition } of Object.values(KINDS)) {
    new CustomResourceDefinition(new Chart(app, definition.resource.plural), 'crd', definition, INSTALLATION);
  }
  app.synth();
}

function writeParts(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, { node }] of operator({ image }).chart.node.children.entries()) {
    const objects = node.findAll().filter((construct) => construct instanceof ApiObject);
    Yaml.save(
      `${folder}/${index}-${node.id}.yaml`,
      objects.map((object) => object.toJson()),
    );
  }
}

function writeHelmChart(folder: string, crds: string): void {
  rmSync(folder, { recursive: true, force: true });
  const { name, version, description } = packageJson;
  for (const [path, text] of helmChart({ name, version, description, image })) {
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
    writeFileSync(`${folder}/${path}`, text);
  }
  cpSync(crds, `${folder}/crds`, { recursive: true });
}

function writeInstaller(file: string): void {
  mkdirSync('dist', { recursive: true });
  writeFileSync(file, operator({ image, includeCrds: true }).app.synthYaml());
}

function writeMonitoring(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const alerts = new OperatorAlerts(new Chart(new App(), 'monitoring'), 'alerts');
  writeFileSync(`${folder}/alerts.yaml`, Yaml.stringify(alerts.toJson()));
  writeFileSync(`${folder}/dashboard.json`, `${JSON.stringify(operatorDashboard(), undefined, 2)}\n`);
}

function operator(props: OperatorProps): { readonly app: App; readonly chart: Chart } {
  const app = new App();
  return { app, chart: new OperatorChart(app, packageJson.name, props) };
}

writeCrds('crds');
writeParts(process.env.CDK8S_OUTDIR ?? 'manifests');
writeHelmChart('charts/mydeployment', 'crds');
writeInstaller('dist/install.yaml');
writeMonitoring('docs/monitoring');
