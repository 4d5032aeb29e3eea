import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, fetch } from 'undici';
import { CurrentCertificate } from '../../../src/runtime/certificates/source.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import { AccessReviewer } from '../../../src/runtime/server/access.ts';
import { type MetricsServerOptions, metricsServer } from '../../../src/runtime/server/servers.ts';
import { localhostCertificate } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** An API server that knows two tokens: of a scraper who may get metrics, and of a nobody who may not. */
class Reviews {
  readonly requests: string[] = [];
  down = false;

  readonly client = {
    create: async (resource: { readonly kind: string }, body: { readonly spec: Record<string, unknown> }) => {
      this.requests.push(resource.kind);
      if (this.down) throw new Error('connection refused');
      if (resource.kind === 'TokenReview') return { status: this.#authenticate(body.spec.token) };
      expect(body.spec).toMatchObject({
        groups: ['system:authenticated'],
        nonResourceAttributes: { path: '/metrics', verb: 'get' },
      });
      return { status: { allowed: body.spec.user === 'scraper' } };
    },
  } as unknown as Pick<Client, 'create'>;

  #authenticate(token: unknown): object {
    const known = token === 'scraper' || token === 'nobody';
    return known ? { authenticated: true, user: { username: token, groups: ['system:authenticated'] } } : {};
  }
}

describe('who may read metrics', () => {
  let reviews: Reviews;
  let clock: FakeClock;
  let reviewer: AccessReviewer;
  const review = (authorization: string | undefined) => reviewer.review(authorization, '/metrics');

  beforeEach(() => {
    reviews = new Reviews();
    clock = new FakeClock();
    reviewer = new AccessReviewer(reviews.client, clock);
  });

  it.each([
    { authorization: undefined, verdict: 'unauthenticated', asked: [] },
    { authorization: 'Basic abc', verdict: 'unauthenticated', asked: [] },
    { authorization: 'Bearer', verdict: 'unauthenticated', asked: [] },
    { authorization: 'Bearer forged', verdict: 'unauthenticated', asked: ['TokenReview'] },
    { authorization: 'Bearer nobody', verdict: 'forbidden', asked: ['TokenReview', 'SubjectAccessReview'] },
    { authorization: 'Bearer scraper', verdict: 'allowed', asked: ['TokenReview', 'SubjectAccessReview'] },
    { authorization: 'bearer  scraper', verdict: 'allowed', asked: ['TokenReview', 'SubjectAccessReview'] },
  ])('$authorization: $verdict', async ({ authorization, verdict, asked }) => {
    expect(await review(authorization)).toBe(verdict);
    expect(reviews.requests).toEqual(asked);
  });

  it('is asked once a minute, not at every scrape', async () => {
    for (let i = 0; i < 3; i++) await review('Bearer scraper');
    expect(reviews.requests).toEqual(['TokenReview', 'SubjectAccessReview']);
    await clock.advance(60_000);
    await review('Bearer scraper');
    expect(reviews.requests).toEqual(['TokenReview', 'SubjectAccessReview', 'TokenReview']);
  });

  it('is asked again soon after a refusal', async () => {
    await review('Bearer nobody');
    await review('Bearer forged');
    await clock.advance(30_000);
    reviews.requests.length = 0;
    await review('Bearer nobody');
    await review('Bearer forged');
    expect(reviews.requests).toEqual(['SubjectAccessReview', 'TokenReview']);
  });

  it('is asked once for many scrapes at the same time', async () => {
    expect(await Promise.all(Array.from({ length: 20 }, () => review('Bearer scraper')))).toEqual(
      Array(20).fill('allowed'),
    );
    expect(reviews.requests).toEqual(['TokenReview', 'SubjectAccessReview']);
  });

  it('is asked about eight tokens at once, and about others when these are decided', async () => {
    const waiting = Array.from({ length: 8 }, (_, index) => review(`Bearer guess-${index}`));
    expect(await review('Bearer scraper')).toBe('busy');
    await Promise.all(waiting);
    expect(await review('Bearer scraper')).toBe('allowed');
  });

  it('is remembered of a scraper, however many tokens are tried out', async () => {
    await review('Bearer scraper');
    for (let index = 0; index < 300; index++) await review(`Bearer guess-${index}`);
    reviews.requests.length = 0;
    expect(await review('Bearer scraper')).toBe('allowed');
    expect(reviews.requests).toEqual([]);
  });

  it('is not decided when the API server cannot be asked, and not remembered', async () => {
    reviews.down = true;
    await expect(review('Bearer scraper')).rejects.toThrow('connection refused');
    reviews.down = false;
    expect(await review('Bearer scraper')).toBe('allowed');
  });
});

describe('the metrics server', () => {
  const source = { contentType: 'text/plain; version=0.0.4', metrics: async () => 'up 1\n' };
  const stop = new AbortController();
  const stops: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const each of stops.splice(0)) await each();
  });

  const serve = async (options: Partial<MetricsServerOptions>): Promise<number> => {
    const server = metricsServer(source, { address: '127.0.0.1:0', client: new Reviews().client, ...options });
    if (server === undefined) throw new Error('switched off');
    const stopping = new AbortController();
    const ended = server.start(stopping.signal, stop.signal);
    stops.push(() => {
      stopping.abort();
      return ended;
    });
    return server.listening;
  };

  it('serves everybody plainly on loopback', async () => {
    const port = await serve({});
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/plain; version=0.0.4',
      'up 1\n',
    ]);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'DELETE' })).status).toBe(405);
  });

  it('serves over TLS whom RBAC allows, when there is a certificate', async () => {
    const { ca, serving } = await localhostCertificate();
    const certificates = new CurrentCertificate();
    certificates.set(serving);
    const port = await serve({ certificates });
    const dispatcher = new Agent({ connect: { ca } });
    const scrape = async (authorization: string) => {
      const answer = await fetch(`https://127.0.0.1:${port}/metrics`, { dispatcher, headers: { authorization } });
      return [answer.status, await answer.text()];
    };
    expect(await scrape('Bearer scraper')).toEqual([200, 'up 1\n']);
    expect(await scrape('Bearer nobody')).toEqual([403, 'Forbidden\n']);
    expect(await scrape('Bearer forged')).toEqual([401, 'Unauthorized\n']);
    await dispatcher.close();
  });

  it('asks about nobody who wants something else than metrics', async () => {
    const { ca, serving } = await localhostCertificate();
    const certificates = new CurrentCertificate();
    certificates.set(serving);
    const reviews = new Reviews();
    const port = await serve({ certificates, client: reviews.client });
    const dispatcher = new Agent({ connect: { ca } });
    const statusOf = async (path: string, method = 'GET'): Promise<number> => {
      const headers = { authorization: 'Bearer scraper' };
      return (await fetch(`https://127.0.0.1:${port}${path}`, { dispatcher, headers, method })).status;
    };
    expect(await statusOf('/')).toBe(404);
    expect(await statusOf('/metrics/more')).toBe(404);
    expect(await statusOf('/metrics', 'POST')).toBe(405);
    expect(reviews.requests).toEqual([]);
    expect(await statusOf('/metrics')).toBe(200);
    await dispatcher.close();
  });

  it('answers 503 to whom it cannot ask about now', async () => {
    const { ca, serving } = await localhostCertificate();
    const certificates = new CurrentCertificate();
    certificates.set(serving);
    const answers: (() => void)[] = [];
    const create = () => new Promise((resolve) => answers.push(() => resolve({ status: {} })));
    const port = await serve({ certificates, client: { create } as unknown as Pick<Client, 'create'> });
    const dispatcher = new Agent({ connect: { ca } });
    const scrape = (token: string) =>
      fetch(`https://127.0.0.1:${port}/metrics`, { dispatcher, headers: { authorization: `Bearer ${token}` } });
    const waiting = Array.from({ length: 8 }, (_, index) => scrape(`guess-${index}`));
    await eventually(() => expect(answers).toHaveLength(8));
    const refused = await scrape('one-more');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    for (const answer of answers.splice(0)) answer();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(8).fill(401));
    await dispatcher.close();
  });

  it('does not open metrics to the network without a certificate', () => {
    const client = new Reviews().client;
    expect(() => metricsServer(source, { address: ':8080', client })).toThrow('metrics at ":8080" can be reached');
  });

  it('can be switched off', () => {
    expect(metricsServer(source, { address: '0', client: new Reviews().client })).toBeUndefined();
  });
});
