import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthority, issueCertificate, type KeyPair } from '../../../src/runtime/certificates/authority.ts';

import { type ClientCaSource, CurrentCertificate } from '../../../src/runtime/certificates/source.ts';
import { type Logger, silentLogger } from '../../../src/runtime/log.ts';
import { sendText } from '../../../src/runtime/server/http.ts';
import { type Handler, Listener, type ListenerOptions } from '../../../src/runtime/server/listener.ts';
import { localhostCertificate } from '../../support/certificates.ts';
import { settle } from '../../support/fake-clock.ts';

interface Served {
  readonly port: number;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

const running: Served[] = [];
const sayHello: Handler = (_, response) => sendText(response, 200, 'hello');

async function serve(handler: Handler, options: Partial<ListenerOptions> = {}): Promise<Served> {
  const listener = new Listener({ address: { host: '127.0.0.1', port: 0 }, handler, ...options });
  const stop = new AbortController();
  const ended = listener.start(stop.signal);
  const served = { port: await listener.listening, stop, ended };
  running.push(served);
  return served;
}

async function get(
  port: number,
  agent: Agent,
  tls?: { readonly ca: string },
): Promise<{ status: number; text: string }> {
  const options = { host: '127.0.0.1', port, path: '/', agent };
  const request = tls === undefined ? httpRequest(options) : httpsRequest({ ...options, ...tls });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode ?? 0, text };
}

afterEach(async () => {
  for (const { stop, ended } of running.splice(0)) {
    stop.abort();
    await ended;
  }
});

describe('a listener', () => {
  it('says in the log which server listens where', async () => {
    const said: unknown[] = [];
    const log = { ...silentLogger, info: (...words: unknown[]) => said.push(words) } as Logger;
    const { port } = await serve(sayHello, { name: 'health', log });
    expect(said).toEqual([['listening', { server: 'health', host: '127.0.0.1', port }]]);
  });

  it('answers 500 without details when a handler throws, and goes on', async () => {
    let calls = 0;
    const { port } = await serve((_, response) => {
      if (calls++ === 0) throw new Error('secret');
      sendText(response, 200, 'hello');
    });
    const agent = new Agent();
    expect(await get(port, agent)).toEqual({ status: 500, text: 'internal server error\n' });
    expect(await get(port, agent)).toEqual({ status: 200, text: 'hello' });
  });

  it('answers 500 when a handler rejects', async () => {
    const { port } = await serve(() => Promise.reject(new Error('secret')));
    expect((await get(port, new Agent())).status).toBe(500);
  });

  it('keeps idle connections for longer than the API server does', async () => {
    const { port } = await serve(sayHello);
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(answer.headers.get('keep-alive')).toBe('timeout=120');
  });

  it('survives clients that speak no HTTP', async () => {
    const { port } = await serve(sayHello);
    const socket = connect(port, '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    await once(socket.resume(), 'close');
    expect((await get(port, new Agent())).status).toBe(200);
  });

  it('rejects when its port is taken', async () => {
    const { port } = await serve(sayHello);
    const second = new Listener({ address: { host: '127.0.0.1', port }, handler: sayHello });
    await expect(second.start(new AbortController().signal)).rejects.toThrow('EADDRINUSE');
  });

  it('lets an answer on its way finish when it stops, and closes idle connections', async () => {
    const arrived = Promise.withResolvers<void>();
    const mayAnswer = Promise.withResolvers<void>();
    let calls = 0;
    const { port, stop, ended } = await serve(async (_, response) => {
      if (calls++ > 0) {
        arrived.resolve();
        await mayAnswer.promise;
      }
      sendText(response, 200, 'hello');
    });
    const idle = new Agent({ keepAlive: true });
    await get(port, idle);
    const busy = new Agent({ keepAlive: true });
    const answer = get(port, busy);
    await arrived.promise;
    stop.abort();
    await settle();
    await expect(get(port, new Agent())).rejects.toThrow('ECONNREFUSED');
    mayAnswer.resolve();
    expect(await answer).toEqual({ status: 200, text: 'hello' });
    expect(Object.keys(busy.freeSockets)).toEqual([]);
    await ended;
    idle.destroy();
    busy.destroy();
  });

  it('does not listen at all when it is stopped first', async () => {
    const listener = new Listener({ address: { host: '127.0.0.1', port: 0 }, handler: sayHello });
    const ended = listener.start(AbortSignal.abort()).then(() => 'never listened');
    expect(await Promise.race([listener.listening, ended])).toBe('never listened');
  });
});

describe('a TLS listener', () => {
  let first: { readonly ca: string; readonly serving: KeyPair };
  let second: { readonly ca: string; readonly serving: KeyPair };

  beforeAll(async () => {
    [first, second] = await Promise.all([localhostCertificate(), localhostCertificate()]);
  });

  it('waits for its first certificate', async () => {
    const certificates = new CurrentCertificate();
    const listener = new Listener({ address: { host: '127.0.0.1', port: 0 }, handler: sayHello, certificates });
    const stop = new AbortController();
    const ended = listener.start(stop.signal);
    const state = Promise.race([listener.listening.then(() => 'listening'), settle().then(() => 'waiting')]);
    expect(await state).toBe('waiting');
    certificates.set(first.serving);
    expect((await get(await listener.listening, new HttpsAgent(), first)).status).toBe(200);
    stop.abort();
    await ended;
  });

  it('can be stopped before it has a certificate', async () => {
    const certificates = new CurrentCertificate();
    const listener = new Listener({ address: { host: '127.0.0.1', port: 0 }, handler: sayHello, certificates });
    const stop = new AbortController();
    const ended = listener.start(stop.signal);
    stop.abort();
    await ended;
  });

  it('uses a new certificate for new connections, and keeps the old connections', async () => {
    const certificates = new CurrentCertificate();
    certificates.set(first.serving);
    const { port } = await serve(sayHello, { certificates });
    const old = new HttpsAgent({ keepAlive: true });
    await get(port, old, first);
    const [socket] = Object.values(old.freeSockets)[0] ?? [];
    certificates.set(second.serving);
    expect((await get(port, new HttpsAgent(), second)).status).toBe(200);
    await expect(get(port, new HttpsAgent(), first)).rejects.toThrow(/certificate|self-signed/);
    expect((await get(port, old, first)).status).toBe(200);
    expect(Object.values(old.freeSockets)[0]).toEqual([socket]);
    old.destroy();
  });

  it('keeps the old certificate when the new one cannot be used', async () => {
    const certificates = new CurrentCertificate();
    certificates.set(first.serving);
    const { port } = await serve(sayHello, { certificates });
    certificates.set({ cert: 'no', key: 'no' });
    expect((await get(port, new HttpsAgent(), first)).status).toBe(200);
  });

  it('refuses TLS 1.1', async () => {
    const certificates = new CurrentCertificate();
    certificates.set(first.serving);
    const { port } = await serve(sayHello, { certificates });
    const attempt = async (maxVersion: 'TLSv1.1' | 'TLSv1.2'): Promise<string | null> => {
      const ciphers = 'DEFAULT@SECLEVEL=0';
      const socket = tlsConnect({ port, host: '127.0.0.1', ca: first.ca, minVersion: 'TLSv1.1', maxVersion, ciphers });
      await once(socket, 'secureConnect');
      const protocol = socket.getProtocol();
      socket.destroy();
      return protocol;
    };
    await expect(attempt('TLSv1.1')).rejects.toThrow(/protocol version|alert/);
    await expect(attempt('TLSv1.2')).resolves.toBe('TLSv1.2');
  });
});

describe('a listener with a CA for clients', () => {
  const validity = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) };
  let trusted: KeyPair;
  let other: KeyPair;
  let server: { readonly ca: string; readonly serving: KeyPair };

  beforeAll(async () => {
    [trusted, other, server] = await Promise.all([
      createAuthority('callers', validity),
      createAuthority('others', validity),
      localhostCertificate(),
    ]);
  });

  const clientOf = (authority: KeyPair): Promise<KeyPair> =>
    issueCertificate(authority, { commonName: 'kube-apiserver' }, { for: 'client' }, validity);

  /** A CA that can be replaced. */
  function source(pem?: string): ClientCaSource & { set(next: string): void } {
    const listeners = new Set<(next: string) => void>();
    return {
      subscribe: (listener) => {
        listeners.add(listener);
        if (pem !== undefined) listener(pem);
        return () => listeners.delete(listener);
      },
      set: (next) => {
        for (const listener of listeners) listener(next);
      },
    };
  }

  function certificates(): CurrentCertificate {
    const current = new CurrentCertificate();
    current.set(server.serving);
    return current;
  }

  /** What a caller with this certificate gets: an answer, or none. */
  async function call(port: number, identity: Partial<KeyPair>): Promise<number | 'refused'> {
    try {
      return (await get(port, new HttpsAgent({ ...identity }), server)).status;
    } catch {
      return 'refused';
    }
  }

  it('serves those that have a certificate of it, and no others', async () => {
    let requests = 0;
    const count: Handler = (request, response) => {
      requests += 1;
      return sayHello(request, response);
    };
    const { port } = await serve(count, { certificates: certificates(), clientCa: source(trusted.cert) });
    expect(await call(port, await clientOf(trusted))).toBe(200);
    expect(await call(port, {})).toBe('refused');
    expect(await call(port, await clientOf(other))).toBe('refused');
    const forServers = { for: 'server', dnsNames: ['localhost'], ipAddresses: [] } as const;
    expect(await call(port, await issueCertificate(trusted, { commonName: 'x' }, forServers, validity))).toBe(
      'refused',
    );
    expect(requests).toBe(1);
  });

  it('takes over another one for the next connection', async () => {
    const clientCa = source(trusted.cert);
    const { port } = await serve(sayHello, { certificates: certificates(), clientCa });
    clientCa.set(other.cert);
    expect(await call(port, await clientOf(trusted))).toBe('refused');
    expect(await call(port, await clientOf(other))).toBe(200);
  });

  it('does not listen before there is one', async () => {
    const clientCa = source();
    const address = { host: '127.0.0.1', port: 0 };
    const listener = new Listener({ address, handler: sayHello, certificates: certificates(), clientCa });
    const stop = new AbortController();
    const ended = listener.start(stop.signal);
    const state = Promise.race([listener.listening.then(() => 'listening'), settle().then(() => 'waiting')]);
    expect(await state).toBe('waiting');
    clientCa.set(trusted.cert);
    expect(await call(await listener.listening, await clientOf(trusted))).toBe(200);
    stop.abort();
    await ended;
  });
});
