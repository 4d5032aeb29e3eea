import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from '../../../src/runtime/client/client.ts';
import type { WatchEvent, WatchOptions } from '../../../src/runtime/client/options.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { type ConfigMap, configMaps } from './fixtures.ts';
import { json, line, ScriptedServer, silence, status, stream } from './scripted-server.ts';

let server: ScriptedServer;
let client: Client;
beforeEach(async () => {
  server = await ScriptedServer.start();
  client = createClient(server.connection());
});
afterEach(() => server.close());

const object = (name: string, more: object = {}): object => ({
  metadata: { name, namespace: 'default', resourceVersion: '7', uid: name },
  ...more,
});

async function read(options: WatchOptions = {}): Promise<{ events: WatchEvent<ConfigMap>[]; error: unknown }> {
  const events: WatchEvent<ConfigMap>[] = [];
  try {
    for await (const event of client.watch(configMaps, options)) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

describe('a watch', () => {
  it('ends when the server ends it, and all events have been read', async () => {
    server.script(stream((response) => response.end(line('ADDED', object('a')) + line('BOOKMARK', object('')))));
    const { events, error } = await read();
    expect(error).toBeUndefined();
    expect(events.map((event) => event.type)).toEqual(['ADDED', 'BOOKMARK']);
  });

  it('reads events however they are cut, inside characters too', async () => {
    const text = line('ADDED', object('a', { data: { greeting: 'grüß dich 😀' } })) + line('MODIFIED', object('b'));
    server.script(
      stream(async (response) => {
        for (const byte of Buffer.from(text)) {
          response.write(Buffer.of(byte));
          await delay(0);
        }
        response.end();
      }),
    );
    const { events, error } = await read();
    expect(error).toBeUndefined();
    expect(events).toEqual([
      { type: 'ADDED', object: object('a', { data: { greeting: 'grüß dich 😀' } }) },
      { type: 'MODIFIED', object: object('b') },
    ]);
  });

  it('leaves out managedFields when asked to', async () => {
    const managed = { metadata: { name: 'a', managedFields: [{ manager: 'k' }] } };
    server.script(stream((response) => response.end(line('ADDED', managed))));
    server.script(stream((response) => response.end(line('ADDED', managed))));
    expect((await read({ omitManagedFields: true })).events).toEqual([
      { type: 'ADDED', object: { metadata: { name: 'a' } } },
    ]);
    expect((await read()).events).toEqual([{ type: 'ADDED', object: managed }]);
  });

  it('throws what an ERROR frame says, after the events before it', async () => {
    const gone = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version: 7 (9)' };
    server.script(stream((response) => response.end(line('ADDED', object('a')) + line('ERROR', gone))));
    const { events, error } = await read();
    expect(events).toHaveLength(1);
    expect(error).toMatchObject({
      reason: 'Gone',
      message: 'watch configmaps: Gone 410: too old resource version: 7 (9)',
    });
  });

  it('throws when it is cut in the middle of a line', async () => {
    server.script(
      stream((response) =>
        response.write(`${line('ADDED', object('a'))}{"type":"MOD`, () => response.socket?.destroy()),
      ),
    );
    const { events, error } = await read();
    expect(events).toHaveLength(1);
    expect(error).toMatchObject({ reason: 'Connection' });
  });

  it('throws when it ends politely in the middle of a line', async () => {
    server.script(stream((response) => response.end('{"type":"MOD')));
    expect((await read()).error).toMatchObject({
      message: 'watch configmaps: Connection: stream ended inside a frame',
    });
  });

  it('throws at a line that is not JSON, and hangs up', async () => {
    server.script(stream((response) => response.write('<html>\n')));
    expect((await read()).error).toMatchObject({ message: 'watch configmaps: Connection: broken frame <html>' });
    await eventually(async () => expect(await server.openSockets()).toBe(0));
  });

  it('throws the refusal when the server does not begin', async () => {
    server.script(status(403, 'Forbidden', 'not you'));
    expect((await read()).error).toMatchObject({ reason: 'Forbidden' });
  });

  it('repeats its beginning like any read, and says when it is open', async () => {
    server.script(status(429, 'TooManyRequests', 'busy'));
    server.script(stream((response) => response.end(line('ADDED', object('a')))));
    let opened = 0;
    const { events } = await read({ onOpen: () => (opened += 1) });
    expect(events).toHaveLength(1);
    expect(opened).toBe(1);
  });

  it('that does not begin in time is given up; one that has begun has no deadline', async () => {
    const clock = new FakeClock();
    client = createClient(server.connection(), { clock });
    server.script(silence);
    const late = read({ timeoutMs: 1_000, attempts: 1 });
    await eventually(() => expect(server.requests).toHaveLength(1));
    await clock.advance(1_000);
    expect((await late).error).toMatchObject({ reason: 'Timeout' });

    let finish: () => void = () => {};
    server.script(
      stream((response) => {
        finish = () => response.end(line('ADDED', object('a')));
      }),
    );
    let opened = false;
    const lasting = read({
      timeoutMs: 1_000,
      onOpen: () => {
        opened = true;
      },
    });
    await eventually(() => expect(opened).toBe(true));
    expect(clock.timers).toBe(0);
    await clock.advance(600_000);
    finish();
    expect((await lasting).events).toHaveLength(1);
  });

  it('hangs up when its reader stops reading', async () => {
    server.script(stream((response) => response.write(line('ADDED', object('a')) + line('ADDED', object('b')))));
    for await (const event of client.watch(configMaps)) {
      expect(event.object.metadata).toMatchObject({ name: 'a' });
      break;
    }
    await eventually(async () => expect(await server.openSockets()).toBe(0));
  });

  it('hangs up when its signal aborts', async () => {
    const stop = new AbortController();
    server.script(stream((response) => response.write(line('ADDED', object('a')))));
    const reading = read({ signal: stop.signal, onOpen: () => setImmediate(() => stop.abort(new Error('enough'))) });
    expect((await reading).error).toMatchObject({ reason: 'Aborted', message: 'watch configmaps: Aborted: enough' });
    await eventually(async () => expect(await server.openSockets()).toBe(0));
  });

  it('holds the server back when its reader is slow, and loses nothing', async () => {
    const big = 'x'.repeat(50_000);
    let written = 0;
    server.script(
      stream(async (response) => {
        for (let n = 0; n < 400; n++) {
          written = n;
          if (!response.write(line('ADDED', object(`o${n}`, { data: { big } })))) {
            await new Promise((resolve) => response.once('drain', resolve));
          }
        }
        response.end();
      }),
    );
    const names: string[] = [];
    for await (const event of client.watch(configMaps)) {
      names.push((event.object as ConfigMap).metadata.name);
      if (names.length === 1) {
        await delay(100);
        expect(written).toBeLessThan(399);
      }
    }
    expect(names).toEqual(Array.from({ length: 400 }, (_, n) => `o${n}`));
  });

  it('does not take the sockets of ordinary requests', async () => {
    client = createClient(server.connection({ sockets: 1 }));
    const stop = new AbortController();
    server.script(...Array.from({ length: 3 }, () => stream(() => {})));
    const watches = Array.from({ length: 3 }, () => read({ signal: stop.signal }));
    await eventually(() => expect(server.requests).toHaveLength(3));
    server.script(json(200, object('a')));
    await client.get(configMaps, { namespace: 'default', name: 'a' });
    stop.abort();
    await Promise.all(watches);
  });
});
