// An operator that may work in some namespaces only: installed with rights in no others, it does its work there, and
// leaves the rest of the cluster alone without ever asking for it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import { type LocalOperator, startOperator } from '../../src/local/operator.ts';
import { OperatorChart } from '../../src/operator/chart.ts';
import type { Manifest } from '../../src/runtime/object.ts';
import { useOwnCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

let operator: LocalOperator | undefined;
afterAll(() => operator?.stop());
const { cluster, client, kubectl } = await useOwnCluster({ name: 'namespaces' });

const NAMESPACES = ['blue', 'green'];

function web(namespace: string): Manifest<MyDeployment> {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
  return { metadata: { namespace, name: 'web' }, spec: { selector: { matchLabels: labels }, template } } as never;
}

async function install(): Promise<void> {
  const app = new App();
  new OperatorChart(app, 'operator', { image: 'operator:1', namespaces: NAMESPACES, includeCrds: true });
  const input = app.synthYaml();
  // A definition is there a moment before its objects can be.
  await eventually(async () => expect(await kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 }));
}

it('works in its namespaces, and asks for nothing in others', async () => {
  for (const namespace of [...NAMESPACES, 'red']) await kubectl(['create', 'namespace', namespace]);
  await install();
  operator = await startOperator(cluster, { flags: [`--namespaces=${NAMESPACES.join(',')}`] });
  for (const namespace of ['red', ...NAMESPACES]) await client.create(myDeployments, web(namespace));
  const statusIn = async (namespace: string) => (await client.get(myDeployments, { namespace, name: 'web' })).status;
  for (const namespace of NAMESPACES) {
    await eventually(async () => expect(await statusIn(namespace)).toMatchObject({ availableReplicas: 1 }));
  }
  // Changes go on where they are watched, whatever is quiet elsewhere.
  const blue = { namespace: 'blue', name: 'web' };
  await client.patch(myDeployments, blue, { type: 'merge', body: { spec: { replicas: 3 } } });
  await eventually(async () => expect(await statusIn('blue')).toMatchObject({ availableReplicas: 3 }));
  expect(await statusIn('red')).toMatchObject({ observedGeneration: -1 });
  expect(readFileSync(join(cluster.home, 'logs', 'operator.log'), 'utf8')).not.toMatch(/forbidden/i);
});
