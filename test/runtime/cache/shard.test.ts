// A cache of one shard: it asks the API server for its range, and leaves out what it gets beyond it, because an API server
// that does not know the selector sends everything.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Cache, type CacheOptions } from '../../../src/runtime/cache/cache.ts';
import type { Informer } from '../../../src/runtime/cache/informer.ts';
import { containsNamespace, rangesOf, type ShardRange } from '../../../src/runtime/shards/range.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { FakeApi, failure, type Thing, thing, things } from './fake-api.ts';

const [, shard] = rangesOf(2) as [ShardRange, ShardRange];
const namespaces = Array.from({ length: 20 }, (_, index) => `team-${index}`);
const [near = '', alsoNear = ''] = namespaces.filter((each) => containsNamespace(shard, each));
const [far = ''] = namespaces.filter((each) => !containsNamespace(shard, each));

const SELECTOR = "shardRange(object.metadata.namespace,'0x8000000000000000','0x10000000000000000')";

let api: FakeApi;
let clock: FakeClock;
let stop: AbortController;
let running: Promise<void>;

beforeEach(() => {
  api = new FakeApi();
  clock = new FakeClock();
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await running;
});

async function started(options: Partial<CacheOptions> = {}): Promise<Informer<Thing>> {
  const cache = new Cache(api.client, { clock, random: () => 1, shard, ...options });
  const informer = cache.informer(things);
  running = cache.start(stop.signal);
  await settle();
  return informer;
}

function thingIn(namespace: string, name: string, resourceVersion: string): Thing {
  const { metadata, ...rest } = thing(name, resourceVersion);
  return { ...rest, metadata: { ...metadata, namespace } };
}

const keysOf = (informer: Informer<Thing>): string[] =>
  informer.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

describe('a cache of one shard', () => {
  it('asks for its range in the fill and in the watch', async () => {
    await started();
    await api.last.fill('5');
    expect(api.watches.map(({ options }) => options.shardSelector)).toEqual([SELECTOR, SELECTOR]);
  });

  it('asks for nothing that another cache would not without a shard', async () => {
    await started({ shard: undefined });
    expect('shardSelector' in api.last.options).toBe(false);
  });

  it('leaves out what it did not ask for, and still knows the version', async () => {
    const informer = await started();
    const seen: string[] = [];
    informer.onChange(({ type, object }) => seen.push(`${type} ${object.metadata.name}`));
    await api.last.fill('5', thingIn(near, 'a', '1'), thingIn(far, 'x', '2'));
    expect(keysOf(informer)).toEqual([`${near}/a`]);
    await api.last.send('ADDED', thingIn(far, 'y', '6'));
    await api.last.send('MODIFIED', thingIn(far, 'x', '7'));
    await api.last.send('DELETED', thingIn(far, 'x', '8'));
    expect(informer.lastSyncedResourceVersion()).toBe('8');
    await api.last.send('ADDED', thingIn(alsoNear, 'b', '9'));
    expect(keysOf(informer)).toEqual([`${near}/a`, `${alsoNear}/b`]);
    expect(seen).toEqual(['added a', 'added b']);
  });

  it('leaves it out of pages, too', async () => {
    const informer = await started();
    const metadata = { resourceVersion: '5' };
    api.pages.push({ metadata, items: [thingIn(far, 'x', '2'), thingIn(near, 'a', '1')] });
    await api.last.fail(failure('Invalid')); // this server does not stream
    expect(keysOf(informer)).toEqual([`${near}/a`]);
    expect(api.lists.map(({ shardSelector }) => shardSelector)).toEqual([SELECTOR]);
  });

  it('is as fresh as the server although that one counts more objects', async () => {
    const informer = await started();
    await api.last.fill('5', thingIn(near, 'a', '1'), thingIn(far, 'x', '2'));
    api.pages.push({
      metadata: { resourceVersion: '9' },
      items: [thingIn(near, 'a', '1'), thingIn(far, 'x', '2'), thingIn(far, 'y', '8')],
    });
    const watches = api.watches.length;
    await informer.catchUp();
    expect(api.watches).toHaveLength(watches);
    expect(api.lists.map(({ shardSelector }) => shardSelector)).toEqual([SELECTOR]);
  });

  it('of an operator that works in some namespaces watches those of them that are in its range', async () => {
    const informer = await started({ namespaces: [near, far] });
    expect(api.watches.map(({ options: { namespace, shardSelector } }) => [namespace, shardSelector])).toEqual([
      [near, undefined],
    ]);
    await api.last.fill('5', thingIn(near, 'a', '1'));
    expect(informer.hasSynced).toBe(true);
  });

  it('is in sync at once when none of them is', async () => {
    const informer = await started({ namespaces: [far] });
    await informer.synced;
    await informer.catchUp();
    expect(api.watches).toEqual([]);
    expect(informer.list()).toEqual([]);
  });
});
