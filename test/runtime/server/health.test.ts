import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Fields, type Logger, silentLogger } from '../../../src/runtime/log.ts';
import { Health } from '../../../src/runtime/server/health.ts';
import { healthServer } from '../../../src/runtime/server/servers.ts';

/** Keeps what is said, and with which fields. */
function listening(said: unknown[]): Logger {
  const note = (message: string, fields?: Fields): void => void said.push([message, fields]);
  return { ...silentLogger, info: note, warn: note };
}

describe('the health endpoints', () => {
  let said: unknown[];
  let health: Health;
  let stop: AbortController;
  let running: Promise<void>;
  let url: string;

  beforeEach(async () => {
    said = [];
    health = new Health(listening(said));
    stop = new AbortController();
    const server = healthServer(health, { address: '127.0.0.1:0' });
    if (server === undefined) throw new Error('switched off');
    running = server.start(stop.signal, stop.signal);
    url = `http://127.0.0.1:${await server.listening}`;
  });

  afterEach(async () => {
    stop.abort();
    await running;
  });

  const get = async (path: string, init?: RequestInit) => {
    const response = await fetch(url + path, init);
    return { status: response.status, text: await response.text() };
  };

  it.each(['/healthz', '/readyz', '/healthz/'])('%s says ok', async (path) => {
    expect(await get(path)).toEqual({ status: 200, text: 'ok' });
  });

  it('lists every check when asked to', async () => {
    health.addReadinessCheck('caches', async () => {});
    expect(await get('/readyz?verbose')).toEqual({
      status: 200,
      text: '[+]ping ok\n[+]caches ok\nreadyz check passed\n',
    });
  });

  it('fails when one check fails, and withholds why', async () => {
    health.addLivenessCheck('watches', () => {
      throw new Error('token of prod is 123');
    });
    health.addLivenessCheck('rejects', () => Promise.reject('as a string'));
    expect(await get('/healthz')).toEqual({
      status: 500,
      text: '[+]ping ok\n[-]watches failed: reason withheld\n[-]rejects failed: reason withheld\nhealthz check failed\n',
    });
    expect((await get('/readyz')).status).toBe(200);
  });

  it('logs when a check begins to fail and when it no longer does, however often it is asked', async () => {
    let broken = true;
    health.addReadinessCheck('caches', () => {
      if (broken) throw new Error('not synced: pods');
    });
    for (let probe = 0; probe < 3; probe += 1) await get('/readyz');
    expect(said).toEqual([['health check failed', { check: 'readyz/caches', reason: 'not synced: pods' }]]);
    broken = false;
    for (let probe = 0; probe < 3; probe += 1) await get('/readyz');
    expect(said.slice(1)).toEqual([['health check passes again', { check: 'readyz/caches' }]]);
  });

  it('answers for one check alone, and then says why', async () => {
    health.addReadinessCheck('caches', () => {
      throw new Error('pods have not synced');
    });
    expect(await get('/readyz/ping')).toEqual({ status: 200, text: 'ok' });
    expect(await get('/readyz/caches')).toEqual({
      status: 500,
      text: 'internal server error: pods have not synced\n',
    });
  });

  it('leaves out what is excluded', async () => {
    health.addReadinessCheck('caches', () => {
      throw new Error('not yet');
    });
    expect(await get('/readyz?exclude=caches&verbose')).toEqual({
      status: 200,
      text: '[+]ping ok\n[+]caches excluded: ok\nreadyz check passed\n',
    });
  });

  it.each(['/', '/metrics', '/healthz/unknown', '/healthz/ping/more', '/constructor', '//'])(
    '%s is not found',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('is read only', async () => {
    expect((await get('/healthz', { method: 'POST' })).status).toBe(405);
    expect((await get('/healthz', { method: 'HEAD' })).status).toBe(200);
  });

  it('can be switched off', () => {
    expect(healthServer(health, { address: '0' })).toBeUndefined();
  });
});
