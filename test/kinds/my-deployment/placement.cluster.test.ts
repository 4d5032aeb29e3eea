// Whether the scheduler really spreads pods of a kind that it does not know. The nodes here have no zone labels, as in
// many small clusters, where one constraint too many undoes all spreading.

import { expect, it } from '@jest/globals';
import { Testing } from 'cdk8s';
import { MyDeployment } from '../../../src/kinds/my-deployment/construct.ts';
import { useSharedCluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';

const cluster = await useSharedCluster();

async function kubectl(args: readonly string[], input = ''): Promise<string> {
  const { stdout, stderr } = await cluster.kubectl(args, { input });
  expect(stderr).toBe('');
  return stdout;
}

async function createPods(pods: readonly object[]): Promise<void> {
  const items = pods.map((pod) => ({ apiVersion: 'v1', kind: 'Pod', ...pod }));
  await kubectl(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

it('spreads the pods of a MyDeployment evenly over nodes, also where one of them has more room', async () => {
  const namespace = await cluster.namespace();
  const [, ...others] = (await kubectl(['get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}'])).split(' ');
  const container = { name: 'busy', image: 'busybox', resources: { requests: { cpu: '4' } } };
  await createPods(
    others.map((nodeName) => ({
      metadata: { name: `busy-${nodeName}`, namespace },
      spec: { nodeName, containers: [container] },
    })),
  );

  const chart = Testing.chart();
  new MyDeployment(chart, 'web', {
    containers: [{ image: 'nginx', resources: {} }],
    podMetadata: { labels: { app: 'web' } },
  });
  const { metadata, spec } = Testing.synth(chart)[0].spec.template;
  const names = Array.from({ length: 9 }, (_, index) => `web-${index}`);
  await createPods(names.map((name) => ({ metadata: { ...metadata, name, namespace }, spec })));

  await eventually(async () => {
    const path = 'jsonpath={.items[*].spec.nodeName}';
    const nodes = (await kubectl(['get', 'pods', '-n', namespace, '-l', 'app=web', '-o', path])).split(' ');
    expect(Object.values(Object.groupBy(nodes, (node) => node)).map((pods) => pods?.length)).toEqual([3, 3, 3]);
  });
});
