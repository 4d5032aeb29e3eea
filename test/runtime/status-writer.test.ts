import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../src/runtime/client/client.ts';
import { ApiError } from '../../src/runtime/errors.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { StatusWriter } from '../../src/runtime/status-writer.ts';
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

  it('lets what may come soon wait for company until 100 ms after it was first seen', async () => {
    expect(await writer.write(widget, { ready: 1 }, 'soon', signal)).toEqual({ wrote: 'later', afterMs: 100 });
    clock.elapse(99);
    expect(await writer.write(widget, { ready: 2 }, 'soon', signal)).toEqual({ wrote: 'later', afterMs: 1 });
    clock.elapse(1);
    expect(await writer.write(widget, { ready: 3 }, 'soon', signal)).toMatchObject({ wrote: 'now' });
    expect(bodies).toEqual([expect.objectContaining({ status: { old: null, ready: 3 } })]);
  });

  it('lets what may come later wait for a second, and then for news that may be a moment away', async () => {
    expect(await writer.write(widget, { ready: 1 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 1000 });
    clock.elapse(1200);
    expect(await writer.write(widget, { ready: 2 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 100 });
    clock.elapse(50);
    expect(await writer.write(widget, { ready: 3 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 50 });
    clock.elapse(50);
    expect(await writer.write(widget, { ready: 4 }, 'later', signal)).toMatchObject({ wrote: 'now' });
    expect(bodies).toEqual([expect.objectContaining({ status: { old: null, ready: 4 } })]);
  });

  it('tells the news that came while it waited for them', async () => {
    await writer.write(widget, { ready: 1 }, 'later', signal);
    clock.elapse(1000);
    await writer.write(widget, { ready: 1 }, 'later', signal);
    expect(await writer.write(widget, { ready: 5 }, 'soon', signal)).toMatchObject({ wrote: 'now' });
  });

  it.each([
    { name: 'quick', tookMs: 5, at: 1000 },
    { name: 'three times as slow as it can be', tookMs: 57, at: 3000 },
    { name: 'hardly there', tookMs: 500, at: 5000 },
  ])('lets what may come later wait until $at ms while the server is $name', async ({ tookMs, at }) => {
    await writer.write(widget, { ready: 1 }, 'now', signal); // which takes no time
    answersAfterMs = tookMs;
    await writer.write(widget, { ready: 2 }, 'now', signal);
    const waits = (await writer.write(widget, { ready: 3 }, 'later', signal)) as { readonly afterMs: number };
    expect(waits.afterMs).toBeCloseTo(at, -2);
  });

  it('never lets what waits for five seconds anyway wait longer for a busy server', async () => {
    const patient = new StatusWriter(widgets, { client, clock, laterMs: 5000 });
    await patient.write(widget, { ready: 1 }, 'now', signal); // which takes no time
    answersAfterMs = 500;
    await patient.write(widget, { ready: 2 }, 'now', signal);
    const waits = await patient.write(widget, { ready: 3 }, 'later', signal);
    expect(waits).toEqual({ wrote: 'later', afterMs: 5000 });
  });

  it('lets what is more urgent take along what waits', async () => {
    await writer.write(widget, { ready: 1 }, 'later', signal);
    clock.elapse(300);
    expect(await writer.write(widget, { ready: 2 }, 'soon', signal)).toMatchObject({ wrote: 'now' });
    expect(await writer.write(widget, { ready: 3 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 1000 });
  });

  it('lets each object wait by itself', async () => {
    await writer.write(widget, { ready: 1 }, 'later', signal);
    clock.elapse(400);
    const other = { ...widget, metadata: { ...widget.metadata, name: 'other', uid: 'uid-2' } };
    expect(await writer.write(other, { ready: 1 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 1000 });
  });

  it('waits no second time after a conflict', async () => {
    await writer.write(widget, { ready: 1 }, 'later', signal);
    clock.elapse(1000);
    await writer.write(widget, { ready: 1 }, 'later', signal);
    clock.elapse(100);
    refusal = new ApiError('Conflict', 'the object has been modified');
    const conflict = { wrote: 'conflict', message: 'the object has been modified' };
    expect(await writer.write(widget, { ready: 1 }, 'later', signal)).toEqual(conflict);
    refusal = undefined;
    expect(await writer.write(widget, { ready: 1 }, 'later', signal)).toMatchObject({ wrote: 'now' });
  });

  it('keeps nothing of an object that is gone', async () => {
    refusal = new ApiError('NotFound', 'not found');
    expect(await writer.write(widget, { ready: 1 }, 'now', signal)).toEqual({ wrote: 'gone' });
    clock.elapse(5000);
    expect(await writer.write(widget, { ready: 1 }, 'soon', signal)).toEqual({ wrote: 'later', afterMs: 100 });
  });

  it('begins anew after an object was forgotten, and for another one of its name', async () => {
    await writer.write(widget, { ready: 1 }, 'later', signal);
    clock.elapse(600);
    writer.forget('ns/w');
    expect(await writer.write(widget, { ready: 1 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 1000 });
    clock.elapse(600);
    const next = { ...widget, metadata: { ...widget.metadata, uid: 'uid-2' } };
    expect(await writer.write(next, { ready: 1 }, 'later', signal)).toEqual({ wrote: 'later', afterMs: 1000 });
  });

  it('throws what the caller has to hear of', async () => {
    refusal = new ApiError('ServerError', 'out of disk');
    await expect(writer.write(widget, { ready: 1 }, 'now', signal)).rejects.toThrow('out of disk');
  });
});
