// What senders without credentials can make a webhook server hold, wait for and say.

import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CurrentCertificate } from '../../../src/runtime/certificates/source.ts';
import { createLogger } from '../../../src/runtime/logging/logger.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { type Validator, WebhookServer } from '../../../src/runtime/webhook/server.ts';
import { localhostCertificate } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const { ca, serving } = await localhostCertificate();
const KIB = 1024;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

let server: WebhookServer;
let clock: FakeClock;
let logged: string[];
let stop: AbortController;
let running: Promise<void>;
let port: number;
const open: ClientRequest[] = [];

beforeEach(async () => {
  const certificates = new CurrentCertificate();
  certificates.set(serving);
  clock = new FakeClock();
  logged = [];
  server = new WebhookServer({
    address: { host: '127.0.0.1', port: 0 },
    certificates,
    maxBytesInFlight: 1_000 * KIB,
    clock,
    log: createLogger({ write: (line) => logged.push(line), format: 'json', level: 'debug' }),
  });
  stop = new AbortController();
  running = server.start(stop.signal);
  port = await server.ready();
});

afterEach(async () => {
  for (const each of open.splice(0)) each.destroy();
  stop.abort();
  await running;
});

function begin(headers: Readonly<Record<string, string | number>>, path = '/validate', method = 'POST'): ClientRequest {
  const sent = request({
    host: '127.0.0.1',
    port,
    ca,
    path,
    method,
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.on('error', () => {});
  open.push(sent);
  return sent;
}

async function answerTo(sent: ClientRequest): Promise<Answer> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

function post(body: string, path?: string): Promise<Answer> {
  const sent = begin({ 'content-length': Buffer.byteLength(body) }, path);
  sent.end(body);
  return answerTo(sent);
}

/** A review whose body is at least so long. */
function review(bytes = 0): string {
  const kind = { group: 'apps.example', version: 'v1', kind: 'Widget' };
  const object = { metadata: { name: 'web' }, data: 'x'.repeat(bytes) };
  const content = { uid: 'review-1', operation: 'CREATE', kind, object };
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: content });
}

/** A body of which all but the last byte has been sent; resolves with the answer, if there is one. */
async function stalled(bytes: number): Promise<{ readonly answer: Promise<Answer> }> {
  const sent = begin({ 'content-length': bytes });
  const answer = answerTo(sent);
  answer.catch(() => {}); // mostly there is none
  await new Promise<void>((resolve) => sent.write(Buffer.alloc(bytes - 1, ' '), () => resolve()));
  return { answer };
}

/** A validator whose reviews wait until they are let go, and how many wait. */
function gate(): { readonly validate: Validator<KubeObject>; readonly begun: () => number; release(): void } {
  const waiting: (() => void)[] = [];
  let begun = 0;
  return {
    validate: async () => {
      begun += 1;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return {};
    },
    begun: () => begun,
    release: () => {
      for (const each of waiting.splice(0)) each();
    },
  };
}

describe('bodies that stall', () => {
  it('give way to those that arrive, the oldest first, and are told to come again', async () => {
    server.validator('/validate', () => ({}));
    const first = await stalled(500 * KIB);
    const second = await stalled(480 * KIB);
    let others = 0;
    second.answer.then(
      () => others++,
      () => {},
    );
    expect((await post(review(100 * KIB))).status).toBe(200);
    const answer = await first.answer;
    expect([answer.status, answer.headers['retry-after'], answer.text]).toEqual([
      503,
      '1',
      'too many requests at once\n',
    ]);
    expect((await post(review())).status).toBe(200);
    expect(others).toBe(0);
  });

  it('do not get in the way of small ones, however many there are', async () => {
    server.validator('/validate', () => ({}));
    await Promise.all(Array.from({ length: 40 }, () => stalled(330 * KIB)));
    for (let index = 0; index < 5; index++) expect((await post(review())).status).toBe(200);
  });
});

describe('reviews at once', () => {
  it('are refused with 503 when those at work leave no room, and are taken again afterwards', async () => {
    const { validate, begun, release } = gate();
    server.validator('/validate', validate);
    const answers = [post(review(600 * KIB)), post(review(100 * KIB))];
    await eventually(() => expect(begun()).toBe(2));
    const refused = await post(review(400 * KIB));
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    const next = post(review(400 * KIB));
    await eventually(() => expect(begun()).toBe(3));
    release();
    expect((await next).status).toBe(200);
  });

  it('wait for each other when they are large, and small ones do not wait for them', async () => {
    const { validate, begun, release } = gate();
    server.validator('/large', validate);
    server.validator('/small', () => ({}));
    const answers = [
      post(review(200 * KIB), '/large'),
      post(review(200 * KIB), '/large'),
      post(review(200 * KIB), '/large'),
    ];
    await eventually(() => expect(begun()).toBe(1));
    expect((await post(review(), '/small')).status).toBe(200);
    for (let number = 1; number <= 3; number++) {
      expect(begun()).toBe(number);
      release();
      if (number < 3) await eventually(() => expect(begun()).toBe(number + 1));
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('that wait are over when their time is', async () => {
    const { validate, begun } = gate();
    server.validator('/large', validate);
    const answers = [post(review(200 * KIB), '/large'), post(review(200 * KIB), '/large')];
    await eventually(() => expect([begun(), clock.timers]).toEqual([1, 2]));
    await clock.advance(30_000);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([504, 504]);
    expect(begun()).toBe(1);
  });
});

describe('an answer that is not taken', () => {
  it('gives way to newcomers', async () => {
    server.validator('/validate', () => ({ warnings: ['x'.repeat(20_000 * KIB)] }));
    server.validator('/small', () => ({}));
    const body = review();
    const sent = begin({ 'content-length': body.length });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    const closed = once(response.pause(), 'close');
    expect((await post(review(), '/small')).status).toBe(200);
    sent.socket?.resume();
    response.resume();
    await closed.catch(() => {});
    expect(response.complete).toBe(false);
  });
});

describe('what is said of a request that is refused', () => {
  const ECHO = 'repeat-after-me';
  const json = (value: unknown): string => JSON.stringify(value);
  const whole = JSON.parse(review());

  it.each([
    { name: 'a path', path: `/${ECHO}`, status: 404 },
    { name: 'a method', method: 'REPORT', status: 405, echo: 'REPORT' },
    { name: 'a content type', headers: { 'content-type': ECHO }, status: 415 },
    { name: 'a body', body: ECHO, status: 400 },
    { name: 'a kind', body: json({ apiVersion: ECHO, kind: ECHO }), status: 400 },
    { name: 'a uid', body: json({ ...whole, request: { ...whole.request, uid: ECHO.repeat(20) } }), status: 400 },
    { name: 'a length', headers: { 'content-length': 100_000_000, 'x-note': ECHO }, status: 413 },
    { name: 'a handler that threw', path: `/throws?${ECHO}`, body: review(), status: 500 },
  ])(
    'repeats nothing of it: $name',
    async ({ path = '/validate', method, headers = {}, body = '', status, echo = ECHO }) => {
      server.validator('/validate', () => ({}));
      server.validator('/throws', () => {
        throw new Error('no');
      });
      const sent = begin({ 'content-length': Buffer.byteLength(body), ...headers }, path, method);
      if ('content-length' in headers) sent.flushHeaders();
      else sent.end(body);
      const answer = await answerTo(sent);
      expect(answer.status).toBe(status);
      expect(answer.headers.connection).toBe('close');
      expect(json([answer.headers, answer.text, logged])).not.toContain(echo);
    },
  );

  it('is said once a second, however many there are', async () => {
    server.validator('/validate', () => ({}));
    const before = logged.length;
    for (let index = 0; index < 60; index++) await post('no review');
    expect(logged.length - before).toBeLessThanOrEqual(20);
  });
});
