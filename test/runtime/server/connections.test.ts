// How many connections a server holds, tried with real sockets that say nothing.

import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CurrentCertificate } from '../../../src/runtime/certificates/source.ts';
import type { ConnectionLimits } from '../../../src/runtime/server/connections.ts';
import { sendText } from '../../../src/runtime/server/http.ts';
import { type Handler, Listener } from '../../../src/runtime/server/listener.ts';
import { localhostCertificate } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';

const { ca, serving } = await localhostCertificate();
const sayHello: Handler = (_, response) => sendText(response, 200, 'hello');

const clean: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of clean.splice(0).reverse()) await each();
});

async function serve(protocol: 'http' | 'https', limits: ConnectionLimits, handler = sayHello): Promise<number> {
  const certificates = new CurrentCertificate();
  certificates.set(serving);
  const listener = new Listener({
    address: { host: '127.0.0.1', port: 0 },
    handler,
    limits,
    ...(protocol === 'https' && { certificates }),
  });
  const stop = new AbortController();
  const ended = listener.start(stop.signal);
  clean.push(async () => {
    stop.abort();
    await ended;
  });
  return listener.listening;
}

/** A connection that says nothing, and whether it still is one. */
async function silent(port: number): Promise<{ isOpen(): boolean; socket: Socket }> {
  return kept(connect(port, '127.0.0.1'), 'connect');
}

/** The same after a TLS handshake. */
async function silentTls(port: number): Promise<{ isOpen(): boolean; socket: Socket }> {
  return kept(connectTls({ port, host: '127.0.0.1', ca }), 'secureConnect');
}

async function kept(socket: Socket, event: string): Promise<{ isOpen(): boolean; socket: Socket }> {
  socket.on('error', () => {});
  let open = true;
  socket.resume().once('close', () => {
    open = false;
  });
  clean.push(() => socket.destroy());
  await Promise.race([once(socket, event), once(socket, 'close')]);
  return { isOpen: () => open, socket };
}

async function get(port: number, agent: Agent = new Agent()): Promise<number> {
  const options = { host: '127.0.0.1', port, path: '/', agent };
  const sent = agent instanceof HttpsAgent ? httpsRequest({ ...options, ca }) : httpRequest(options);
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  for await (const _ of response);
  return response.statusCode ?? 0;
}

function keptOpen(agent: Agent): Agent {
  clean.push(() => agent.destroy());
  return agent;
}

describe('a server with as many connections as it may have', () => {
  it('closes the one that has said nothing for longest', async () => {
    const port = await serve('http', { connections: 3, handshakes: 3 });
    const connections = [await silent(port), await silent(port), await silent(port)];
    expect(await get(port)).toBe(200);
    await eventually(() => expect(connections.map(({ isOpen }) => isOpen())).toEqual([false, true, true]));
  });

  it('counts a connection that was used as the youngest', async () => {
    const port = await serve('http', { connections: 2, handshakes: 2 });
    const used = keptOpen(new Agent({ keepAlive: true }));
    await get(port, used);
    const idle = await silent(port);
    await get(port, used);
    const next = await silent(port);
    await eventually(() => expect([idle.isOpen(), next.isOpen()]).toEqual([false, true]));
    expect(await get(port, used)).toBe(200);
  });

  it('closes none on which a request is at work, but the newcomer', async () => {
    const waiting: ServerResponse[] = [];
    const port = await serve('http', { connections: 2, handshakes: 2 }, (_, response) => void waiting.push(response));
    const answers = [get(port), get(port)];
    await eventually(() => expect(waiting).toHaveLength(2));
    const newcomer = await silent(port);
    await eventually(() => expect(newcomer.isOpen()).toBe(false));
    for (const response of waiting) sendText(response, 200, 'hello');
    expect(await Promise.all(answers)).toEqual([200, 200]);
  });

  it('forgets connections that are closed', async () => {
    for (const protocol of ['http', 'https'] as const) {
      const port = await serve(protocol, { connections: 8, handshakes: 8 });
      const last = await (protocol === 'http' ? silent(port) : silentTls(port));
      for (let round = 0; round < 30; round++) {
        expect(await get(port, protocol === 'http' ? new Agent() : new HttpsAgent())).toBe(200);
        await delay(5); // the server hears of the end of a connection a moment later
      }
      expect(last.isOpen()).toBe(true);
    }
  });
});

describe('a TLS server', () => {
  it('closes the handshake that has not been finished for longest', async () => {
    const port = await serve('https', { connections: 10, handshakes: 2 });
    const connections = [await silent(port), await silent(port), await silent(port)];
    await eventually(() => expect(connections.map(({ isOpen }) => isOpen())).toEqual([false, true, true]));
    expect(await get(port, new HttpsAgent())).toBe(200);
  });

  it('does not count a finished handshake as one', async () => {
    const port = await serve('https', { connections: 10, handshakes: 2 });
    const connections = [await silentTls(port), await silentTls(port), await silentTls(port), await silentTls(port)];
    expect(await get(port, new HttpsAgent())).toBe(200);
    expect(connections.every(({ isOpen }) => isOpen())).toBe(true);
  });

  it('closes idle connections for newcomers, the oldest first', async () => {
    const port = await serve('https', { connections: 3, handshakes: 3 });
    const connections = [await silentTls(port), await silentTls(port), await silentTls(port)];
    expect(await get(port, new HttpsAgent())).toBe(200);
    await eventually(() => expect(connections.map(({ isOpen }) => isOpen())).toEqual([false, true, true]));
  });

  it('keeps a connection on which a request is at work', async () => {
    const waiting: ServerResponse[] = [];
    const port = await serve('https', { connections: 2, handshakes: 2 }, (_, response) => void waiting.push(response));
    const answer = get(port, new HttpsAgent());
    await eventually(() => expect(waiting).toHaveLength(1));
    const idle = [await silentTls(port), await silentTls(port), await silentTls(port)];
    await eventually(() => expect(idle.map(({ isOpen }) => isOpen())).toEqual([false, false, true]));
    for (const response of waiting) sendText(response, 200, 'hello');
    expect(await answer).toBe(200);
  });
});
