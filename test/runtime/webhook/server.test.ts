import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, type BodyInit, fetch, type RequestInit } from 'undici';
import { CurrentCertificate } from '../../../src/runtime/certificates/source.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { required } from '../../../src/runtime/webhook/field-error.ts';
import { WebhookServer } from '../../../src/runtime/webhook/server.ts';
import { localhostCertificate } from '../../support/certificates.ts';
import { FakeClock } from '../../support/fake-clock.ts';

interface Widget extends KubeObject {
  readonly spec?: { readonly size?: number };
}

const certificate = await localhostCertificate();

const request = {
  uid: 'review-1',
  operation: 'CREATE',
  kind: { group: 'apps.example', version: 'v1', kind: 'Widget' },
  resource: { group: 'apps.example', version: 'v1', resource: 'widgets' },
  name: 'web',
  userInfo: { username: 'someone' },
  object: { metadata: { name: 'web' } },
};
const review = (change: object = {}): string =>
  JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { ...request, ...change } });

describe('the webhook server', () => {
  let clock: FakeClock;
  let server: WebhookServer;
  let dispatcher: Agent;
  let stop: AbortController;
  let running: Promise<void>;
  let url: string;
  let counted: string[];

  beforeEach(async () => {
    clock = new FakeClock();
    counted = [];
    const certificates = new CurrentCertificate();
    certificates.set(certificate.serving);
    server = new WebhookServer({
      address: { host: '127.0.0.1', port: 0 },
      certificates,
      maxBodyBytes: 10_000,
      clock,
      observer: {
        request: (path) => {
          counted.push(`${path} begins`);
          return (status) => counted.push(`${path} ${status}`);
        },
        panic: (path) => counted.push(`${path} panics`),
      },
    });
    dispatcher = new Agent({ connect: { ca: certificate.ca } });
    stop = new AbortController();
    running = server.start(stop.signal);
    url = `https://127.0.0.1:${await server.ready()}`;
  });

  afterEach(async () => {
    stop.abort();
    await running;
    await dispatcher.destroy();
  });

  const post = async (path: string, body: BodyInit, init: RequestInit = {}) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body, dispatcher, ...init });
    return { status: answer.status, text: await answer.text() };
  };

  it('answers a mutating webhook with a patch', async () => {
    server.defaulter<Widget>('/mutate', (widget) => ({ ...widget, spec: { size: 3, ...widget.spec } }));
    const { status, text } = await post('/mutate?timeout=10s', review());
    const answer = JSON.parse(text);
    expect([status, answer.apiVersion, answer.kind]).toEqual([200, 'admission.k8s.io/v1', 'AdmissionReview']);
    expect(answer.response).toMatchObject({ uid: 'review-1', allowed: true, patchType: 'JSONPatch' });
    expect(JSON.parse(Buffer.from(answer.response.patch, 'base64').toString())).toEqual([
      { op: 'add', path: '/spec', value: { size: 3 } },
    ]);
    expect(counted).toEqual(['/mutate begins', '/mutate 200']);
    expect(clock.timers).toBe(0);
  });

  it('makes a patch also when the defaulter changes the object it was given', async () => {
    server.defaulter<Widget>('/mutate', (widget) => Object.assign(widget, { spec: { size: 3 } }));
    const { response } = JSON.parse((await post('/mutate', review())).text);
    expect(response.patchType).toBe('JSONPatch');
  });

  it('answers a validating webhook with what was found', async () => {
    server.validator<Widget>('/validate', ({ object }) => ({
      warnings: ['careful'],
      errors: object?.spec?.size === undefined ? [required('spec.size')] : [],
    }));
    const { response } = JSON.parse((await post('/validate', review())).text);
    expect(response).toMatchObject({ allowed: false, warnings: ['careful'], status: { code: 422 } });
    const good = JSON.parse((await post('/validate', review({ object: { metadata: {}, spec: { size: 1 } } }))).text);
    expect(good.response).toEqual({ uid: 'review-1', allowed: true, warnings: ['careful'] });
  });

  it('lets deletions pass a defaulter, and shows a validator the old object', async () => {
    server.defaulter('/mutate', () => Promise.reject(new Error('must not be called')));
    server.validator('/validate', ({ object, oldObject }) => ({ denied: `${object} ${oldObject?.metadata.name}` }));
    const deletion = review({ operation: 'DELETE', object: null, oldObject: { metadata: { name: 'old' } } });
    expect(JSON.parse((await post('/mutate', deletion)).text).response).toEqual({ uid: 'review-1', allowed: true });
    expect(JSON.parse((await post('/validate', deletion)).text).response.status.message).toBe('null old');
  });

  it.each([
    { name: 'no JSON', body: '{"apiVersion":', status: 400, text: 'body is not JSON' },
    { name: 'JSON null', body: 'null', status: 400, text: 'not an AdmissionReview' },
    { name: 'another kind', body: '{"apiVersion":"v1","kind":"Pod"}', status: 400, text: 'not an AdmissionReview' },
    {
      name: 'the old version',
      body: '{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview"}',
      status: 400,
      text: 'not an AdmissionReview of admission.k8s.io/v1',
    },
    {
      name: 'something else of that version',
      body: '{"apiVersion":"admission.k8s.io/v1","kind":"Other","request":{"uid":"1","kind":{"kind":"Pod"}}}',
      status: 400,
      text: 'not an AdmissionReview',
    },
    {
      name: 'no request',
      body: '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}',
      status: 400,
      text: 'has no request',
    },
    { name: 'no uid', body: review({ uid: 7 }), status: 400, text: 'has no request with a uid' },
    { name: 'a uid without end', body: review({ uid: 'u'.repeat(257) }), status: 400, text: 'longer than 256' },
    { name: 'nothing', body: '', status: 400, text: 'body is not JSON' },
    {
      name: 'too much',
      body: review({ object: { data: 'x'.repeat(10_000) } }),
      status: 413,
      text: 'larger than 10000 bytes',
    },
  ])('refuses a body that is $name with $status', async ({ body, status, text }) => {
    server.validator('/validate', () => ({}));
    expect(await post('/validate', body)).toEqual({ status, text: expect.stringContaining(text) });
    expect(counted).toEqual(['/validate begins', `/validate ${status}`]);
    expect((await post('/validate', review())).status).toBe(200);
  });

  it('refuses a body of megabytes without reading it to the end', async () => {
    server.validator('/validate', () => ({}));
    let sent = 0;
    async function* megabytes() {
      for (; sent < 100; sent++) yield Buffer.alloc(1_000_000);
    }
    const answer = await post('/validate', megabytes(), { duplex: 'half' }).catch((error) => error.cause?.code);
    const refused = [expect.objectContaining({ status: 413 }), 'EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET'];
    expect(refused).toContainEqual(answer);
    expect(sent).toBeLessThan(100);
    expect((await post('/validate', review())).status).toBe(200);
  });

  it.each([
    { name: 'another content type', init: { headers: { 'content-type': 'text/plain' } }, status: 415 },
    {
      name: 'something like the content type',
      init: { headers: { 'content-type': 'application/json5' } },
      status: 415,
    },
    {
      name: 'the content type with a charset',
      init: { headers: { 'content-type': 'application/json; charset=utf-8' } },
      status: 200,
    },
    { name: 'another method', init: { method: 'PUT' }, status: 405 },
  ])('answers $name with $status', async ({ init, status }) => {
    server.validator('/validate', () => ({}));
    expect((await post('/validate', review(), init)).status).toBe(status);
  });

  it('knows no other paths, and does not count them', async () => {
    expect(await post('/unknown', review())).toEqual({ status: 404, text: 'no webhook at this path\n' });
    expect(counted).toEqual([]);
  });

  it.each([
    {
      name: 'throws',
      fn: () => {
        throw new Error('password is 123');
      },
    },
    { name: 'rejects', fn: () => Promise.reject(new Error('password is 123')) },
    { name: 'returns nonsense', fn: () => undefined as never },
  ])('answers 500 without details when a handler $name, counts it, and goes on', async ({ fn }) => {
    server.validator('/broken', fn);
    server.validator('/good', () => ({}));
    expect(await post('/broken', review())).toEqual({ status: 500, text: 'webhook failed\n' });
    expect(counted).toEqual(['/broken begins', '/broken panics', '/broken 500']);
    expect((await post('/good', review())).status).toBe(200);
  });

  it('answers 504 when a handler takes too long, and tells it', async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    server.validator('/slow', (_, signal) => {
      asked.resolve(signal);
      return new Promise(() => {});
    });
    const answer = post('/slow', review());
    const signal = await asked.promise;
    await clock.advance(30_000);
    expect(await answer).toEqual({ status: 504, text: 'no answer within 30000 ms\n' });
    expect(signal.aborted).toBe(true);
    expect(counted).toEqual(['/slow begins', '/slow 504']);
    expect(clock.timers).toBe(0);
  });

  it('tells a handler when nobody waits for its answer any more', async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    server.validator('/slow', (_, signal) => {
      asked.resolve(signal);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})));
    });
    const hangUp = new AbortController();
    const answer = post('/slow', review(), { signal: hangUp.signal });
    const signal = await asked.promise;
    hangUp.abort();
    await expect(answer).rejects.toThrow('aborted');
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve());
    });
    server.validator('/good', () => ({}));
    expect((await post('/good', review())).status).toBe(200);
  });

  it('has one webhook a path', () => {
    server.validator('/validate', () => ({}));
    expect(() => server.defaulter('/validate', (object) => object)).toThrow('webhook path /validate is taken');
  });
});
