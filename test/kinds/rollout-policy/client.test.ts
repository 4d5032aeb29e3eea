import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../../src/kinds/rollout-policy/gates/judge.ts';
import { PrometheusClient } from '../../../src/kinds/rollout-policy/prometheus/client.ts';
import { parseServers } from '../../../src/kinds/rollout-policy/prometheus/flag.ts';
import { silentLogger } from '../../../src/runtime/log.ts';
import { localhostCertificate } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { hang, json, MisbehavingServer, sample } from './misbehaving-server.ts';

const signal = new AbortController().signal;
const value = (text: string): Outcome => ({ is: 'value', text });
const error = (message: string): Outcome => ({ is: 'error', message });

describe('a query to a Prometheus server', () => {
  let server: MisbehavingServer;
  let other: MisbehavingServer;
  let clock: FakeClock;
  let client: PrometheusClient;

  beforeEach(async () => {
    server = await MisbehavingServer.start();
    other = await MisbehavingServer.start();
    clock = new FakeClock();
    const servers = parseServers([`default=${server.url}/prefix/`, `other=${other.url}`, 'nobody=http://127.0.0.1:1']);
    client = new PrometheusClient({ servers, clock, log: silentLogger });
  });

  afterEach(async () => {
    await Promise.all([server.stop(), other.stop()]);
  });

  const ask = (name = 'default', query = 'up') => client.query(name, query, signal);

  it('is posted as a form', async () => {
    server.answer = sample('0.25');
    expect(await ask('default', 'sum(up{pod=~"a|b"}) + 1')).toEqual(value('0.25'));
    expect(server.asked).toEqual([
      { method: 'POST', path: '/prefix/api/v1/query', query: 'sum(up{pod=~"a|b"}) + 1', authorization: undefined },
    ]);
  });

  it('is not sent when the names of pods make it too long', async () => {
    const outcome = await ask('default', 'x'.repeat(256 * 1024 + 1));
    expect(outcome).toMatchObject({ is: 'blocked', message: expect.stringContaining('longer than 256 KiB') });
    expect(server.asked).toEqual([]);
    expect(await ask('default', 'x'.repeat(256 * 1024))).toEqual(value('0'));
  });

  it('follows no redirect', async () => {
    server.answer = (response) => response.writeHead(307, { location: `${other.url}/api/v1/query` }).end();
    expect(await ask()).toEqual(error('the server redirects (HTTP 307), which is not followed'));
    expect(other.asked).toEqual([]);
  });

  it.each([200, 500])('reads no more than 1 MiB of an answer with status %d', async (status) => {
    let sent = 0;
    server.answer = (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      const piece = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (sent < 64 * 1024 * 1024 && !response.destroyed) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
    const outcome = await ask();
    expect(outcome.is).toBe('error');
    if (status === 200) expect(outcome).toEqual(error('the answer of server "default" is longer than 1 MiB'));
    expect(sent).toBeLessThan(16 * 1024 * 1024); // what fits into buffers on the way
  });

  it('is given up after ten seconds, without delay for other servers', async () => {
    server.answer = hang;
    const hanging = Array.from({ length: 20 }, () => ask());
    await eventually(async () => expect(server.asked).toHaveLength(8)); // so many at a time
    expect(await ask('other')).toEqual(value('0'));
    await clock.advance(9_999);
    expect(server.asked).toHaveLength(8);
    server.answer = sample('1');
    await clock.advance(1);
    expect(await Promise.all(hanging.slice(0, 8))).toEqual(
      Array.from({ length: 8 }, () => error('server "default" gave no answer within 10 s')),
    );
    expect(await Promise.all(hanging.slice(8))).toEqual(Array.from({ length: 12 }, () => value('1')));
    expect(clock.timers).toBe(0);
  });

  it('has to be complete after ten seconds, too', async () => {
    server.answer = (response) => response.writeHead(200).write('{"status":');
    const slow = ask();
    await eventually(async () => expect(server.asked).toHaveLength(1));
    await clock.advance(10_000);
    expect(await slow).toEqual(error('server "default" gave no answer within 10 s'));
  });

  it('tells neither address nor file when the server is not there', async () => {
    expect(await ask('nobody')).toEqual(error('server "nobody" cannot be reached (ECONNREFUSED)'));
  });

  it('says which servers there are', async () => {
    const message = 'the operator knows no Prometheus server "thanos" (--prometheus), it knows default, other, nobody';
    expect(await ask('thanos')).toEqual({ is: 'blocked', message });
    const none = new PrometheusClient({ servers: new Map(), clock, log: silentLogger });
    expect(await none.query('default', 'up', signal)).toMatchObject({
      message: expect.stringContaining('it knows none'),
    });
  });

  it('ends with its signal', async () => {
    server.answer = hang;
    const stop = new AbortController();
    const asked = client.query('default', 'up', stop.signal);
    await eventually(async () => expect(server.asked).toHaveLength(1));
    stop.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
    expect(clock.timers).toBe(0);
  });

  it('has its refusal explained', async () => {
    server.answer = json({ status: 'error', errorType: 'bad_data', error: 'parse error' }, 400);
    expect(await ask()).toEqual(error('the server refuses the query (HTTP 400): bad_data: parse error'));
  });
});

describe('a server with certificates and tokens', () => {
  const file = (name: string): string => join(tmpdir(), `prometheus-${process.pid}-${name}`);
  const [ca, token] = [file('ca.crt'), file('token')];
  const clock = new FakeClock();
  let stop: () => void;
  let client: PrometheusClient;
  const tokens: (string | undefined)[] = [];

  beforeEach(async () => {
    const certificate = await localhostCertificate();
    const server = createServer(
      { cert: certificate.serving.cert, key: certificate.serving.key },
      (request, response) => {
        tokens.push(request.headers.authorization);
        sample('1')(response, {} as never);
      },
    );
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    stop = () => {
      server.closeAllConnections();
      server.close();
    };
    await writeFile(ca, certificate.ca);
    await writeFile(token, 'first\n');
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const servers = parseServers([`strict=${url},ca=${ca},token-file=${token}`, `system=${url}`]);
    client = new PrometheusClient({ servers, clock, log: silentLogger });
  });

  afterEach(async () => {
    stop();
    await Promise.all([rm(ca, { force: true }), rm(token, { force: true })]);
  });

  it('is verified, and gets the token as it is now', async () => {
    expect(await client.query('strict', 'up', signal)).toEqual(value('1'));
    await writeFile(token, 'second');
    expect(await client.query('strict', 'up', signal)).toEqual(value('1'));
    expect(tokens).toEqual(['Bearer first', 'Bearer second']);
  });

  it('is not believed when nobody vouches for it', async () => {
    const { is, message } = (await client.query('system', 'up', signal)) as { is: string; message: string };
    expect(is).toBe('error');
    expect(message).toMatch(/^server "system" cannot be reached \(.*(SIGNATURE|ISSUER|CERT).*\)$/);
  });

  it('is trusted by the file as it is now', async () => {
    expect(await client.query('strict', 'up', signal)).toEqual(value('1'));
    await writeFile(ca, (await localhostCertificate()).ca);
    expect(await client.query('strict', 'up', signal)).toMatchObject({ is: 'error' });
  });

  it('is not asked without the token', async () => {
    await rm(token);
    const message = 'the operator cannot read its credentials for server "strict"';
    expect(await client.query('strict', 'up', signal)).toEqual(error(message));
  });
});
