import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Cache } from '../../../src/runtime/cache/cache.ts';
import type { Change, Informer } from '../../../src/runtime/cache/informer.ts';
import type { Fields, Logger } from '../../../src/runtime/log.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { FakeApi, type FakeWatch, failure, type Thing, thing, things } from './fake-api.ts';

/** Remembers errors, because a handler's failure is visible nowhere else. */
class ErrorLog implements Logger {
  readonly errors: (Fields & { message: string })[] = [];
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(message: string, fields: Fields = {}): void {
    this.errors.push({ message, ...fields });
  }
  with(): Logger {
    return this;
  }
}

let api: FakeApi;
let clock: FakeClock;
let log: ErrorLog;
let missed: string[];
let cache: Cache;
let stop: AbortController;
let running: Promise<void> | undefined;

beforeEach(() => {
  api = new FakeApi();
  clock = new FakeClock();
  log = new ErrorLog();
  missed = [];
  stop = new AbortController();
  running = undefined;
  const observer = { foundByRelist: (_: unknown, type: string) => missed.push(type) };
  cache = new Cache(api.client, { clock, log, observer, random: () => 1 });
});

afterEach(async () => {
  stop.abort();
  await running;
  expect(clock.timers).toBe(0);
});

async function start(): Promise<void> {
  running = cache.start(stop.signal);
  await settle();
}

function told(informer: Informer<Thing>): string[] {
  const changes: string[] = [];
  informer.onChange((change) => changes.push(describeChange(change)));
  return changes;
}

function describeChange(change: Change<Thing>): string {
  const { name, resourceVersion } = change.object.metadata;
  const old = change.type === 'updated' ? ` from ${change.old.metadata.resourceVersion}` : '';
  return `${change.initial ? 'initially ' : ''}${change.type} ${name}@${resourceVersion}${old}`;
}

describe('an informer', () => {
  it('shows objects, versions and changes', async () => {
    const informer = cache.informer(things);
    const changes = told(informer);
    await start();
    expect(informer.hasSynced).toBe(false);
    expect(informer.lastSyncedResourceVersion()).toBeUndefined();

    await api.last.fill('7', thing('a', '1'), thing('b', '2'));
    expect(informer.hasSynced).toBe(true);
    expect(informer.lastSyncedResourceVersion()).toBe('7');
    await api.last.send('MODIFIED', thing('a', '8'));
    await api.last.send('DELETED', thing('b', '9'));
    await api.last.send('ADDED', thing('c', '10'));
    await api.last.bookmark('50');

    expect(informer.get('default/a')).toEqual(thing('a', '8'));
    expect(informer.get('default/b')).toBeUndefined();
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'c']);
    expect(informer.byIndex('namespace', 'default')).toHaveLength(2);
    expect(informer.lastSyncedResourceVersion()).toBe('50');
    expect(changes).toEqual([
      'initially added a@1',
      'initially added b@2',
      'updated a@8 from 1',
      'deleted b@9',
      'added c@10',
    ]);
  });

  it('tells of a change only when the store shows it, and of the first fill when it shows all of it', async () => {
    const informer = cache.informer(things);
    const seen: (number | string | undefined)[] = [];
    informer.onChange(({ object }) => {
      seen.push(
        informer.list().length,
        informer.lastSyncedResourceVersion(),
        informer.get(`default/${object.metadata.name}`)?.value,
      );
    });
    await start();
    await api.last.fill('7', thing('a', '1', { value: 'x' }), thing('b', '2', { value: 'y' }));
    await api.last.send('MODIFIED', thing('a', '8', { value: 'z' }));
    expect(seen).toEqual([2, '7', 'x', 2, '7', 'y', 2, '8', 'z']);
  });

  it('first tells a late handler of all there is', async () => {
    const informer = cache.informer(things);
    await start();
    await api.last.fill('7', thing('a', '1'));
    await api.last.send('ADDED', thing('b', '8'));
    const changes = told(informer);
    expect(changes).toEqual(['initially added a@1', 'initially added b@8']);
    await api.last.send('MODIFIED', thing('b', '9'));
    expect(changes.slice(2)).toEqual(['updated b@9 from 8']);
  });

  it('no longer tells a handler that has left', async () => {
    const informer = cache.informer(things);
    await start();
    const changes: string[] = [];
    const leave = informer.onChange((change) => changes.push(change.type));
    await api.last.fill('7', thing('a', '1'));
    leave();
    await api.last.send('MODIFIED', thing('a', '8'));
    expect(changes).toEqual(['added']);
  });

  it('logs what a handler throws, and tells the others', async () => {
    const informer = cache.informer(things);
    const bug = new Error('bug');
    informer.onChange(() => {
      throw bug;
    });
    const changes = told(informer);
    await start();
    await api.last.fill('7', thing('a', '1'));
    await api.last.send('MODIFIED', thing('a', '8'));
    expect(changes).toEqual(['initially added a@1', 'updated a@8 from 1']);
    expect(log.errors).toEqual([
      { message: 'change handler failed', key: 'default/a', change: 'added', error: bug },
      { message: 'change handler failed', key: 'default/a', change: 'updated', error: bug },
    ]);
  });

  it('finds what it missed by comparing with a new list, and counts it', async () => {
    const informer = cache.informer(things);
    await start();
    await api.last.fill('7', thing('gone', '1'), thing('same', '2'), thing('changed', '3'), thing('replaced', '4'));
    const changes = told(informer);
    changes.length = 0;
    expect(missed).toEqual([]);
    await api.last.fail(failure('Gone'));
    await clock.advance(200);
    const recreated = thing('replaced', '12');
    const replaced = { ...recreated, metadata: { ...recreated.metadata, uid: 'another' } };
    await api.last.fill('20', thing('same', '2'), thing('changed', '11'), replaced, thing('new', '13'));
    expect(changes).toEqual([
      'deleted gone@1',
      'updated changed@11 from 3',
      'deleted replaced@4',
      'added replaced@12',
      'added new@13',
    ]);
    expect(missed).toEqual(['deleted', 'updated', 'deleted', 'added', 'added']);
    expect(informer.lastSyncedResourceVersion()).toBe('20');
  });

  it('hands out objects that nobody can change', async () => {
    const informer = cache.informer(things);
    await start();
    await api.last.fill('7', thing('a', '1'));
    const object = informer.get('default/a') as { metadata: { name: string } };
    expect(() => {
      object.metadata.name = 'b';
    }).toThrow(TypeError);
  });

  it('keeps what its transform makes, and the whole object when that fails', async () => {
    const informer = cache.informer(things, {
      transform: ({ metadata, value }) => {
        if (value === undefined) throw new Error('no value');
        return { metadata };
      },
    });
    await start();
    await api.last.fill('7', thing('a', '1', { value: 'x' }), thing('b', '2'));
    expect(informer.get('default/a')).toEqual({ metadata: thing('a', '1').metadata });
    expect(informer.get('default/b')).toEqual(thing('b', '2'));
    expect(log.errors).toMatchObject([{ message: 'transform failed', key: 'default/b' }]);
  });
});

describe('objects that someone needs whole', () => {
  const transform = ({ metadata }: Thing): Thing => ({ metadata });

  it('are kept whole for everybody, and the others are trimmed', async () => {
    const informer = cache.informer(things, { transform });
    cache.informer(things, { transform, whole: ({ value }) => value === 'x' });
    cache.informer(things, { transform, whole: ({ metadata }) => metadata.name === 'b' });
    await start();
    const [a, b, c] = [
      thing('a', '1', { value: 'x' }),
      thing('b', '2', { value: 'y' }),
      thing('c', '3', { value: 'y' }),
    ];
    await api.last.fill('7', a, b, c);
    expect(informer.list()).toEqual([a, b, { metadata: c.metadata }]);
  });

  it('are known before the first of them is looked at', async () => {
    await start();
    const informer = cache.informer(things, { transform, whole: () => true });
    await settle();
    await api.last.fill('7', thing('a', '1', { value: 'x' }));
    expect(informer.get('default/a')).toEqual(thing('a', '1', { value: 'x' }));
    expect(() => cache.informer(things, { transform, whole: () => false })).toThrow('has trimmed objects already');
  });
});

describe('a cache', () => {
  it('gives the same informer for the same kind and scope, and watches it once', async () => {
    const informer = cache.informer(things, { namespace: 'x', labelSelector: 'a=b' });
    expect(cache.informer(things, { labelSelector: 'a=b', namespace: 'x' })).toBe(informer);
    const others = [
      cache.informer(things),
      cache.informer(things, { namespace: 'x' }),
      cache.informer(things, { labelSelector: 'a=b' }),
      cache.informer(things, { fieldSelector: 'a=b' }),
      cache.informer({ ...things, version: 'v2' }),
      cache.informer({ ...things, group: 'other' }),
      cache.informer({ ...things, plural: 'others' }),
    ];
    expect(new Set<Informer<KubeObject>>([informer, ...others] as never).size).toBe(8);
    await start();
    expect(api.watches).toHaveLength(8);
  });

  it('adds the indexes of everybody who shares an informer', async () => {
    const informer = cache.informer(things, { indexes: { first: ({ metadata }) => [metadata.name.slice(0, 1)] } });
    await start();
    await api.last.fill('7', thing('ab', '1'), thing('cb', '2'));
    cache.informer(things, { indexes: { last: ({ metadata }) => [metadata.name.slice(-1)] } });
    expect(informer.byIndex('first', 'a')).toHaveLength(1);
    expect(informer.byIndex('last', 'b')).toHaveLength(2);
  });

  it('refuses a second way of trimming the same objects', () => {
    const transform = (object: Thing): Thing => object;
    const informer = cache.informer(things, { transform });
    expect(cache.informer(things, { transform })).toBe(informer);
    expect(cache.informer(things)).toBe(informer);
    expect(() => cache.informer(things, { transform: (object) => object })).toThrow('trims its objects in another way');
  });

  it('starts an informer at once that is asked for later', async () => {
    await start();
    expect(api.watches).toHaveLength(0);
    cache.informer(things);
    await settle();
    expect(api.watches).toHaveLength(1);
  });

  it('starts once', async () => {
    await start();
    await expect(cache.start(stop.signal)).rejects.toThrow('has been started before');
  });

  it('says when all have synced', async () => {
    cache.informer(things);
    cache.informer(things, { namespace: 'x' });
    let synced = false;
    const waiting = cache.waitForSync(stop.signal).then(() => {
      synced = true;
    });
    await start();
    const [first, second] = api.watches;
    await first?.fill('7');
    expect(synced).toBe(false);
    await second?.fill('8');
    await waiting;
    expect(synced).toBe(true);
  });

  it('stops waiting for a sync when told to', async () => {
    cache.informer(things);
    const impatience = new AbortController();
    const waiting = cache.waitForSync(impatience.signal);
    impatience.abort(new Error('took too long'));
    await expect(waiting).rejects.toThrow('took too long');
  });

  it('resolves its start when everything has stopped', async () => {
    cache.informer(things);
    await start();
    await api.last.fill('7');
    let stopped = false;
    const ended = running?.then(() => {
      stopped = true;
    });
    await settle();
    expect(stopped).toBe(false);
    stop.abort();
    await ended;
    expect(api.last.closed).toBe(true);
  });
});

describe('a cache of some namespaces', () => {
  const at = (namespace: string, name: string, resourceVersion: string): Thing => {
    const { metadata, ...rest } = thing(name, resourceVersion);
    return { ...rest, metadata: { ...metadata, namespace } };
  };

  /** An informer of two namespaces. */
  async function open(): Promise<Informer<Thing>> {
    cache = new Cache(api.client, { namespaces: ['blue', 'green'], clock, log, random: () => 1 });
    const informer = cache.informer(things);
    await start();
    return informer;
  }

  /** The present watch of each. */
  const watchOf = (namespace: string): FakeWatch =>
    api.watches.findLast(({ options }) => options.namespace === namespace) as FakeWatch;
  const blue = (): FakeWatch => watchOf('blue');
  const green = (): FakeWatch => watchOf('green');

  it('watches each of them, and shows all as one', async () => {
    const informer = await open();
    const changes = told(informer);
    await blue().fill('7', at('blue', 'a', '1'));
    expect(informer.hasSynced).toBe(false);
    await green().fill('9', at('green', 'a', '2'));
    expect(informer.hasSynced).toBe(true);
    await blue().send('MODIFIED', at('blue', 'a', '20'));
    expect(informer.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      'blue/a',
      'green/a',
    ]);
    expect(changes).toEqual(['initially added a@1', 'initially added a@2', 'updated a@20 from 1']);
    expect(api.watches.filter(({ closed }) => !closed)).toHaveLength(2);
  });

  it('knows how far each has come: a quiet one does not hold up what was written in another', async () => {
    const informer = await open();
    await green().fill('9');
    expect(informer.lastSyncedResourceVersion()).toBeUndefined();
    await blue().fill('7');
    await blue().send('ADDED', at('blue', 'a', '20'));
    expect(informer.lastSyncedResourceVersion('blue')).toBe('20');
    expect(informer.lastSyncedResourceVersion('green')).toBe('9');
    expect(informer.lastSyncedResourceVersion()).toBe('9');
  });

  it('fills one anew without losing what it knows of another', async () => {
    const informer = await open();
    await blue().fill('7', at('blue', 'a', '1'), at('blue', 'b', '2'));
    await green().fill('7', at('green', 'a', '3'));
    await blue().fail(failure('Gone'));
    await clock.advance(200);
    await blue().fill('30', at('blue', 'b', '2'));
    expect(informer.list().map(({ metadata }) => metadata.uid)).toEqual(['uid-b', 'uid-a']);
    expect(informer.get('green/a')).toBeDefined();
  });

  it('sees all of what lives outside of namespaces', async () => {
    cache = new Cache(api.client, { namespaces: ['blue', 'green'], clock, log, random: () => 1 });
    cache.informer({ ...things, namespaced: false });
    await start();
    expect(api.watches.map(({ options }) => options.namespace)).toEqual([undefined]);
  });
});
