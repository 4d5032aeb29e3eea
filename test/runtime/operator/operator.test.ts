import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../src/runtime/log.ts';
import { parseFlags } from '../../../src/runtime/operator/flags.ts';
import { createOperator } from '../../../src/runtime/operator/operator.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { eventually } from '../../support/eventually.ts';
import { json, ScriptedServer, silence } from '../client/scripted-server.ts';

const pods: Resource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

/** More than there are sockets. */
const MANY = 100;

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
    const stop = new AbortController();
    const ref = { namespace: 'default', name: 'web' };
    server.script(...Array.from({ length: MANY }, () => silence));
    const writes = Array.from({ length: MANY }, () =>
      operator.client.delete(pods, ref, { signal: stop.signal, attempts: 1 }),
    );
    const ended = Promise.allSettled(writes);
    await eventually(() => expect(server.requests).toHaveLength(32));

    server.answerNext(json(200, { metadata: { ...ref, uid: 'u', resourceVersion: '1' } }));
    expect((await operator.webhookClient.get(pods, ref)).metadata.uid).toBe('u');
    expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(32);

    stop.abort();
    await ended;
    await operator.run(AbortSignal.abort());
  });
});
