// Cases of Kubernetes' pod control, which creates and deletes for every controller: what a created pod looks like, and
// which deletions are waited for.

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OwnerWrites } from '../../src/runtime/consistency/owner-writes.ts';
import { WriteTracker } from '../../src/runtime/consistency/write-tracker.ts';
import { ApiError } from '../../src/runtime/errors.ts';
import type { Manifest } from '../../src/runtime/object.ts';
import type { Pod } from '../../src/workload/pod.ts';
import { createPods, deletePods } from '../../src/workload/pod-writes.ts';
import type { WriteContext } from '../../src/workload/write-context.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { boxContext } from './box-context.ts';

const identity = { key: 'default/box', uid: 'box-uid' };
const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Box', name: 'box', uid: 'box-uid', controller: true }];
const pod = (name: string): Pod => ({
  metadata: { name, uid: `uid-of-${name}`, resourceVersion: '7', ownerReferences },
});

let tracker: WriteTracker;
let writes: OwnerWrites;
let created: Manifest<Pod>[];
/** Pods that are in the cache, and pods that the API server has. */
let shown: Set<string>;
let present: Set<string>;
let context: WriteContext;

beforeEach(() => {
  tracker = new WriteTracker({ clock: new FakeClock(), lastSynced: () => '1000' });
  writes = tracker.of(identity);
  created = [];
  shown = new Set();
  present = new Set();
  const client = {
    create: async (_: unknown, manifest: Manifest<Pod>) => {
      created.push(manifest);
      return { ...manifest, metadata: { ...manifest.metadata, ...pod(manifest.metadata.name as string).metadata } };
    },
    delete: async (_: unknown, { name }: { name: string }) => {
      if (!present.has(name)) throw new ApiError('NotFound', `${name}: NotFound`);
      return pod(name);
    },
  };
  context = boxContext(client, { pods: { get: (key) => (shown.has(key) ? pod(key) : undefined) }, writes });
});

const isBehind = () => writes.behindUntil() !== undefined;
const remove = (...names: string[]) =>
  deletePods(
    context,
    names.map((name) => ({ do: 'deletePod', name, uid: `uid-of-${name}`, revision: 'r', because: 'b' })),
  );

describe('controller_utils_test.go TestCreatePodsWithGenerateName', () => {
  it('a pod has the prefix of its owner, the labels and spec of the template, and one controller', async () => {
    const template = { metadata: { labels: { app: 'box' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
    await createPods(context, {
      do: 'createPods',
      revision: 'box-h',
      source: { hash: 'h', template, selector: {} },
      count: 1,
    });
    expect(created).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: expect.stringMatching(/^box-h-[bcdfghjklmnpqrstvwxz2456789]{5}$/),
          namespace: 'default',
          labels: { app: 'box', 'controller-revision-hash': 'h', 'pod-template-hash': 'h' },
          ownerReferences: [
            {
              apiVersion: 'example.com/v1',
              kind: 'Box',
              name: 'box',
              uid: 'box-uid',
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        spec: template.spec,
      },
    ]);
  });
});

describe('controller_utils_test.go TestDeletePodsAllowsMissing', () => {
  it('a pod that is gone already is no failure', async () => {
    expect(await remove('a')).toEqual([]);
    expect(isBehind()).toBe(false);
  });

  it('the cache has yet to see that it is gone', async () => {
    shown.add('default/a');
    expect(await remove('a')).toEqual([]);
    expect(isBehind()).toBe(true);
  });
});

describe('replica_set_test.go TestGetPodKeys: which deletions are waited for', () => {
  const gone = (name: string) =>
    tracker.observe({ type: 'deleted', object: pod(name), initial: false }, () => [identity.key]);

  it('none when there are none', async () => {
    expect(await remove()).toEqual([]);
    expect(isBehind()).toBe(false);
  });

  it('each of them, by what it is and not by its name', async () => {
    for (const name of ['pod1', 'pod2']) {
      shown.add(`default/${name}`);
      present.add(name);
    }
    await remove('pod1', 'pod2');
    gone('pod1');
    const other = { metadata: { ...pod('pod2').metadata, uid: 'x' } };
    tracker.observe({ type: 'deleted', object: other, initial: false }, () => [identity.key]);
    expect(isBehind()).toBe(true);
    gone('pod2');
    expect(isBehind()).toBe(false);
  });
});
