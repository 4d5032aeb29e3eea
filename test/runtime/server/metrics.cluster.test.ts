// Metrics that can be reached from outside, with a real API server to ask who may read them.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, fetch } from 'undici';
import { CurrentCertificate } from '../../../src/runtime/certificates/source.ts';
import { createMetrics } from '../../../src/runtime/metrics/metrics.ts';
import { metricsServer, type ServerRunnable } from '../../../src/runtime/server/servers.ts';
import { localhostCertificate } from '../../support/certificates.ts';
import { useSharedCluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';

const cluster = await useSharedCluster();
const namespace = await cluster.namespace();
const kubectl = async (...args: readonly string[]): Promise<void> => {
  expect(await cluster.kubectl(['-n', namespace, ...args])).toMatchObject({ code: 0 });
};

describe('metrics behind RBAC', () => {
  const stop = new AbortController();
  let running: Promise<void>;
  let dispatcher: Agent;
  let url: string;
  let scraper: string;
  let stranger: string;

  beforeAll(async () => {
    for (const account of ['scraper', 'stranger']) await kubectl('create', 'serviceaccount', account);
    await kubectl('create', 'clusterrole', namespace, '--verb=get', '--non-resource-url=/metrics');
    const subject = `--serviceaccount=${namespace}:scraper`;
    await kubectl('create', 'clusterrolebinding', namespace, `--clusterrole=${namespace}`, subject);
    [scraper, stranger] = (await Promise.all(
      ['scraper', 'stranger'].map((name) => cluster.token(namespace, name)),
    )) as [string, string];

    const { ca, serving } = await localhostCertificate();
    const certificates = new CurrentCertificate();
    certificates.set(serving);
    const server = metricsServer(createMetrics(), { address: '127.0.0.1:0', client: cluster.client, certificates });
    running = (server as ServerRunnable).start(stop.signal, stop.signal);
    dispatcher = new Agent({ connect: { ca } });
    url = `https://127.0.0.1:${await (server as ServerRunnable).listening}/metrics`;
  });

  afterAll(async () => {
    stop.abort();
    await running;
    await dispatcher.destroy();
    await cluster.kubectl(['delete', 'clusterrole,clusterrolebinding', namespace]);
  });

  const scrape = async (token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(url, { dispatcher, headers });
    return { status: answer.status, text: await answer.text() };
  };

  it('are refused without a token, and with a forged one', async () => {
    expect(await scrape()).toEqual({ status: 401, text: 'Unauthorized\n' });
    expect((await scrape(`${scraper}x`)).status).toBe(401);
  });

  it('are refused to a ServiceAccount without the right', async () => {
    expect(await scrape(stranger)).toEqual({ status: 403, text: 'Forbidden\n' });
  });

  it('are given to a ServiceAccount that may get them', async () => {
    await eventually(async () => {
      const { status, text } = await scrape(scraper);
      expect(status).toBe(200);
      expect(text).toContain('process_cpu_seconds_total');
    });
  });
});
