// Creating pods of given names and deleting with conditions, against an API that answers as told: what is remembered, and
// what is reported.

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../src/runtime/client/client.ts';
import { confirmWrites } from '../../src/runtime/consistency/confirm.ts';
import type { OwnerWrites } from '../../src/runtime/consistency/owner-writes.ts';
import { WriteTracker } from '../../src/runtime/consistency/write-tracker.ts';
import { ApiError, type ApiFailure } from '../../src/runtime/errors.ts';
import type { Pod } from '../../src/workload/pod.ts';
import { createNamedPods, createPods, deletePods } from '../../src/workload/pod-writes.ts';
import { pods, type WriteContext } from '../../src/workload/write-context.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { boxContext } from './box-context.ts';

const identity = { key: 'default/box', uid: 'box-uid' };
const ownedBy = (uid: string) => [{ apiVersion: 'example.com/v1', kind: 'Box', name: 'box', uid, controller: true }];
const selector = { matchLabels: { app: 'box' } };
const source = { template: { metadata: { labels: { app: 'box' } }, spec: { containers: [] } }, selector };

let clock: FakeClock;
let tracker: WriteTracker;
let writes: OwnerWrites;
/** How far the cache has come; what is written is at version 7. */
let synced: string;
let requests: string[];
/** What the next requests of a name meet. */
let failures: Map<string, ApiFailure>;
/** Pods that a look at the server finds, with the uids of their owners. */
let present: Map<string, string>;
/** Whether looks fail, too. */
let unreachable: boolean;
/** Pods that the cache shows otherwise than as the owner's. */
let shown: Map<string, Pod>;
let context: WriteContext;
/** What mutating admission makes of a pod. */
let admit: (pod: Pod) => Pod;

const podOf = (name: string, ownerUid: string): Pod => ({
  metadata: { name, uid: `uid-of-${name}`, resourceVersion: '1', ownerReferences: ownedBy(ownerUid) },
});

beforeEach(() => {
  shown = new Map();
  synced = '1000';
  clock = new FakeClock();
  tracker = new WriteTracker({ clock, lastSynced: () => synced });
  writes = tracker.of(identity);
  requests = [];
  failures = new Map();
  present = new Map();
  unreachable = false;
  admit = (pod) => pod;
  const answer = (name: string): Pod => {
    const failure = failures.get(name);
    if (failure !== undefined) throw new ApiError(failure, `${name}: ${failure}`);
    return { metadata: { name, uid: `uid-of-${name}`, resourceVersion: '7' } };
  };
  const client = {
    create: async (_: unknown, made: Pod) => {
      const { name, labels = {} } = made.metadata;
      requests.push(`create ${name} ${Object.keys(labels).join(' ')}`);
      return admit({ ...made, metadata: { ...made.metadata, ...answer(name).metadata } });
    },
    get: async (_: unknown, { name }: { name: string }): Promise<Pod> => {
      requests.push(`get ${name}`);
      if (unreachable) throw new ApiError('Connection', `${name}: Connection`);
      const uid = present.get(name);
      if (uid === undefined) throw new ApiError('NotFound', `${name}: NotFound`);
      const { metadata } = podOf(name, uid);
      return { metadata: { ...metadata, resourceVersion: '7', labels: { app: 'box' } } };
    },
    delete: async (_: unknown, { name }: { name: string }, options: { uid?: string; resourceVersion?: string }) => {
      requests.push(`delete ${name} uid=${options.uid} resourceVersion=${options.resourceVersion}`);
      return answer(name);
    },
  };
  context = boxContext(client, { pods: { get: (key) => shown.get(key) ?? podOf(key, 'box-uid') }, writes });
});

const isBehind = () => writes.behindUntil() !== undefined;
const see = (name: string) =>
  tracker.observe(
    { type: 'added', object: { metadata: { name, uid: `uid-of-${name}`, resourceVersion: '7' } }, initial: false },
    () => [identity.key],
  );

describe('pods of given names', () => {
  const create = (...names: string[]) =>
    createNamedPods(context, { do: 'createNamedPods', revision: 'r', pods: names.map((name) => ({ name, source })) });

  it('are created under them, and waited for', async () => {
    synced = '6';
    expect(await create('a', 'b')).toEqual([]);
    expect(requests).toEqual(['create a app', 'create b app']);
    expect(isBehind()).toBe(true);
    see('a');
    see('b');
    expect(isBehind()).toBe(true);
    synced = '7';
    expect(isBehind()).toBe(false);
  });

  it('are not waited for when they came and went between two lists of the cache', async () => {
    await create('a');
    expect(isBehind()).toBe(false);
  });

  it('whose answer was lost are looked for, and waited for when they are there', async () => {
    synced = '6';
    failures.set('a', 'Connection');
    present.set('a', 'box-uid');
    expect(await create('a')).toEqual([]);
    expect(requests).toEqual(['create a app', 'get a']);
    expect(isBehind()).toBe(true);
    synced = '7';
    expect(isBehind()).toBe(false);
  });

  it('of somebody else do not count as ours after a lost answer', async () => {
    failures.set('a', 'Timeout');
    present.set('a', 'another-uid');
    expect(await create('a')).toMatchObject([{ reason: 'FailedCreate' }]);
  });

  it('that are there already are waited for: the cache has not shown them yet', async () => {
    failures.set('a', 'AlreadyExists');
    expect(await create('a')).toEqual([]);
    expect(isBehind()).toBe(true);
    see('a');
    expect(isBehind()).toBe(false);
  });

  it.each<ApiFailure>(['Forbidden', 'Connection'])('that could not be created are reported: %s', async (failure) => {
    failures.set('a', failure);
    expect(await create('a')).toMatchObject([{ reason: 'FailedCreate', revision: 'r', message: `a: ${failure}` }]);
    expect(isBehind()).toBe(false);
  });

  it('are tried slowly, and those not tried are not waited for', async () => {
    failures.set('a', 'Forbidden');
    expect(await create('a', 'b', 'c')).toHaveLength(1);
    expect(requests).toEqual(['create a app']);
    expect(isBehind()).toBe(false);
  });
});

describe('a pod that admission changes so that its owner would not know it again', () => {
  const create = (...names: string[]) =>
    createNamedPods(context, { do: 'createNamedPods', revision: 'r', pods: names.map((name) => ({ name, source })) });
  const strip = ({ metadata: { labels: _, ...metadata }, ...pod }: Pod): Pod => ({ ...pod, metadata });
  const removal = 'delete a uid=uid-of-a resourceVersion=undefined';
  const lost = 'pod "a" lost the labels app=box on admission: a mutating webhook or policy changes it';

  it('is removed and told of, and the others are not tried', async () => {
    admit = strip;
    expect(await create('a', 'b')).toMatchObject([
      { reason: 'FailedCreate', revision: 'r', message: `${lost}; it is being removed` },
    ]);
    expect(requests).toEqual(['create a app', removal]);
    expect(isBehind()).toBe(false);
  });

  it('has to show in the cache before anything else is decided', async () => {
    synced = '6';
    admit = strip;
    await create('a');
    expect(isBehind()).toBe(true);
  });

  it('is not followed by another for a while, whatever wakes the owner', async () => {
    admit = strip;
    await create('a');
    requests = [];
    expect(await create('b')).toEqual([]);
    expect(requests).toEqual([]);
    expect(isBehind()).toBe(false);
    expect([...writes.refusals.values()]).toEqual([{ reason: 'FailedCreate', message: lost, forMs: 2_000 }]);
  });

  it('is known to be gone before another is made', async () => {
    admit = strip;
    await create('a');
    requests = [];
    await clock.advance(2_000);
    expect(await create('b')).toMatchObject([{ reason: 'FailedCreate', message: `${lost}; it is being removed` }]);
    expect(requests).toEqual([removal]);
    await clock.advance(4_000);
    failures.set('a', 'NotFound');
    admit = (pod) => pod;
    expect(await create('b')).toEqual([]);
    expect(requests.slice(1)).toEqual([removal, 'create b app']);
    expect(writes.refusals.size).toBe(0);
  });

  it('and that may not be deleted either keeps others from being made', async () => {
    admit = (pod) => {
      failures.set('a', 'Forbidden');
      return strip(pod);
    };
    await create('a');
    requests = [];
    await clock.advance(2_000);
    expect(await create('b', 'c')).toMatchObject([{ message: `${lost}; not removed: a: Forbidden` }]);
    expect(requests).toEqual([removal]);
  });

  it('makes the next wait longer, until one is made as it should be', async () => {
    const waits = () => [...writes.refusals.values()].map(({ forMs }) => forMs);
    for (const ms of [2_000, 4_000, 8_000]) {
      admit = strip;
      failures.delete('a');
      await create('a');
      expect(waits()).toEqual([ms]);
      failures.set('a', 'NotFound');
      await clock.advance(ms);
      admit = (pod) => pod;
      for (const misfit of writes.misfits) writes.removeMisfit(misfit);
    }
    await create('b');
    admit = strip;
    await create('c');
    expect(waits()).toEqual([2_000]);
  });

  it('is found out when the answer was lost, too', async () => {
    failures.set('a', 'Connection');
    present.set('a', 'box-uid');
    context = {
      ...context,
      client: { ...context.client, get: async () => podOf('a', 'box-uid') } as unknown as Client,
    };
    expect(await create('a')).toMatchObject([{ message: expect.stringContaining('lost the labels app=box') }]);
  });

  it('is forgotten with its owner', async () => {
    admit = strip;
    await create('a');
    tracker.forget(identity.key);
    expect(writes.misfits).toEqual([]);
  });
});

it('a template whose pods can never match the selector makes none', async () => {
  context = { ...context, pods: { get: () => undefined } };
  const mine = { key: 'pod-template-hash', operator: 'DoesNotExist' } as const;
  const impossible = { ...source, hash: 'h', selector: { ...selector, matchExpressions: [mine] } };
  const failed = await createPods(context, { do: 'createPods', revision: 'r', source: impossible, count: 3 });
  expect(failed).toMatchObject([
    { reason: 'FailedCreate', message: 'no pod of this template can match !pod-template-hash' },
  ]);
  expect(requests).toEqual([]);
  expect(isBehind()).toBe(false);
});

it("a name that somebody else's pod has is not waited for", async () => {
  failures.set('a', 'AlreadyExists');
  present.set('a', 'another-uid');
  const pods = [{ name: 'a', source }];
  expect(await createNamedPods(context, { do: 'createNamedPods', revision: 'r', pods })).toHaveLength(1);
  expect(isBehind()).toBe(false);
});

it('pods of a kind without revisions are called after it, and carry no hash', async () => {
  context = { ...context, pods: { get: () => undefined } };
  await createPods(context, { do: 'createPods', revision: 'r', source, count: 2 });
  for (const request of requests) expect(request).toMatch(/^create box-pod-[a-z0-9]{5} app$/);
});

describe('a pod that is to be deleted unless somebody has changed it', () => {
  const remove = (resourceVersion?: string) =>
    deletePods(context, [
      {
        do: 'deletePod',
        name: 'a',
        uid: 'uid-of-a',
        revision: 'r',
        because: 'b',
        ...(resourceVersion && { resourceVersion }),
      },
    ]);

  it('is, and its going is waited for', async () => {
    expect(await remove('5')).toEqual([]);
    expect(requests).toEqual(['delete a uid=uid-of-a resourceVersion=5']);
    expect(isBehind()).toBe(true);
  });

  it('stays when somebody has, which a look at it shows, and is not waited for', async () => {
    failures.set('a', 'Conflict');
    expect(await remove('5')).toEqual([]);
    expect(writes.wasOutdated()).toBe(true);
    expect(isBehind()).toBe(true);
    present.set('a', 'box-uid');
    await confirmWrites(context);
    expect(isBehind()).toBe(false);
  });

  it('is going when it was changed by an attempt of the same delete whose answer was lost', async () => {
    failures.set('a', 'Conflict');
    expect(await remove('5')).toEqual([]);
    await confirmWrites(context);
    expect(writes.unconfirmed).toEqual([]);
    expect(isBehind()).toBe(true);
  });

  it('without the condition, a conflict means that it has gone already: the cache will show it', async () => {
    failures.set('a', 'Conflict');
    expect(await remove()).toEqual([]);
    expect(requests).toEqual(['delete a uid=uid-of-a resourceVersion=undefined']);
    expect(isBehind()).toBe(true);
  });
});

describe('a create whose answer was lost', () => {
  /** Neither the create nor the look after it gets an answer. */
  const lose = async (): Promise<string> => {
    unreachable = true;
    failures.set('a', 'Connection');
    await createNamedPods(context, { do: 'createNamedPods', revision: 'r', pods: [{ name: 'a', source }] });
    unreachable = false;
    return 'a';
  };

  it('is unconfirmed until somebody has looked: the next plan may not want such a pod any more', async () => {
    await lose();
    expect(writes.unconfirmed).toEqual([{ write: 'create', resource: pods, name: 'a' }]);
    expect(isBehind()).toBe(false);
  });

  it('was carried out when the pod is there, and the cache is waited for', async () => {
    present.set(await lose(), 'box-uid');
    synced = '6';
    await confirmWrites(context);
    expect(writes.unconfirmed).toEqual([]);
    expect(isBehind()).toBe(true);
  });

  it.each([
    { name: 'nobody has such a pod', uid: undefined },
    { name: 'somebody else has it', uid: 'another' },
  ])('was not carried out when $name', async ({ uid }) => {
    const name = await lose();
    if (uid !== undefined) present.set(name, uid);
    synced = '6';
    await confirmWrites(context);
    expect(writes.unconfirmed).toEqual([]);
    expect(isBehind()).toBe(false);
  });

  it('is no longer unconfirmed when the cache shows the pod', async () => {
    const name = await lose();
    tracker.observe({ type: 'added', object: podOf(name, 'box-uid'), initial: false }, () => [identity.key]);
    expect(writes.unconfirmed).toEqual([]);
  });
});

describe('a pod that its owner loses while it is to be deleted', () => {
  const remove = () =>
    deletePods(context, [{ do: 'deletePod', name: 'a', uid: 'uid-of-a', revision: 'r', because: 'b' }]);

  it('before the request: it stays', async () => {
    shown.set('default/a', podOf('a', 'another'));
    expect(await remove()).toEqual([]);
    expect(requests).toEqual([]);
    expect(isBehind()).toBe(false);
  });

  it('after the request: nobody waits for its end, of which the owner will not be told', async () => {
    await remove();
    expect(isBehind()).toBe(true);
    const change = { object: podOf('a', 'another'), old: podOf('a', 'box-uid'), initial: false };
    tracker.observe({ type: 'updated', ...change }, (pod) => (pod === change.old ? [identity.key] : []));
    expect(isBehind()).toBe(false);
  });
});

describe('a delete whose answer was lost', () => {
  const lose = async () => {
    failures.set('a', 'Connection');
    return deletePods(context, [{ do: 'deletePod', name: 'a', uid: 'uid-of-a', revision: 'r', because: 'b' }]);
  };

  it('leaves its pod unconfirmed, and nothing may be decided until somebody has looked', async () => {
    expect(await lose()).toMatchObject([{ reason: 'FailedDelete' }]);
    expect(writes.unconfirmed).toHaveLength(1);
    expect(isBehind()).toBe(true);
  });

  it('was not carried out when the pod is still there', async () => {
    await lose();
    present.set('a', 'box-uid');
    await confirmWrites(context);
    expect(requests.at(-1)).toBe('get a');
    expect(writes.unconfirmed).toEqual([]);
    expect(isBehind()).toBe(false);
  });

  it('was carried out when the pod is gone, and the cache is waited for', async () => {
    await lose();
    await confirmWrites(context);
    expect(writes.unconfirmed).toEqual([]);
    expect(isBehind()).toBe(true);
  });

  it('stays unconfirmed as long as nobody can tell', async () => {
    await lose();
    unreachable = true;
    await expect(confirmWrites(context)).rejects.toThrow('a: Connection');
    expect(writes.unconfirmed).toHaveLength(1);
  });

  it('is no longer unconfirmed when the cache shows the pod going', async () => {
    await lose();
    const metadata = {
      name: 'a',
      uid: 'uid-of-a',
      resourceVersion: '8',
      deletionTimestamp: 'now',
      ownerReferences: ownedBy('box-uid'),
    };
    tracker.observe({ type: 'updated', object: { metadata }, old: { metadata }, initial: false }, () => [identity.key]);
    expect(writes.unconfirmed).toEqual([]);
    expect(isBehind()).toBe(false);
  });
});
