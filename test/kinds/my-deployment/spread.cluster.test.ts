// Pods of a plain manifest are spread as those of a Deployment with the same spec are: over zones where nodes have them,
// and over nodes alone where they have none. Some nodes have much less room than others, so that the scheduler would put
// pods that nothing spreads onto the others.

import { expect, it } from '@jest/globals';
import { useStage } from '../../e2e/stage.ts';
import { eventually } from '../../support/eventually.ts';

const REPLICAS = 12;
const stage = await useStage({ name: 'spread', nodes: 6, operator: { flags: ['--kinds=mydeployment'] } });

const KINDS = { native: 'apps/v1 Deployment', ours: 'kubebuilder.zq.com/v1beta1 MyDeployment' } as const;

async function kubectl(args: readonly string[], input = ''): Promise<string> {
  const { stdout, stderr } = await stage.kubectl(args, { input });
  expect(stderr).toBe('');
  return stdout;
}

async function nodeNames(): Promise<readonly string[]> {
  return (await kubectl(['get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}'])).split(' ').sort();
}

/** Takes most of the room on these nodes. */
async function fill(nodes: readonly string[]): Promise<void> {
  const namespace = await stage.namespace();
  const containers = [{ name: 'busy', image: 'busy', resources: { requests: { cpu: '24', memory: '192Gi' } } }];
  const items = nodes.map((nodeName) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `busy-${nodeName}`, namespace },
    spec: { nodeName, containers },
  }));
  await kubectl(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

/** The nodes on which the pods of a workload come to be, after which it is deleted. */
async function placed(which: keyof typeof KINDS): Promise<readonly string[]> {
  const namespace = await stage.namespace();
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } };
  const [apiVersion, kind] = KINDS[which].split(' ');
  const spec = { replicas: REPLICAS, selector: { matchLabels: labels }, template };
  await kubectl(
    ['create', '-f', '-'],
    JSON.stringify({ apiVersion, kind, metadata: { name: 'web', namespace }, spec }),
  );
  const path = 'jsonpath={.items[*].spec.nodeName}';
  const nodes = await eventually(async () => {
    const names = (await kubectl(['get', 'pods', '-n', namespace, '-o', path])).split(' ').filter(Boolean);
    expect(names).toHaveLength(REPLICAS);
    return names;
  });
  await kubectl(['delete', 'namespace', namespace, '--wait=false']);
  await eventually(async () => expect(await kubectl(['get', 'pods', '-n', namespace, '-o', 'name'])).toBe(''));
  return nodes;
}

/** How many fall to each, from many to few. */
function counts(places: readonly string[]): readonly number[] {
  const groups = Object.values(Object.groupBy(places, (place) => place));
  return groups.map((group) => group?.length ?? 0).sort((one, other) => other - one);
}

it('spreads pods over nodes as natively where nodes have no zones', async () => {
  await fill((await nodeNames()).slice(0, 3));
  const [native, ours] = [await placed('native'), await placed('ours')];
  expect(counts(ours)).toEqual(counts(native));
});

it('spreads pods over three zones as natively', async () => {
  const nodes = await nodeNames();
  const zoneOf = (node: string): string => ['a', 'b', 'b', 'c', 'c', 'c'][nodes.indexOf(node)] as string;
  for (const node of nodes) await kubectl(['label', 'node', node, `topology.kubernetes.io/zone=${zoneOf(node)}`]);
  // An operator that runs would learn of zones within a minute.
  await stage.operator.process.kill();
  await stage.startOperator();
  const [native, ours] = [await placed('native'), await placed('ours')];
  expect(counts(ours.map(zoneOf))).toEqual(counts(native.map(zoneOf)));
});
