// The example operator as a person would run it: a process with flags, on a real cluster, probed, scraped and stopped.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConfigMap, configMaps, isApiError } from '../../../src/runtime/index.ts';
import { leases } from '../../../src/runtime/leader-election/lease.ts';
import { freePorts } from '../../../src/testing/index.ts';
import { useOwnCluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';

const EVERYWHERE = 'config-copy.example/everywhere';

const { client, kubeconfig, namespace: newNamespace } = await useOwnCluster({ name: 'example', nodes: 0 });
const [health = 0, metrics = 0] = await freePorts(2);

describe('the example operator', () => {
  let child: ChildProcess;
  let home: string;
  let away: string;

  beforeAll(async () => {
    [home, away] = [await newNamespace(), await newNamespace()];
    const flags = [
      `--kubeconfig=${kubeconfig}`,
      '--leader-elect',
      `--health-probe-bind-address=127.0.0.1:${health}`,
      `--metrics-bind-address=127.0.0.1:${metrics}`,
      '--log-level=warn',
    ];
    child = spawn(process.execPath, ['src/runtime/example/config-copy.ts', ...flags], { stdio: 'inherit' });
    await client.create(configMaps, {
      metadata: { namespace: home, name: 'motd', labels: { [EVERYWHERE]: '' } },
      data: { text: 'hello' },
    });
  });

  afterAll(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  });

  const read = (namespace: string, name: string): Promise<ConfigMap> => client.get(configMaps, { namespace, name });
  const copyIn = (namespace: string): Promise<ConfigMap> => read(namespace, 'motd');
  const expectText = (namespace: string, text: string): Promise<void> =>
    eventually(async () => expect((await copyIn(namespace)).data).toEqual({ text }));
  const expectNone = (namespace: string, name = 'motd'): Promise<void> =>
    eventually(async () => {
      const found = await read(namespace, name).catch((error) => error);
      expect(isApiError(found, 'NotFound')).toBe(true);
    });
  const change = (body: object) => client.patch(configMaps, { namespace: home, name: 'motd' }, { type: 'merge', body });

  it('copies into every namespace', async () => {
    await expectText(away, 'hello');
    await expectText('kube-public', 'hello');
    expect((await client.get(leases, { namespace: 'default', name: 'config-copy' })).spec?.holderIdentity).not.toBe('');
  });

  it('keeps copies equal', async () => {
    await change({ data: { text: 'hello again' } });
    await expectText(away, 'hello again');
  });

  it('puts back what a user deletes', async () => {
    await client.delete(configMaps, { namespace: away, name: 'motd' });
    await expectText(away, 'hello again');
  });

  it('overwrites what a user applies to a copy', async () => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'motd' }, data: { text: 'edited' } };
    const patch = { type: 'apply', body, fieldManager: 'user', force: true } as const;
    await client.patch(configMaps, { namespace: away, name: 'motd' }, patch);
    await expectText(away, 'hello again');
  });

  it.each([
    { name: 'empty', content: {} },
    { name: 'binary', content: { binaryData: { logo: 'iVBORw0KGgo=' } } },
  ])('copies a ConfigMap without data: $name', async ({ name, content }) => {
    await client.create(configMaps, { metadata: { namespace: home, name, labels: { [EVERYWHERE]: '' } }, ...content });
    await eventually(async () => expect(await read(away, name)).toMatchObject(content));
  });

  it('leaves alone a ConfigMap of the same name that is not a copy', async () => {
    const name = 'foreign';
    await client.create(configMaps, { metadata: { namespace: away, name }, data: { mine: 'yes' } });
    await client.create(configMaps, {
      metadata: { namespace: home, name, labels: { [EVERYWHERE]: '' } },
      data: { mine: 'no' },
    });
    await eventually(async () => expect(await read('kube-public', name)).toBeDefined());
    expect((await read(away, name)).data).toEqual({ mine: 'yes' });
  });

  it('lists the copies beside the original, and puts the list back', async () => {
    const list = { namespace: home, name: 'motd-copies' };
    const expectListed = (): Promise<void> =>
      eventually(async () =>
        expect((await client.get(configMaps, list)).data?.namespaces?.split('\n')).toContain(away),
      );
    await expectListed();
    await client.delete(configMaps, list);
    await expectListed();
  });

  it('copies into namespaces that come later', async () => {
    await expectText(await newNamespace(), 'hello again');
  });

  it('answers probes', async () => {
    const answer = await fetch(`http://127.0.0.1:${health}/readyz?verbose`);
    expect(await answer.text()).toBe('[+]ping ok\n[+]caches ok\nreadyz check passed\n');
    expect((await fetch(`http://127.0.0.1:${health}/healthz`)).status).toBe(200);
  });

  it('counts what it does', async () => {
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    expect(text).toMatch(/^controller_runtime_reconcile_total\{controller="config-copy",result="success"\} [1-9]/m);
    expect(text).toMatch(/^leader_election_master_status\{name="config-copy"\} 1$/m);
    expect(text).toMatch(/^rest_client_requests_total\{.*method="PATCH".*\} [1-9]/m);
  });

  it('removes copies when the label goes', async () => {
    await change({ metadata: { labels: { [EVERYWHERE]: null } } });
    await expectNone(away);
    await expectNone(home, 'motd-copies');
    await eventually(async () => expect((await copyIn(home)).metadata.finalizers).toBeUndefined());
    expect((await copyIn(home)).data).toEqual({ text: 'hello again' });
  });

  it('removes copies before the original', async () => {
    expect((await read(home, 'binary')).metadata.finalizers).toEqual(['config-copy.example/copies']);
    await client.delete(configMaps, { namespace: home, name: 'binary' });
    await expectNone(home, 'binary');
    await expect(read(away, 'binary')).rejects.toMatchObject({ reason: 'NotFound' });
  });

  it('stops when it is told to, and gives its lease away', async () => {
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect((await client.get(leases, { namespace: 'default', name: 'config-copy' })).spec?.holderIdentity).toBe('');
  });
});
