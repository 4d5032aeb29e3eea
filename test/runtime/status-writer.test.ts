import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from '../../src/runtime/client/client.ts';
import { ApiError } from '../../src/runtime/errors.ts';
import { msBetween } from '../../src/runtime/instant.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { StatusWriter, type StatusWritten, statusInterval } from '../../src/runtime/status-writer.ts';
import { FakeClock } from '../support/fake-clock.ts';

interface Widget extends KubeObject {
  readonly status?: { readonly ready?: number; readonly old?: string };
}

const widgets: Resource<Widget> = {
  group: 'test.io',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};
const widget: Widget = {
  metadata: { namespace: 'ns', name: 'w', uid: 'uid-1', resourceVersion: '7' },
  status: { ready: 0, old: 'news' },
};
const { signal } = new AbortController();

describe('StatusWriter', () => {
  let clock: FakeClock;
  let client: Client;
  let writer: StatusWriter<Widget>;
  let bodies: unknown[];
  let refusal: ApiError | undefined;
  let answersAfterMs: number;

  beforeEach(() => {
    clock = new FakeClock(0);
    bodies = [];
    refusal = undefined;
    answersAfterMs = 0;
    const patch = async (_resource: unknown, _ref: unknown, { body }: { body: unknown }): Promise<Widget> => {
      if (refusal !== undefined) throw refusal;
      bodies.push(body);
      clock.elapse(answersAfterMs);
      return { ...widget, metadata: { ...widget.metadata, resourceVersion: '8' } };
    };
    client = { patch } as unknown as Client;
    writer = new StatusWriter(widgets, { client, clock });
  });

  it('writes what is new and takes away what is gone, and only over the version that was looked at', async () => {
    expect(await writer.write(widget, { ready: 1 }, 'now', signal)).toEqual({ wrote: 'now', resourceVersion: '8' });
    expect(bodies).toEqual([{ metadata: { uid: 'uid-1', resourceVersion: '7' }, status: { old: null, ready: 1 } }]);
  });

  it('writes the first change at once, and those that follow together after an interval', async () => {
    expect(await writer.write(widget, { ready: 1 }, 'later', signal)).toMatchObject({ wrote: 'now' });
    expect(await writer.write(widget, { ready: 2 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 100 });
    clock.elapse(99);
    expect(await writer.write(widget, { ready: 3 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 1 });
    clock.elapse(1);
    expect(await writer.write(widget, { ready: 4 }, 'later', signal)).toMatchObject({ wrote: 'now' });
    expect(bodies).toMatchObject([{ status: { ready: 1 } }, { status: { ready: 4 } }]);
  });

  it('writes what is urgent at once, and the interval begins anew', async () => {
    await writer.write(widget, { ready: 1 }, 'later', signal);
    clock.elapse(60);
    expect(await writer.write(widget, { ready: 2 }, 'now', signal)).toMatchObject({ wrote: 'now' });
    clock.elapse(60);
    expect(await writer.write(widget, { ready: 3 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 40 });
  });

  it('coalesces more while the API server responds slowly', async () => {
    answersAfterMs = 20;
    await writer.write(widget, { ready: 1 }, 'later', signal);
    expect(await writer.write(widget, { ready: 2 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 1000 });
    clock.elapse(1000);
    answersAfterMs = 0;
    await writer.write(widget, { ready: 3 }, 'later', signal);
    expect(await writer.write(widget, { ready: 4 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 100 });
  });

  it('coalesces each object by itself', async () => {
    await writer.write(widget, { ready: 1 }, 'later', signal);
    const other = { ...widget, metadata: { ...widget.metadata, name: 'other', uid: 'uid-2' } };
    expect(await writer.write(other, { ready: 1 }, 'later', signal)).toMatchObject({ wrote: 'now' });
  });

  it('does not wait again after a conflict', async () => {
    await writer.write(widget, { ready: 1 }, 'later', signal);
    clock.elapse(100);
    refusal = new ApiError('Conflict', 'the object has been modified');
    const conflict = { wrote: 'conflict', message: 'the object has been modified' };
    expect(await writer.write(widget, { ready: 1 }, 'later', signal)).toEqual(conflict);
    refusal = undefined;
    expect(await writer.write(widget, { ready: 1 }, 'later', signal)).toMatchObject({ wrote: 'now' });
  });

  it('keeps nothing of an object that is gone, was forgotten, or has given its name to another', async () => {
    await writer.write(widget, { ready: 1 }, 'later', signal);
    refusal = new ApiError('NotFound', 'not found');
    expect(await writer.write(widget, { ready: 2 }, 'now', signal)).toEqual({ wrote: 'gone' });
    refusal = undefined;
    expect(await writer.write(widget, { ready: 3 }, 'later', signal)).toMatchObject({ wrote: 'now' });
    writer.forget('ns/w');
    expect(await writer.write(widget, { ready: 4 }, 'later', signal)).toMatchObject({ wrote: 'now' });
    const next = { ...widget, metadata: { ...widget.metadata, uid: 'uid-2' } };
    expect(await writer.write(next, { ready: 5 }, 'later', signal)).toMatchObject({ wrote: 'now' });
  });

  it('throws what the caller has to hear of', async () => {
    refusal = new ApiError('ServerError', 'out of disk');
    await expect(writer.write(widget, { ready: 1 }, 'now', signal)).rejects.toThrow('out of disk');
  });
});

describe('statusInterval', () => {
  it.each([
    { name: 'at once', tookMs: 0, leastMs: 100, intervalMs: 100 },
    { name: 'quickly', tookMs: 4, leastMs: 100, intervalMs: 200 },
    { name: 'slowly', tookMs: 40, leastMs: 100, intervalMs: 2_000 },
    { name: 'hardly', tookMs: 900, leastMs: 100, intervalMs: 5_000 },
    { name: 'quickly, and the object need not be fresh', tookMs: 4, leastMs: 5_000, intervalMs: 5_000 },
    { name: 'hardly, and the object need not be fresh', tookMs: 900, leastMs: 6_000, intervalMs: 6_000 },
  ])('the API server responds $name: $intervalMs ms', ({ tookMs, leastMs, intervalMs }) => {
    expect(statusInterval(tookMs, leastMs)).toBe(intervalMs);
  });
});

describe('an object whose pods change all the time', () => {
  const changes = fc.array(fc.record({ afterMs: fc.nat(300), tookMs: fc.nat(30) }), { minLength: 1, maxLength: 60 });

  it('shows every change after an interval at the latest, and costs the API server at most a fiftieth of its time', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (story) => {
        const clock = new FakeClock(0);
        const begunAt = clock.now();
        const writesMs: number[] = [];
        let nextMs = 0;
        const patch = async (): Promise<Widget> => {
          clock.elapse(nextMs);
          writesMs.push(nextMs);
          return widget;
        };
        const writer = new StatusWriter(widgets, { client: { patch } as unknown as Client, clock });
        const write = (): Promise<StatusWritten> => writer.write(widget, {}, 'later', signal);
        for (const { afterMs, tookMs } of story) {
          clock.elapse(afterMs);
          nextMs = tookMs;
          const written = await write();
          if (written.wrote !== 'later') continue;
          expect(written.afterMs).toBeLessThanOrEqual(statusInterval(writesMs.at(-1) ?? 0, 100));
        }
        const spentMs = msBetween(begunAt, clock.now());
        const busyMs = writesMs.slice(0, -1).reduce((sum, ms) => sum + ms, 0); // no interval follows the last one yet
        expect(busyMs).toBeLessThanOrEqual(spentMs / 50);
        const rest = await write();
        if (rest.wrote === 'later') clock.elapse(rest.afterMs);
        expect(rest.wrote === 'later' ? await write() : rest).toMatchObject({ wrote: 'now' });
      }),
    );
  });
});
