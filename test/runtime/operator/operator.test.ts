import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, fetch, type Response } from 'undici';
import { pods } from '../../../src/runtime/built-in.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import { silentLogger } from '../../../src/runtime/log.ts';
import { parseFlags } from '../../../src/runtime/operator/flags.ts';
import { createOperator } from '../../../src/runtime/operator/operator.ts';
import { freePorts } from '../../../src/testing/index.ts';
import { localhostCertificate } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { json, ScriptedServer, silence } from '../client/scripted-server.ts';

/** More than there are sockets. */
const MANY = 100;

/** Writes that are never answered hold every socket of the operator's own; the result ends them. */
async function occupySockets(server: ScriptedServer, client: Client): Promise<() => Promise<unknown>> {
  const stop = new AbortController();
  server.script(...Array.from({ length: MANY }, () => silence));
  const ref = { namespace: 'default', name: 'web' };
  const writes = Array.from({ length: MANY }, () => client.delete(pods, ref, { signal: stop.signal, attempts: 1 }));
  const ended = Promise.allSettled(writes);
  await eventually(() => expect(server.requests).toHaveLength(32));
  return () => {
    stop.abort();
    return ended;
  };
}

describe('who reads metrics', () => {
  it('is found out although every write waits for a free socket', async () => {
    const server = await ScriptedServer.start();
    const { ca, serving } = await localhostCertificate();
    const folder = await mkdtemp(join(tmpdir(), 'metrics-'));
    await writeFile(join(folder, 'tls.crt'), serving.cert);
    await writeFile(join(folder, 'tls.key'), serving.key);
    const [port = 0] = await freePorts(1);
    const flags = [`--metrics-bind-address=0.0.0.0:${port}`, `--webhook-cert-dir=${folder}`];
    const operator = createOperator({
      name: 'test',
      flags: parseFlags(['--health-probe-bind-address=0', ...flags], []),
      namespace: 'default',
      access: { cluster: { name: 'scripted', server: server.url, skipTLSVerify: false }, user: { name: 'tester' } },
      log: silentLogger,
    });
    const stop = new AbortController();
    const ended = operator.run(stop.signal);
    const free = await occupySockets(server, operator.client);
    server.answerNext(json(201, { status: { allowed: true } }));
    server.answerNext(json(201, { status: { authenticated: true, user: { username: 'scraper' } } }));
    const dispatcher = new Agent({ connect: { ca } });
    const headers = { authorization: 'Bearer scraper' };
    const scrape = (): Promise<Response> => fetch(`https://127.0.0.1:${port}/metrics`, { dispatcher, headers });
    expect((await eventually(scrape)).status).toBe(200);
    await free();
    stop.abort();
    await ended;
    await dispatcher.destroy();
    await server.close();
    await rm(folder, { recursive: true });
  });
});

describe('what webhooks ask', () => {
  let server: ScriptedServer;

  beforeEach(async () => {
    server = await ScriptedServer.start();
  });
  afterEach(() => server.close());

  it('does not wait behind writes that wait for a free socket', async () => {
    const operator = createOperator({
      name: 'test',
      flags: parseFlags(['--health-probe-bind-address=0'], []),
      namespace: 'default',
      access: { cluster: { name: 'scripted', server: server.url, skipTLSVerify: false }, user: { name: 'tester' } },
      log: silentLogger,
    });
    const free = await occupySockets(server, operator.client);
    const ref = { namespace: 'default', name: 'web' };
    server.answerNext(json(200, { metadata: { ...ref, uid: 'u', resourceVersion: '1' } }));
    expect((await operator.webhookClient.get(pods, ref)).metadata.uid).toBe('u');
    expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(32);

    await free();
    await operator.run(AbortSignal.abort());
  });
});
