import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Patch } from '../../src/runtime/client/options.ts';
import { ApiError, type ApiFailure } from '../../src/runtime/errors.ts';
import type { NewEvent, Typed } from '../../src/runtime/events/event.ts';
import { EventBroadcaster, type EventBroadcasterOptions, type EventSink } from '../../src/runtime/events.ts';
import type { ObjectRef } from '../../src/runtime/object.ts';
import { FakeClock, settle } from '../support/fake-clock.ts';

/** A server that keeps events, fails when told to, and waits when told to. */
class FakeServer implements EventSink {
  readonly stored = new Map<string, NewEvent>();
  readonly requests: string[] = [];
  /** The failures of the next requests, in order. */
  readonly failures: (ApiFailure | 'lost answer')[] = [];
  gate: Promise<void> = Promise.resolve();

  async create(_resource: unknown, event: NewEvent): Promise<void> {
    await this.#request(`create ${event.message} ${event.count}`, () => {
      if (this.stored.has(event.metadata.name)) throw new ApiError('AlreadyExists', 'exists');
      this.stored.set(event.metadata.name, event);
    });
  }

  async patch(_resource: unknown, ref: ObjectRef, patch: Patch): Promise<void> {
    const body = patch.body as Partial<NewEvent>;
    await this.#request(`patch ${body.message} ${body.count}`, () => {
      const event = this.stored.get(ref.name);
      if (event === undefined) throw new ApiError('NotFound', 'gone');
      this.stored.set(ref.name, { ...event, ...body });
    });
  }

  async #request(request: string, perform: () => void): Promise<void> {
    this.requests.push(request);
    await this.gate;
    const failure = this.failures.shift();
    if (failure !== undefined && failure !== 'lost answer') throw new ApiError(failure, failure);
    perform();
    if (failure === 'lost answer') throw new ApiError('Connection', 'reset');
  }
}

const widget: Typed = {
  apiVersion: 'test.io/v1',
  kind: 'Widget',
  metadata: { namespace: 'ns', name: 'w', uid: 'uid-1', resourceVersion: '1' },
};

let clock: FakeClock;
let server: FakeServer;
let stop: AbortController;
let running: Promise<void>;

beforeEach(() => {
  clock = new FakeClock();
  server = new FakeServer();
  stop = new AbortController();
  running = Promise.resolve();
});

afterEach(async () => {
  stop.abort();
  await clock.advance(60_000);
  await running;
  expect(clock.timers).toBe(0);
});

function broadcaster(options: Partial<EventBroadcasterOptions> = {}): EventBroadcaster {
  const events = new EventBroadcaster({
    client: server,
    reporter: { component: 'widgets' },
    clock,
    wallNow: clock.wallNow,
    ...options,
  });
  running = events.start(stop.signal);
  return events;
}

function say(events: EventBroadcaster, ...messages: readonly string[]): void {
  for (const message of messages) events.record(widget, { type: 'Normal', reason: 'Created', message });
}

function holdServer(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.gate = promise;
  return resolve;
}

describe('EventBroadcaster', () => {
  it('creates an event, and raises its count when it happens again', async () => {
    const events = broadcaster();
    say(events, 'made a');
    await settle();
    await clock.advance(1000);
    say(events, 'made a');
    await settle();
    expect(server.requests).toEqual(['create made a 1', 'patch made a 2']);
    expect([...server.stored.values()]).toMatchObject([
      { count: 2, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:01Z' },
    ]);
  });

  it('makes one write of what is repeated while the server is slow', async () => {
    const release = holdServer();
    const events = broadcaster();
    say(events, 'first');
    await settle();
    say(events, 'again', 'again', 'again', 'first');
    release();
    await settle();
    expect(server.requests).toEqual(['create first 1', 'create again 3', 'patch first 2']);
  });

  it('creates an event anew that the server has forgotten', async () => {
    const events = broadcaster();
    say(events, 'made a');
    await settle();
    server.stored.clear();
    say(events, 'made a');
    await settle();
    say(events, 'made a');
    await settle();
    expect(server.requests.slice(1)).toEqual(['patch made a 2', 'create made a 2', 'patch made a 3']);
  });

  it('never waits for the server', async () => {
    const release = holdServer();
    const events = broadcaster();
    say(events, 'a', 'b');
    await settle();
    expect(server.requests).toEqual(['create a 1']);
    release();
  });

  it('loses what is beyond its limit, and nothing else', async () => {
    const release = holdServer();
    const events = broadcaster({ maxWaiting: 2 });
    say(events, 'in work');
    await settle();
    say(events, 'a', 'b', 'lost', 'a');
    release();
    await settle();
    expect(server.requests).toEqual(['create in work 1', 'create a 2', 'create b 1']);
  });

  it.each(['Connection', 'Timeout', 'ServerError', 'TooManyRequests'] as const)(
    'tries again after %s, later each time',
    async (failure) => {
      server.failures.push(failure, failure);
      say(broadcaster(), 'a');
      await clock.advance(999);
      expect(server.requests).toHaveLength(1);
      await clock.advance(1);
      expect(server.requests).toHaveLength(2);
      await clock.advance(5_000);
      expect(server.stored.size).toBe(1);
    },
  );

  it('gives an event up after four tries, and goes on with the next', async () => {
    server.failures.push('Connection', 'Connection', 'Connection', 'Connection');
    say(broadcaster(), 'a', 'b');
    await clock.advance(26_000);
    expect(server.requests).toEqual(['create a 1', 'create a 1', 'create a 1', 'create a 1', 'create b 1']);
  });

  it.each(['Forbidden', 'Invalid', 'NotFound'] as const)(
    'does not repeat what the server refused as %s',
    async (failure) => {
      server.failures.push(failure);
      say(broadcaster(), 'a', 'b');
      await clock.advance(60_000);
      expect(server.requests).toEqual(['create a 1', 'create b 1']);
    },
  );

  it('knows that a create got through although its answer was lost', async () => {
    server.failures.push('lost answer');
    const events = broadcaster();
    say(events, 'a');
    await clock.advance(1000);
    say(events, 'a');
    await settle();
    expect(server.requests).toEqual(['create a 1', 'create a 1', 'patch a 2']);
  });

  it('writes the newest count when it tries again', async () => {
    server.failures.push('Connection');
    const events = broadcaster();
    say(events, 'a');
    await settle();
    say(events, 'a');
    await clock.advance(1000);
    expect(server.requests).toEqual(['create a 1', 'create a 2']);
    expect(server.stored.size).toBe(1);
  });
});

describe('stop', () => {
  it('writes what is left first', async () => {
    const release = holdServer();
    const events = broadcaster();
    say(events, 'a', 'b');
    await settle();
    stop.abort();
    release();
    await running;
    expect(server.requests).toEqual(['create a 1', 'create b 1']);
  });

  it('returns at once when nothing is left', async () => {
    broadcaster();
    await settle();
    stop.abort();
    await running;
    expect(clock.timers).toBe(0);
  });

  it('gives up at the deadline, also while it waits for another try', async () => {
    server.failures.push('Connection', 'Connection');
    const events = broadcaster({ flushMs: 300 });
    say(events, 'a', 'b');
    await settle();
    stop.abort();
    await clock.advance(300);
    await running;
    expect(server.requests).toEqual(['create a 1']);
  });

  it('tells requests that are on their way', async () => {
    let signal: AbortSignal | undefined;
    const client: EventSink = {
      create: (_resource, _event, options) => {
        signal = options.signal;
        return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal?.reason)));
      },
      patch: () => Promise.resolve(),
    };
    say(broadcaster({ client }), 'a');
    await settle();
    stop.abort();
    await clock.advance(4_999);
    expect(signal?.aborted).toBe(false);
    await clock.advance(1);
    await running;
    expect(signal?.aborted).toBe(true);
  });

  it('has a deadline also when it came before the start', async () => {
    server.failures.push('Connection');
    const events = new EventBroadcaster({
      client: server,
      reporter: { component: 'widgets' },
      clock,
      wallNow: clock.wallNow,
      flushMs: 300,
    });
    say(events, 'a');
    stop.abort();
    running = events.start(stop.signal);
    await clock.advance(300);
    await running;
    expect(server.requests).toEqual(['create a 1']);
  });
});
