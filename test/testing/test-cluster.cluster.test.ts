// What mydeployment/testing promises to operators of other people, tried on the cluster that all tests here share.

import { describe, expect, it } from '@jest/globals';
import { configMaps, isApiError, pods, roleBindings, roles, serviceAccounts } from '../../src/runtime/index.ts';
import { eventually, install } from '../../src/testing/index.ts';
import { useSharedCluster } from '../support/cluster.ts';

const cluster = await useSharedCluster();
const namespace = await cluster.namespace();
const mayReadConfigMaps = { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }] };

async function allow(subject: {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
}): Promise<void> {
  const name = `reads-${subject.name}`;
  await cluster.client.create(roles, { metadata: { namespace, name }, ...mayReadConfigMaps });
  await cluster.client.create(roleBindings, {
    metadata: { namespace, name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [
      subject.kind === 'ServiceAccount'
        ? { ...subject, namespace }
        : { apiGroup: 'rbac.authorization.k8s.io', ...subject },
    ],
  });
}

describe('a test cluster', () => {
  it('has namespaces in which pods can be created at once', async () => {
    const fresh = await cluster.namespace();
    const spec = { containers: [{ name: 'main', image: 'main' }] };
    await cluster.client.create(pods, { metadata: { namespace: fresh, name: 'first' }, spec });
    await eventually(async () =>
      expect((await cluster.client.get(pods, { namespace: fresh, name: 'first' })).status?.phase).toBe('Running'),
    );
  });

  it('signs in users and groups with the rights that RBAC gives them', async () => {
    await allow({ kind: 'Group', name: 'readers' });
    const reader = await cluster.user('jane', ['readers']);
    // The API server learns of a binding a moment after it was created.
    await eventually(async () => expect((await reader.client.list(configMaps, { namespace })).items).not.toEqual([]));
    expect(await reader.kubectl(['-n', namespace, 'get', 'configmaps'])).toMatchObject({ code: 0 });
    await expect(reader.client.list(pods, { namespace })).rejects.toMatchObject({ reason: 'Forbidden' });
    const stranger = await cluster.user('joe');
    await expect(stranger.client.list(configMaps, { namespace })).rejects.toMatchObject({ reason: 'Forbidden' });
  });

  it('signs in as a ServiceAccount', async () => {
    await cluster.client.create(serviceAccounts, { metadata: { namespace, name: 'robot' } });
    await allow({ kind: 'ServiceAccount', name: 'robot' });
    const robot = await cluster.serviceAccount(namespace, 'robot');
    await eventually(async () => expect((await robot.client.list(configMaps, { namespace })).items).not.toEqual([]));
    await expect(robot.client.list(pods, { namespace })).rejects.toMatchObject({ reason: 'Forbidden' });
  });

  it('puts a network in between that fails and heals', async () => {
    const { client, network } = await cluster.throughNetwork();
    const read = () => client.get(configMaps, { namespace, name: 'kube-root-ca.crt' }, { timeoutMs: 500, attempts: 1 });
    await eventually(read);
    network.stall();
    expect(isApiError(await read().catch((error: unknown) => error), 'Timeout', 'Connection')).toBe(true);
    network.heal();
    await eventually(read);
  });

  it('says what kubectl says about a file that cannot be applied', async () => {
    await expect(install(cluster, '/nowhere.yaml')).rejects.toThrow('the path "/nowhere.yaml" does not exist');
  });
});
