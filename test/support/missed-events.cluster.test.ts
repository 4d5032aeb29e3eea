// What is reconstructed from etcd has to be what an uninterrupted watch shows.

import { expect, it } from '@jest/globals';
import type { KubeObject } from '../../src/runtime/object.ts';
import { controllerRevisions } from '../../src/workload/write-context.ts';
import { useSharedCluster } from './cluster.ts';
import { missedEvents } from './missed-events.ts';

const cluster = await useSharedCluster();
const { client } = cluster;

it('tells what a watch shows: what came, changed, went, and came and went', async () => {
  const namespace = await cluster.namespace();
  const create = (name: string) =>
    client.create(controllerRevisions, { metadata: { namespace, name }, data: {}, revision: 1 });
  const renumber = (name: string, revision: number) =>
    client.patch(controllerRevisions, { namespace, name }, { type: 'merge', body: { revision } });
  const remove = (name: string) => client.delete(controllerRevisions, { namespace, name });

  await Promise.all([create('stays'), create('changes'), create('goes')]);
  const { items: present, metadata: start } = await client.list(controllerRevisions, { namespace });
  await create('comes');
  await renumber('changes', 2);
  await renumber('changes', 3);
  await create('passes');
  await renumber('passes', 2);
  await remove('passes');
  await remove('goes');
  await create('goes');
  const { metadata: end } = await client.list(controllerRevisions, { namespace });

  const from = start.resourceVersion as string;
  const to = end.resourceVersion as string;
  const shown: unknown[] = [];
  for await (const event of client.watch(controllerRevisions, { namespace, resourceVersion: from })) {
    if (event.type !== 'BOOKMARK') shown.push(sketch(event.type, event.object));
    if (shown.length === 8) break;
  }
  const told = await missedEvents(client, controllerRevisions, { namespace, from, to, present });
  expect(told.map(({ type, object }) => sketch(type, object))).toEqual(shown);
});

function sketch(type: string, { metadata, ...rest }: KubeObject & { readonly revision?: number }): unknown {
  return { type, metadata, revision: rest.revision };
}
