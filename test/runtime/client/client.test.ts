import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, type ClientOptions, createClient } from '../../../src/runtime/client/client.ts';
import { Connection } from '../../../src/runtime/client/connection.ts';
import type { AttemptFacts, RequestFacts } from '../../../src/runtime/client/observer.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { configMaps, pods } from './fixtures.ts';
import { hangUp, json, ScriptedServer, silence, status } from './scripted-server.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await ScriptedServer.start();
});
afterEach(() => server.close());

const web = { namespace: 'default', name: 'web' };
const configMap = { metadata: web, data: { greeting: 'grüß dich 😀' } };
const QUICK = { retry: { firstDelayMs: 1 }, random: () => 0 } satisfies ClientOptions;

function client(options: ClientOptions = QUICK): Client {
  return createClient(server.connection(), options);
}

describe('objects', () => {
  it('travel as they are, unknown fields included', async () => {
    const stored = { ...configMap, future: { field: [1, null, true] } };
    server.script(json(201, stored));
    expect(await client().create(configMaps, stored as typeof configMap)).toEqual(stored);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', ...stored });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      accept: 'application/json',
    });
  });

  it('are written under the name of the client, unless the call gives another', async () => {
    server.script(json(201, configMap), json(200, configMap));
    const named = client({ fieldManager: 'mine' });
    await named.create(configMaps, configMap);
    await named.update(configMaps, configMap, { fieldManager: 'other' });
    expect(server.requests.map((request) => request.query.get('fieldManager'))).toEqual(['mine', 'other']);
  });

  it('that are gone after a delete give nothing; those that still terminate give themselves', async () => {
    server.script(
      json(200, { kind: 'Status', metadata: {}, status: 'Success' }),
      json(200, { kind: 'Pod', metadata: web }),
    );
    expect(await client().delete(pods, web)).toBeUndefined();
    expect(await client().delete(pods, web)).toEqual({ kind: 'Pod', metadata: web });
  });

  it('that are not there make an empty list, also where the server says null', async () => {
    server.script(json(200, { kind: 'PartialObjectMetadataList', metadata: { resourceVersion: '7' }, items: null }));
    expect((await client().list(pods, { metadataOnly: true })).items).toEqual([]);
  });

  it('come page by page', async () => {
    const page = (names: readonly string[], more?: string): ReturnType<typeof json> =>
      json(200, {
        metadata: { resourceVersion: '7', ...(more === undefined ? {} : { continue: more }) },
        items: names.map((name) => ({ metadata: { name } })),
      });
    server.script(page(['a', 'b'], 'next'), page(['c']));
    const names: string[][] = [];
    const options = { limit: 2, labelSelector: 'x=y', resourceVersion: '0' };
    for await (const { items } of client().pages(pods, options)) names.push(items.map((item) => item.metadata.name));
    expect(names).toEqual([['a', 'b'], ['c']]);
    expect(Object.fromEntries(server.requests[1]?.query ?? [])).toEqual({
      limit: '2',
      labelSelector: 'x=y',
      continue: 'next',
    });
  });

  it('of a prefixed server are found under its prefix', async () => {
    const cluster = { name: 'c', server: `${server.url}/k8s/clusters/one`, skipTLSVerify: false };
    const connection = new Connection({ cluster, user: { name: 'me' } });
    server.script(json(200, configMap));
    await createClient(connection).get(configMaps, web);
    expect(server.requests[0]?.path).toBe('/k8s/clusters/one/api/v1/namespaces/default/configmaps/web');
    await connection.close();
  });
});

describe('a refusal', () => {
  it.each([
    { code: 400, reason: 'BadRequest', expected: 'BadRequest' },
    { code: 403, reason: 'Forbidden', expected: 'Forbidden' },
    { code: 403, reason: 'constructor', expected: 'Forbidden' }, // an admission webhook chooses the reason
    { code: 404, reason: 'NotFound', expected: 'NotFound' },
    { code: 405, reason: 'MethodNotAllowed', expected: 'Other' },
    { code: 409, reason: 'AlreadyExists', expected: 'AlreadyExists' },
    { code: 409, reason: 'Conflict', expected: 'Conflict' },
    { code: 410, reason: 'Expired', expected: 'Gone' },
    { code: 410, reason: 'Gone', expected: 'Gone' },
    { code: 413, reason: 'RequestEntityTooLarge', expected: 'Other' },
    { code: 422, reason: 'Invalid', expected: 'Invalid' },
    { code: 429, reason: 'TooManyRequests', expected: 'TooManyRequests' },
    { code: 500, reason: 'InternalError', expected: 'ServerError' },
    { code: 500, reason: 'ServerTimeout', expected: 'Timeout' },
    { code: 503, reason: 'ServiceUnavailable', expected: 'ServerError' },
    { code: 504, reason: 'Timeout', expected: 'Timeout' },
  ])('$code $reason is $expected, with the request in its message', async ({ code, reason, expected }) => {
    server.script(status(code, reason, 'no'));
    const request = client().create(pods, { metadata: web, spec: { containers: [] } }, { attempts: 1 });
    await expect(request).rejects.toMatchObject({
      reason: expected,
      code,
      message: `create pods default/web: ${expected} ${code}: no`,
    });
  });

  it('keeps the causes', async () => {
    const causes = [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.containers' }];
    server.script(json(422, { kind: 'Status', code: 422, reason: 'Invalid', message: 'no', details: { causes } }));
    await expect(client().get(pods, web)).rejects.toMatchObject({ causes });
  });

  it('in plain text is the message', async () => {
    server.script((response) => response.writeHead(502).end('bad gateway\n'));
    await expect(client().get(pods, web, { attempts: 1 })).rejects.toMatchObject({
      reason: 'ServerError',
      message: 'get pods default/web: ServerError 502: bad gateway',
    });
  });

  it('is not what a 200 without JSON is', async () => {
    server.script((response) => response.end('<html>'));
    await expect(client().get(pods, web)).rejects.toThrow('get pods default/web: Connection: 200 without JSON: <html>');
  });
});

describe('repeating', () => {
  it('honours Retry-After, for a create too', async () => {
    const clock = new FakeClock();
    server.script(status(429, 'TooManyRequests', 'busy', { 'retry-after': '3' }), json(201, configMap));
    const created = client({ clock, random: () => 0 }).create(configMaps, configMap);
    await eventually(() => expect(clock.timers).toBe(2)); // deadline and back-off
    await clock.advance(3_049);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    await created;
    expect(server.requests).toHaveLength(2);
    expect(clock.timers).toBe(0);
  });

  it('never sends a create again whose answer was lost', async () => {
    server.script(hangUp);
    await expect(client().create(configMaps, configMap)).rejects.toMatchObject({ reason: 'Connection', code: 0 });
    await delay(20);
    expect(server.requests).toHaveLength(1);
  });

  it('reads again when the answer was lost', async () => {
    server.script(hangUp, (response) =>
      response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
    );
    server.script(json(200, configMap));
    expect(await client().get(configMaps, web)).toEqual(configMap);
    expect(server.requests).toHaveLength(3);
  });

  it('sends a create again that never left', async () => {
    const cluster = { name: 'c', server: 'http://127.0.0.1:1', skipTLSVerify: false };
    const connection = new Connection({ cluster, user: { name: 'me' } });
    const retries: number[] = [];
    const lonely = createClient(connection, { ...QUICK, observer: { retry: ({ code }) => retries.push(code) } });
    const created = lonely.create(configMaps, configMap, { attempts: 3 });
    await expect(created).rejects.toThrow(
      'create configmaps default/web: Connection: connect ECONNREFUSED 127.0.0.1:1',
    );
    expect(retries).toEqual([0, 0]);
    await connection.close();
  });

  it('stops after its attempts, with the last error', async () => {
    server.script(...[1, 2, 3].map((n) => status(503, 'ServiceUnavailable', `not yet ${n}`)));
    await expect(client().get(pods, web, { attempts: 3 })).rejects.toThrow('not yet 3');
    expect(server.requests).toHaveLength(3);
  });

  it('does not begin a wait that its deadline would cut off', async () => {
    server.script(status(429, 'TooManyRequests', 'busy', { 'retry-after': '10' }));
    await expect(client().get(pods, web, { timeoutMs: 5_000 })).rejects.toMatchObject({
      reason: 'TooManyRequests',
      retryAfterMs: 10_000,
    });
  });
});

describe('ending early', () => {
  it('by deadline, which counts all attempts', async () => {
    const clock = new FakeClock();
    server.script(silence);
    const answer = client({ clock }).get(pods, web, { timeoutMs: 5_000 });
    const outcome = expect(answer).rejects.toMatchObject({
      reason: 'Timeout',
      message: 'get pods default/web: Timeout: no complete answer within 5000 ms',
    });
    await eventually(() => expect(server.requests).toHaveLength(1));
    await clock.advance(5_000);
    await outcome;
    expect(clock.timers).toBe(0);
  });

  it('by signal, whose reason is kept', async () => {
    const stop = new AbortController();
    const reason = new Error('shutting down');
    server.script(silence);
    const answer = client().get(pods, web, { signal: stop.signal });
    const outcome = expect(answer).rejects.toMatchObject({
      reason: 'Aborted',
      message: 'get pods default/web: Aborted: shutting down',
    });
    await eventually(() => expect(server.requests).toHaveLength(1));
    stop.abort(reason);
    await outcome;
    await eventually(async () => expect(await server.openSockets()).toBe(0));
  });

  it('leaves nothing on the signals of the caller and the fence when a request is done', async () => {
    const [stop, lease] = [new AbortController(), new AbortController()];
    server.script(json(201, configMap), status(409, 'Conflict', 'no'));
    const fenced = client().fenced({ signal: lease.signal });
    await fenced.create(configMaps, configMap, { signal: stop.signal });
    await expect(fenced.update(configMaps, configMap, { signal: stop.signal })).rejects.toThrow();
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
    expect(getEventListeners(lease.signal, 'abort')).toHaveLength(0);
  });

  it('before the beginning: an aborted signal sends nothing', async () => {
    await expect(client().get(pods, web, { signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: 'Aborted' });
    expect(server.requests).toHaveLength(0);
  });

  it('while waiting to repeat', async () => {
    const clock = new FakeClock();
    const stop = new AbortController();
    server.script(status(503, 'ServiceUnavailable', 'no'));
    const outcome = expect(client({ clock }).get(pods, web, { signal: stop.signal })).rejects.toMatchObject({
      reason: 'Aborted',
    });
    await eventually(() => expect(clock.timers).toBe(2));
    stop.abort();
    await outcome;
    expect(clock.timers).toBe(0);
  });
});

describe('a fence', () => {
  it('stops writes that have not left, and gives up those that have; reads go on', async () => {
    const lease = new AbortController();
    const fenced = client().fenced({ signal: lease.signal });
    server.script(silence);
    const onItsWay = expect(fenced.create(configMaps, configMap)).rejects.toMatchObject({
      reason: 'Aborted',
      message: 'create configmaps default/web: Aborted: lease lost',
    });
    await eventually(() => expect(server.requests).toHaveLength(1));
    lease.abort(new Error('lease lost'));
    await onItsWay;
    for (const write of [
      fenced.create(configMaps, configMap),
      fenced.update(configMaps, configMap),
      fenced.patch(configMaps, web, { type: 'merge', body: {} }),
      fenced.delete(configMaps, web),
      fenced.deleteCollection(configMaps, { namespace: 'default' }),
      fenced.raw('POST', '/anything'),
    ]) {
      await expect(write).rejects.toMatchObject({ reason: 'Aborted' });
    }
    expect(server.requests).toHaveLength(1);
    server.script(json(200, configMap));
    expect(await fenced.get(configMaps, web)).toEqual(configMap);
  });

  it('is asked after all waiting, right before the first byte', async () => {
    const connection = server.connection({ sockets: 1 });
    const free = createClient(connection);
    let leads = true;
    const fenced = free.fenced({
      gate: () => {
        if (!leads) throw new Error('lease expired');
      },
    });
    // The only socket is busy, so the write waits for it with its gate passed once.
    let answerRead: () => void = () => {};
    server.script((response) => {
      answerRead = () => response.end('{}');
    });
    const read = free.get(configMaps, web);
    await eventually(() => expect(server.requests).toHaveLength(1));
    const write = expect(fenced.create(configMaps, configMap)).rejects.toThrow('Aborted: lease expired');
    await delay(20);
    leads = false;
    answerRead();
    await read;
    await write;
    await delay(20);
    expect(server.requests).toHaveLength(1);
  });

  it('adds to the fences before it', async () => {
    const refuse = (message: string) => () => {
      throw new Error(message);
    };
    const twice = client()
      .fenced({ gate: refuse('outer') })
      .fenced({ gate: () => {} });
    await expect(twice.create(configMaps, configMap)).rejects.toThrow('outer');
  });
});

describe('what the observer hears', () => {
  it('every attempt, repetition and wait for the rate limit', async () => {
    const attempts: AttemptFacts[] = [];
    const retries: (RequestFacts & { code: number })[] = [];
    const waits: number[] = [];
    const observer = {
      attempt: (facts: AttemptFacts) => attempts.push(facts),
      retry: (facts: RequestFacts & { code: number }) => retries.push(facts),
      rateLimited: ({ waitMs }: { waitMs: number }) => waits.push(waitMs),
    };
    server.script(status(503, 'ServiceUnavailable', 'no'), json(200, configMap));
    await client({ ...QUICK, observer, rateLimit: { qps: 100, burst: 5 } }).get(configMaps, web);
    const facts = { verb: 'get', method: 'GET', host: new URL(server.url).host };
    expect(attempts).toMatchObject([
      { ...facts, code: 503, requestBytes: 0 },
      { ...facts, code: 200, requestBytes: 0, responseBytes: Buffer.byteLength(JSON.stringify(configMap)) },
    ]);
    expect(retries).toEqual([{ ...facts, code: 503 }]);
    expect(waits).toEqual([0, 0]);
  });

  it('an attempt without an answer as code 0', async () => {
    const attempts: AttemptFacts[] = [];
    server.script(hangUp);
    const observed = client({ observer: { attempt: (facts) => attempts.push(facts) } });
    await expect(observed.create(configMaps, configMap)).rejects.toThrow();
    const requestBytes = Buffer.byteLength(server.requests[0]?.body ?? '');
    expect(attempts).toMatchObject([{ verb: 'create', method: 'POST', code: 0, requestBytes, responseBytes: 0 }]);
  });
});

describe('sockets', () => {
  it('are shared by one request after the other, deletes with a body included', async () => {
    const shared = client();
    for (let round = 0; round < 5; round++) {
      server.script(json(201, configMap), json(200, configMap));
      await shared.create(configMaps, configMap);
      await shared.delete(configMaps, web, { uid: 'u' });
    }
    // undici takes a second one when it is asked in the very moment in which an answer ends.
    expect(server.sockets).toBeLessThanOrEqual(2);
  });

  it('are never more than allowed', async () => {
    const narrow = createClient(server.connection({ sockets: 3 }));
    server.script(...Array.from({ length: 20 }, () => json(200, configMap)));
    await Promise.all(Array.from({ length: 20 }, () => narrow.get(configMaps, web)));
    expect(server.sockets).toBe(3);
  });
});
