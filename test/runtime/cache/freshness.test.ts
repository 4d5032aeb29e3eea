import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Cache } from '../../../src/runtime/cache/cache.ts';
import { catchUp } from '../../../src/runtime/cache/freshness.ts';
import type { Informer } from '../../../src/runtime/cache/informer.ts';
import type { ObjectList } from '../../../src/runtime/client/options.ts';
import { silentLogger } from '../../../src/runtime/log.ts';
import { keyOf } from '../../../src/runtime/object.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { FakeApi, failure, type Thing, thing, things } from './fake-api.ts';

let api: FakeApi;
let clock: FakeClock;
let informer: Informer<Thing>;
let stop: AbortController;
let running: Promise<void>;

/** What the server answers to the next read. */
const read = (resourceVersion: string, ...items: readonly Thing[]): ObjectList<Thing> => ({
  metadata: { resourceVersion },
  items,
});

/** Has the informer catch up; says how far that has come. */
async function catchingUp(): Promise<{ state: 'waiting' | 'fresh' | 'stopped' }> {
  const seen: { state: 'waiting' | 'fresh' | 'stopped' } = { state: 'waiting' };
  informer.catchUp().then(
    () => {
      seen.state = 'fresh';
    },
    () => {
      seen.state = 'stopped';
    },
  );
  await settle();
  return seen;
}

beforeEach(async () => {
  api = new FakeApi();
  clock = new FakeClock();
  stop = new AbortController();
  const cache = new Cache(api.client, { clock, random: () => 1 });
  informer = cache.informer(things, { labelSelector: 'a=b' });
  running = cache.start(stop.signal);
  await settle();
  await api.last.fill('7', thing('a', '1'), thing('b', '2'));
});

afterEach(async () => {
  stop.abort();
  await running;
  expect(clock.timers).toBe(0);
});

describe('a cache is fresh', () => {
  it('when a consistent read shows the same objects, however far its watch has come', async () => {
    api.pages.push({ ...read('50', thing('a', '1')), metadata: { resourceVersion: '50', continue: 'more' } });
    api.pages.push(read('50', thing('b', '2')));
    expect(await catchingUp()).toEqual({ state: 'fresh' });
    expect(api.lists).toHaveLength(2);
    expect(api.lists[0]).toMatchObject({ labelSelector: 'a=b', metadataOnly: true });
    expect(api.lists[0]?.resourceVersion).toBeUndefined();
    expect(api.watches.filter(({ closed }) => !closed)).toHaveLength(1);
  });

  it('when its watch has come past the read, whatever has changed since', async () => {
    await api.last.send('MODIFIED', thing('a', '51'));
    api.pages.push(read('50', thing('a', '1'), thing('b', '49'), thing('c', '50')));
    expect(await catchingUp()).toEqual({ state: 'fresh' });
  });

  it('when it was empty, and there is nothing', async () => {
    await api.last.send('DELETED', thing('a', '8'), thing('b', '9'));
    api.pages.push(read('50'));
    expect(await catchingUp()).toEqual({ state: 'fresh' });
  });
});

describe('a cache that is behind', () => {
  it.each([
    ['a new object', [thing('a', '1'), thing('b', '2'), thing('c', '40')]],
    ['a change', [thing('a', '40'), thing('b', '2')]],
    ['a deletion', [thing('a', '1')]],
    ['one object for another', [thing('a', '1'), thing('c', '2')]],
  ])('by %s has a second to get there', async (_, items) => {
    api.pages.push(read('50', ...items));
    const seen = await catchingUp();
    await clock.advance(900);
    expect(seen.state).toBe('waiting');
    await api.last.bookmark('50');
    await clock.advance(50);
    expect(seen.state).toBe('fresh');
    expect(api.last.closed).toBe(false);
  });

  it('is not held up by changes after the last of those that it missed', async () => {
    api.pages.push(read('50', thing('a', '1'), thing('b', '2'), thing('c', '40')));
    const seen = await catchingUp();
    await api.last.send('ADDED', thing('c', '40'));
    await clock.advance(50);
    expect(seen.state).toBe('fresh');
  });

  it('is listed anew after a second, and is fresh when it shows that list', async () => {
    const silent = api.last;
    api.pages.push(read('50', thing('a', '1'), thing('b', '2'), thing('c', '40')));
    const seen = await catchingUp();
    await clock.advance(1_000);
    expect(silent.closed).toBe(true);
    expect(seen.state).toBe('waiting');
    expect(informer.list()).toHaveLength(2);
    await api.last.fill('51', thing('a', '1'), thing('b', '2'), thing('c', '40'));
    expect(seen.state).toBe('fresh');
    expect(informer.list()).toHaveLength(3);
  });

  it.each([
    ['fails', failure('ServerError', { code: 500 })],
    ['is forbidden', failure('Forbidden', { code: 403 })],
    ['does not say of when it is', { metadata: {}, items: [] }],
  ])('by who knows how much, because the read %s, is listed anew at once', async (_, answer) => {
    api.pages.push(answer);
    const seen = await catchingUp();
    expect(api.last.options.sendInitialEvents).toBe(true);
    await api.last.fail(failure('ServerError', { code: 500 }));
    await clock.advance(1_000);
    expect(seen.state).toBe('waiting');
    await api.last.fill('51', thing('a', '1'));
    expect(seen.state).toBe('fresh');
  });

  it('does not count as fresh when it is stopped', async () => {
    api.pages.push(read('50', thing('c', '40')));
    const seen = await catchingUp();
    stop.abort();
    await settle();
    expect(seen.state).toBe('stopped');
  });
});

describe('catching up', () => {
  it('takes one read for all who ask together, and another for those who ask later', async () => {
    api.pages.push(read('50', thing('a', '1'), thing('b', '2')), read('60', thing('a', '55'), thing('b', '2')));
    const both = await Promise.all([catchingUp(), catchingUp()]);
    expect(both).toEqual([{ state: 'fresh' }, { state: 'fresh' }]);
    expect(api.lists).toHaveLength(1);
    expect(await catchingUp()).toEqual({ state: 'waiting' });
    expect(api.lists).toHaveLength(2);
  });

  it('waits for the first fill', async () => {
    const cache = new Cache(api.client, { clock, random: () => 1 });
    informer = cache.informer(things);
    const another = cache.start(stop.signal);
    const seen = await catchingUp();
    expect(seen.state).toBe('waiting');
    api.pages.push(read('9', thing('a', '1')));
    await api.last.fill('7', thing('a', '1'));
    expect(seen.state).toBe('fresh');
    stop.abort();
    await another;
  });

  it('needs none but the first fill where the cache runs only after the election', async () => {
    const cache = new Cache(api.client, { clock, random: () => 1, runsAfterElection: true });
    informer = cache.informer(things);
    const another = cache.start(stop.signal);
    const seen = await catchingUp();
    // A consistent read: of any age would be one with a version.
    expect(api.last.options).toMatchObject({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' });
    expect(api.last.options.resourceVersion).toBeUndefined();
    await api.last.send('ADDED', thing('a', '1'));
    expect(seen.state).toBe('waiting');
    await api.last.fill('7');
    expect(seen.state).toBe('fresh');
    expect(informer.list()).toHaveLength(1);
    expect(api.lists).toHaveLength(0);
    stop.abort();
    await another;
  });

  it('compares each namespace with itself', async () => {
    const at = (namespace: string, name: string, version: string): Thing => {
      const { metadata, ...rest } = thing(name, version);
      return { ...rest, metadata: { ...metadata, namespace } };
    };
    const cache = new Cache(api.client, { clock, random: () => 1, namespaces: ['blue', 'green'] });
    informer = cache.informer(things);
    const another = cache.start(stop.signal);
    await settle();
    for (const watch of api.watches.slice(-2)) {
      const { namespace = '' } = watch.options;
      await watch.fill('7', at(namespace, 'a', '1'));
    }
    api.pages.push(read('50', at('blue', 'a', '1')), read('50', at('green', 'a', '40')));
    const seen = await catchingUp();
    expect(api.lists.slice(-2).map(({ namespace }) => namespace)).toEqual(['blue', 'green']);
    await clock.advance(1_000);
    expect(api.last.options).toMatchObject({ namespace: 'green', sendInitialEvents: true });
    await api.last.fill('51', at('green', 'a', '40'));
    expect(seen.state).toBe('fresh');
    stop.abort();
    await another;
  });
});

it('takes no cache for fresh that lacks anything, whatever has happened', async () => {
  const change = fc.record({ name: fc.constantFrom('a', 'b', 'c'), isDeletion: fc.boolean() });
  const history = fc.array(change, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(history, fc.nat(12), fc.nat(12), async (changes, shown, asked) => {
      const after = (count: number): Map<string, Thing> => {
        const objects = new Map<string, Thing>();
        for (const [at, { name, isDeletion }] of changes.slice(0, count).entries()) {
          const object = thing(name, String(at + 1));
          if (isDeletion) objects.delete(keyOf(object.metadata));
          else objects.set(keyOf(object.metadata), object);
        }
        return objects;
      };
      const kept = after(shown);
      const there = after(asked);
      api.pages.push(read(String(asked + 1), ...there.values()));
      let isListedAnew = false;
      const watched = {
        resource: things,
        scope: {},
        objects: () => [...kept.values()],
        version: () => String(shown + 1),
        fillAnew: async () => {
          isListedAnew = true;
        },
      };
      const done = catchUp(api.client, watched, { clock, log: silentLogger, pageSize: 500, signal: stop.signal });
      await clock.advance(1_000);
      await done;
      const isSame = JSON.stringify([...kept].sort()) === JSON.stringify([...there].sort());
      expect(isListedAnew).toBe(shown < asked && !isSame);
    }),
    { numRuns: 300 },
  );
});
