// Measures what changes of a Deployment and of a MyDeployment set off, on a cluster of its own, and prints it as a table:
//   npx node test/kinds/collector/table.ts

import { totalOf } from '../../../src/kinds/collector/change-log.ts';
import type { CollectorStatusChange } from '../../../src/kinds/collector/types.gen.ts';
import { installOperator, startOperator } from '../../../src/local/operator.ts';
import { type Cluster, startCluster } from '../../../src/testing/index.ts';
import { STEPS, Tour } from './tour.ts';

const KINDS = {
  Deployment: ['Deployment', 'ReplicaSet', 'Pod'],
  MyDeployment: ['MyDeployment', 'ControllerRevision', 'Pod'],
} as const;

/** `5 + 5 + 6 = **16**, 16`: events of the target, of what it keeps its history in, of pods; all; reconciles. */
function cell({ total, events, reconciles }: CollectorStatusChange, kinds: readonly string[]): string {
  const counts = kinds.map((kind) => totalOf(events.filter((count) => count.kind === kind)));
  return `${counts.join(' + ')} = **${total}**, ${reconciles}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

async function measure(cluster: Cluster): Promise<(readonly CollectorStatusChange[])[]> {
  await installOperator(cluster);
  const operator = await startOperator(cluster, { flags: ['--kinds=collector,mydeployment'] });
  try {
    const columns = [];
    for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
      const namespace = `tour-${kind.toLowerCase()}`;
      await cluster.kubectl(['create', 'namespace', namespace]);
      const tour = new Tour(cluster.client, namespace, kind);
      await tour.begin();
      columns.push(await tour.run());
      console.error((await cluster.kubectl(['get', 'collector', '-n', namespace])).stdout);
    }
    return columns;
  } finally {
    await operator.stop();
  }
}

const own = await startCluster({ name: 'collector-table' });
try {
  const columns = await measure(own.cluster);
  const titles = Object.values(KINDS).map((kinds) => `${kinds.join(' + ')} = all, reconciles`);
  console.log(row(['change', ...titles]));
  console.log(row(['---', ...titles.map(() => '---')]));
  for (const [index, { name }] of STEPS.entries()) {
    const cells = Object.values(KINDS).map((kinds, column) =>
      cell(columns[column]?.[index] as CollectorStatusChange, kinds),
    );
    console.log(row([name, ...cells]));
  }
} finally {
  await own.close();
}
