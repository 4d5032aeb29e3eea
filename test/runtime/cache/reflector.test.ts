import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Reflector, type ReflectorSink } from '../../../src/runtime/cache/reflector.ts';
import { later } from '../../../src/runtime/instant.ts';
import { keyOf } from '../../../src/runtime/object.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { FakeApi, failure, type Thing, thing, things } from './fake-api.ts';

/** What the reflector has put, and how. */
class Recorder implements ReflectorSink<Thing> {
  readonly objects = new Map<string, Thing>();
  version: string | undefined;
  fills = 0;

  replace(objects: ReadonlyMap<string, Thing>, resourceVersion: string): void {
    this.fills += 1;
    this.objects.clear();
    for (const [key, object] of objects) this.objects.set(key, object);
    this.version = resourceVersion;
  }

  put(object: Thing): void {
    this.objects.set(keyOf(object.metadata), object);
    this.version = object.metadata.resourceVersion;
  }

  remove(object: Thing): void {
    this.objects.delete(keyOf(object.metadata));
    this.version = object.metadata.resourceVersion;
  }

  progress(resourceVersion: string): void {
    this.version = resourceVersion;
  }

  get names(): string[] {
    return [...this.objects.values()].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
  }
}

let api: FakeApi;
let clock: FakeClock;
let sink: Recorder;
let reflector: Reflector<Thing>;
let stop: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  api = new FakeApi();
  clock = new FakeClock();
  sink = new Recorder();
  stop = new AbortController();
  const about = { resource: things, scope: { labelSelector: 'a=b' }, prepare: (object: Thing) => object, sink };
  // A random number of 1 makes every wait as long as it can be: 200, 400, 800 … ms.
  reflector = new Reflector(api.client, about, { clock, random: () => 1, pageSize: 2 });
  running = reflector.run(stop.signal);
  await settle();
});

afterEach(async () => {
  stop.abort();
  await running;
  expect(clock.timers).toBe(0);
  expect(api.watches.every((watch) => watch.closed)).toBe(true);
  expect(reflector.health.phase).toBe('stopped');
});

describe('filling by stream', () => {
  it('asks for the objects first, and shows them when it has all', async () => {
    expect(api.last.options).toMatchObject({
      labelSelector: 'a=b',
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
      omitManagedFields: true,
    });
    await api.last.open();
    await api.last.send('ADDED', thing('a', '1'), thing('b', '2'), thing('c', '3'));
    await api.last.send('MODIFIED', thing('b', '5'));
    await api.last.send('DELETED', thing('c', '6'));
    await api.last.bookmark('6');
    expect(sink.fills).toBe(0);
    await api.last.bookmark('7', { 'k8s.io/initial-events-end': 'true' });
    expect(sink.names).toEqual(['a@1', 'b@5']);
    expect(sink.version).toBe('7');
    expect(reflector.health.phase).toBe('watching');
  });

  it('goes on with the changes in a watch of its own, which the server may end', async () => {
    const filling = api.last;
    await filling.fill('7', thing('a', '1'));
    expect(filling.closed).toBe(true);
    expect(api.last.options).toMatchObject({ resourceVersion: '7', allowWatchBookmarks: true, timeoutSeconds: 30 });
    expect(api.last.options.sendInitialEvents).toBeUndefined();
    await api.last.open();
    await api.last.send('ADDED', thing('b', '8'));
    await api.last.send('MODIFIED', thing('a', '9'));
    await api.last.send('DELETED', thing('b', '10'));
    expect(sink.names).toEqual(['a@9']);
    expect(sink.version).toBe('10');
    await api.last.bookmark('20');
    expect(sink.version).toBe('20');
    expect(api.watches).toHaveLength(2);
  });

  it('starts over when it is cut before the end, and shows nothing half', async () => {
    await api.last.open();
    await api.last.send('ADDED', thing('a', '1'));
    await api.last.fail(failure('Connection'));
    expect(sink.fills).toBe(0);
    await clock.advance(200);
    expect(api.last.options.sendInitialEvents).toBe(true);
    await api.last.fill('9', thing('b', '2'));
    expect(sink.names).toEqual(['b@2']);
  });
});

describe('filling by pages', () => {
  it.each(['Invalid', 'BadRequest'] as const)('when the server refuses to stream (%s), at once', async (reason) => {
    api.pages.push(
      { metadata: { resourceVersion: '7', continue: 'more' }, items: [withoutKind(thing('a', '1')), thing('b', '2')] },
      { metadata: { resourceVersion: '7' }, items: [thing('c', '3')] },
    );
    await api.last.fail(failure(reason));
    expect(api.lists).toMatchObject([{ labelSelector: 'a=b', limit: 2 }, { continue: 'more' }]);
    expect(sink.names).toEqual(['a@1', 'b@2', 'c@3']);
    expect(sink.objects.get('default/a')).toEqual(thing('a', '1'));
    expect(api.last.options.resourceVersion).toBe('7');
    expect(api.last.options.sendInitialEvents).toBeUndefined();
  });

  it('in one piece when a continue token has expired', async () => {
    api.pages.push(
      { metadata: { resourceVersion: '7', continue: 'more' }, items: [thing('a', '1'), thing('b', '2')] },
      failure('Gone'),
      { metadata: { resourceVersion: '9' }, items: [thing('b', '8')] },
    );
    await api.last.fail(failure('Invalid'));
    expect(api.lists.map(({ limit }) => limit)).toEqual([2, 2, undefined]);
    expect(sink.names).toEqual(['b@8']);
    expect(sink.version).toBe('9');
  });

  it('when a server accepts to stream and then says nothing', async () => {
    api.pages.push({ metadata: { resourceVersion: '7' }, items: [thing('a', '1')] });
    await api.last.open();
    await clock.advance(40_000);
    await clock.advance(200);
    expect(sink.names).toEqual(['a@1']);
  });

  it('with a back-off between failures', async () => {
    api.pages.push(failure('ServerError', { code: 500 }), { metadata: { resourceVersion: '7' }, items: [] });
    await api.last.fail(failure('Invalid'));
    expect(api.lists).toHaveLength(1);
    await clock.advance(199);
    expect(api.lists).toHaveLength(1);
    await clock.advance(1);
    expect(sink.fills).toBe(1);
  });
});

describe('following', () => {
  beforeEach(() => api.last.fill('7', thing('a', '1'), thing('b', '2')));

  it('resumes after the last version it has seen', async () => {
    await api.last.send('MODIFIED', thing('a', '8'));
    await api.last.end();
    await clock.advance(200);
    expect(api.last.options).toMatchObject({ resourceVersion: '8', allowWatchBookmarks: true });
    await api.last.open();
    await api.last.bookmark('30');
    await api.last.fail(failure('Connection'));
    await clock.advance(10_000);
    expect(api.last.options.resourceVersion).toBe('30');
    expect(sink.fills).toBe(1);
  });

  it('fills anew when the server has forgotten that version, and so finds what it missed', async () => {
    await api.last.fail(failure('Gone', { code: 410 }));
    await clock.advance(200);
    expect(api.last.options).toMatchObject({ sendInitialEvents: true });
    expect(api.last.options.resourceVersion).toBeUndefined();
    expect(sink.names).toEqual(['a@1', 'b@2']);
    await api.last.fill('20', thing('b', '15'), thing('c', '16'));
    expect(sink.names).toEqual(['b@15', 'c@16']);
  });

  it('gives up a watch that is silent for 40 s, and only that', async () => {
    const first = api.last;
    await clock.advance(10_000);
    await first.open();
    await clock.advance(39_999);
    await first.bookmark('8');
    await clock.advance(39_999);
    expect(first.closed).toBe(false);
    await clock.advance(1);
    expect(first.closed).toBe(true);
    expect(reflector.health.lastError).toMatchObject({ reason: 'Aborted' });
    expect(reflector.health.phase).toBe('waiting');
    await clock.advance(200);
    expect(api.last).not.toBe(first);
    expect(api.last.options.resourceVersion).toBe('8');
  });

  it('asks the server to end each watch well before its silence would be taken for a lost connection', () => {
    expect(api.last.options.timeoutSeconds).toBe(30);
  });

  it('opens a watch again at once that ended when it was to', async () => {
    const first = api.last;
    await first.open();
    await clock.advance(28_000);
    await first.bookmark('30');
    await clock.advance(2_000);
    await first.end();
    expect(api.last).not.toBe(first);
    expect(api.last.options.resourceVersion).toBe('30');
    expect(reflector.health.phase).toBe('watching');
  });

  it.each([
    { retryAfterMs: 7_000, waitMs: 7_000 },
    { retryAfterMs: 3_600_000, waitMs: 60_000 },
  ])('waits $waitMs ms when a busy server asks for $retryAfterMs', async ({ retryAfterMs, waitMs }) => {
    const before = api.watches.length;
    await api.last.fail(failure('TooManyRequests', { code: 429, retryAfterMs }));
    await clock.advance(waitMs - 1);
    expect(api.watches).toHaveLength(before);
    await clock.advance(1);
    expect(api.watches).toHaveLength(before + 1);
  });

  it('asks less and less often while watches end at once', async () => {
    await api.last.end();
    const before = api.watches.length;
    for (let round = 0; round < 40; round++) {
      await clock.advance(1_500);
      await api.last.open();
      await api.last.end();
    }
    // One minute: after 0.2, 0.4, 0.8, 1.6 and 3.2 s, then every 5 s, instead of forty.
    expect(api.watches.length - before).toBeLessThanOrEqual(16);
    expect(reflector.health.failures).toBeGreaterThan(5);
  });

  it('is quick again after a healthy stretch', async () => {
    for (let round = 0; round < 6; round++) {
      await api.last.fail(failure('Connection'));
      await clock.advance(10_000);
    }
    await api.last.open();
    await clock.advance(5_000);
    await api.last.fail(failure('Connection'));
    const asked = api.watches.length;
    await clock.advance(200);
    expect(api.watches).toHaveLength(asked + 1);
  });

  it.each(['ServerError', 'Unauthorized', 'Forbidden', 'NotFound', 'Timeout', 'Other'] as const)(
    'survives %s',
    async (reason) => {
      await api.last.fail(failure(reason));
      await clock.advance(200);
      await api.last.open();
      await api.last.send('ADDED', thing('c', '9'));
      expect(sink.names).toContain('c@9');
      expect(sink.fills).toBe(1);
    },
  );

  it('knows when it last heard of the server', async () => {
    await clock.advance(30_000);
    expect(reflector.health.lastActivityAt).toBe(later(clock.now(), -30_000));
    await api.last.bookmark('8');
    expect(reflector.health.lastActivityAt).toBe(clock.now());
  });
});

describe('filling anew', () => {
  beforeEach(() => api.last.fill('7', thing('a', '1'), thing('b', '2')));

  /** Asks for it; true once it is done. */
  async function asked(): Promise<{ isDone: boolean }> {
    const asking = { isDone: false };
    void reflector.fillAnew().then(() => {
      asking.isDone = true;
    });
    await settle();
    return asking;
  }

  it('lists everything at once, and is done when that is shown', async () => {
    const silent = api.last;
    const asking = await asked();
    expect(silent.closed).toBe(true);
    expect(api.last.options).toMatchObject({ sendInitialEvents: true });
    expect(sink.names).toEqual(['a@1', 'b@2']);
    expect(asking.isDone).toBe(false);
    await api.last.fill('20', thing('b', '15'), thing('c', '16'));
    expect(asking.isDone).toBe(true);
    expect(sink.names).toEqual(['b@15', 'c@16']);
    expect(api.last.options.resourceVersion).toBe('20');
  });

  it('forgets a list that was begun before', async () => {
    await asked();
    const earlier = api.last;
    await earlier.open();
    await earlier.send('ADDED', thing('a', '1'));
    const complete = earlier.bookmark('19', { 'k8s.io/initial-events-end': 'true' });
    const asking = await asked();
    await complete;
    expect(earlier.closed).toBe(true);
    expect(asking.isDone).toBe(false);
    await api.last.fill('20', thing('b', '15'));
    expect(asking.isDone).toBe(true);
    expect(sink.names).toEqual(['b@15']);
  });

  it('reads nothing more of the watch that it gave up', async () => {
    const former = api.last;
    const arrived = former.send('MODIFIED', thing('a', '8'));
    void reflector.fillAnew();
    await arrived;
    expect(sink.names).toEqual(['a@1', 'b@2']);
    expect(api.last.options).toMatchObject({ sendInitialEvents: true });
  });

  it('waits for nothing when it was resting', async () => {
    await api.last.fail(failure('TooManyRequests', { code: 429, retryAfterMs: 50_000 }));
    await asked();
    expect(api.last.options).toMatchObject({ sendInitialEvents: true });
  });

  it('tries until it succeeds', async () => {
    const asking = await asked();
    await api.last.fail(failure('ServerError', { code: 500 }));
    await clock.advance(200);
    expect(asking.isDone).toBe(false);
    await api.last.fill('20', thing('b', '15'));
    expect(asking.isDone).toBe(true);
  });

  it('still streams afterwards', async () => {
    await asked();
    await api.last.open();
    await asked();
    expect(api.lists).toEqual([]);
    expect(api.last.options).toMatchObject({ sendInitialEvents: true });
  });
});

describe('stopping', () => {
  it('while it waits to try again', async () => {
    await api.last.fail(failure('Connection'));
    expect(reflector.health.phase).toBe('waiting');
    stop.abort();
    await running;
    expect(api.watches).toHaveLength(1);
  });

  it('at the moment that its watch ends', async () => {
    await api.last.fill('7');
    const ended = api.last.end();
    stop.abort();
    await ended;
    await running;
    expect(reflector.health.phase).toBe('stopped');
  });

  it('while it watches', async () => {
    await api.last.fill('7');
    stop.abort();
    await running;
    expect(api.last.closed).toBe(true);
  });
});

function withoutKind({ apiVersion: _, kind: __, ...rest }: Thing): Thing {
  return rest;
}
