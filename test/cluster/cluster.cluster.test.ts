// The embedded cluster is a real one: what people rely on when they test against it, tried from outside.

import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster } from '../../src/cluster/cluster.ts';
import type { ComponentName } from '../../src/cluster/components.ts';
import { BEHAVIOUR, type Behaviour, READY_AFTER, TERMINATE_AFTER } from '../../src/cluster/kwok/pod-stages.ts';
import type { Client } from '../../src/runtime/client/client.ts';
import type { KubeObject, Manifest } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { useOwnCluster, useSharedCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

interface Pod extends KubeObject {
  readonly spec: object;
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly state?: { readonly waiting?: { readonly reason?: string } };
    }[];
  };
}

const pods: Resource<Pod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

function podManifest(namespace: string, name: string, annotations: Record<string, string> = {}): Manifest<Pod> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, annotations },
    spec: { containers: [{ name: 'main', image: 'nginx' }], terminationGracePeriodSeconds: 1 },
  };
}

function isReady(pod: Pod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

const shared = await useSharedCluster();
const own = await useOwnCluster({ name: 'own', nodes: 2, nodeShape: { cpu: '4', pods: 10 }, audit: true });

describe('pods on the embedded cluster', () => {
  const { client } = shared;
  let namespace: string;

  beforeAll(async () => {
    namespace = await shared.namespace();
  });

  const behaving = (name: string, behaviour?: Behaviour): Promise<Pod> =>
    client.create(pods, podManifest(namespace, name, behaviour === undefined ? {} : { [BEHAVIOUR]: behaviour }));
  const get = (name: string): Promise<Pod> => client.get(pods, { namespace, name });
  const annotate = (name: string, annotations: Record<string, string | null>): Promise<Pod> =>
    client.patch(pods, { namespace, name }, { type: 'merge', body: { metadata: { annotations } } });

  it('are scheduled and become Ready at once by default', async () => {
    await behaving('plain');
    const pod = await eventually(async () => {
      const found = await get('plain');
      expect(isReady(found)).toBe(true);
      return found;
    });
    expect(pod.status?.phase).toBe('Running');
  });

  it('stop being Ready and recover when told so', async () => {
    await behaving('moody');
    await eventually(async () => expect(isReady(await get('moody'))).toBe(true));
    await annotate('moody', { [BEHAVIOUR]: 'not-ready' });
    await eventually(async () => expect(isReady(await get('moody'))).toBe(false));
    expect((await get('moody')).status?.phase).toBe('Running');
    await annotate('moody', { [BEHAVIOUR]: null });
    await eventually(async () => expect(isReady(await get('moody'))).toBe(true));
  });

  it('crash and are restarted, counting restarts', async () => {
    await behaving('crashing', 'crash');
    await eventually(async () => {
      const [container] = (await get('crashing')).status?.containerStatuses ?? [];
      expect(container?.restartCount).toBeGreaterThanOrEqual(2);
      expect(container?.state?.waiting?.reason).toBe('CrashLoopBackOff');
    });
    expect(isReady(await get('crashing'))).toBe(false);
  });

  it('wait for an image that never arrives', async () => {
    await behaving('pulling', 'image-pull-error');
    await eventually(async () => {
      const { status } = await get('pulling');
      expect(status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe('ImagePullBackOff');
      expect(status?.phase).toBe('Pending');
    });
  });

  it.each([
    { behaviour: 'fail', phase: 'Failed' },
    { behaviour: 'complete', phase: 'Succeeded' },
  ] as const)('end for good: $behaviour', async ({ behaviour, phase }) => {
    await behaving(behaviour, behaviour);
    await eventually(async () => expect((await get(behaviour)).status?.phase).toBe(phase));
  });

  it('become Ready after a delay, not before', async () => {
    await client.create(pods, podManifest(namespace, 'slow', { [READY_AFTER]: '1h' }));
    await client.create(pods, podManifest(namespace, 'less-slow', { [READY_AFTER]: '300ms' }));
    await eventually(async () => expect(isReady(await get('less-slow'))).toBe(true));
    expect(isReady(await get('slow'))).toBe(false);
  });

  it('take their time to terminate', async () => {
    for (const [name, after] of Object.entries({ 'ends-late': '1h', 'ends-soon': '300ms' })) {
      await client.create(pods, podManifest(namespace, name, { [TERMINATE_AFTER]: after }));
      await eventually(async () => expect(isReady(await get(name))).toBe(true));
      await client.delete(pods, { namespace, name });
    }
    await eventually(async () => expect(await podNames(client, namespace)).not.toContain('ends-soon'));
    expect((await get('ends-late')).metadata.deletionTimestamp).toBeDefined();
  });

  it('are healed and scaled by the native Deployment controller', async () => {
    const { code } = await shared.kubectl([
      '-n',
      namespace,
      'create',
      'deployment',
      'web',
      '--image=nginx',
      '--replicas=50',
    ]);
    expect(code).toBe(0);
    const waited = await shared.kubectl(['-n', namespace, 'rollout', 'status', 'deployment/web', '--timeout=60s']);
    expect(waited).toMatchObject({ code: 0, stdout: expect.stringContaining('successfully rolled out') });
  });
});

async function podNames(client: Client, namespace: string): Promise<string[]> {
  return (await client.list(pods, { namespace })).items.map((pod) => pod.metadata.name);
}

describe('security of the embedded cluster', () => {
  it('lets a ServiceAccount sign in with its token, and do only what RBAC grants', async () => {
    const token = await own.token('default', 'default');
    const kubeconfig = await own.cluster.signIn('default-service-account', { token });
    const whoami = ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'];
    expect((await own.kubectl(whoami, { kubeconfig })).stdout).toBe('system:serviceaccount:default:default');
    const refused = await own.kubectl(['get', 'pods'], { kubeconfig });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('pods is forbidden') });
    await own.kubectl(['create', 'rolebinding', 'view', '--clusterrole=view', '--serviceaccount=default:default']);
    await eventually(async () => expect((await own.kubectl(['get', 'pods'], { kubeconfig })).code).toBe(0));
  });

  it('mounts a token and the CA into pods, as ServiceAccount admission does', async () => {
    const namespace = await shared.namespace();
    const pod = await eventually(() => shared.client.create(pods, podManifest(namespace, 'mounted')));
    expect(JSON.stringify(pod.spec)).toContain('/var/run/secrets/kubernetes.io/serviceaccount');
    const ca = ['-n', namespace, 'get', 'cm', 'kube-root-ca.crt', '-o', 'jsonpath={.data}'];
    await eventually(async () => expect((await shared.kubectl(ca)).stdout).toContain('BEGIN CERTIFICATE'));
  });
});

describe('a cluster of its own', () => {
  const components: ComponentName[] = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kwok'];
  const { cluster } = own;

  it('has as many nodes, of the shape, as it was asked for', async () => {
    const { stdout } = await cluster.kubectl([
      'get',
      'nodes',
      '-o',
      'jsonpath={range .items[*]}{.metadata.name} {.status.allocatable.cpu} {.status.allocatable.pods},{end}',
    ]);
    expect(stdout).toBe('node-0 4 10,node-1 4 10,');
  });

  it('runs beside the shared one', async () => {
    expect(cluster.kubeconfig).not.toBe(shared.kubeconfig);
    expect((await shared.kubectl(['get', 'node', 'node-2'])).code).toBe(0);
    expect((await cluster.kubectl(['get', 'node', 'node-2'])).code).toBe(1);
  });

  it('writes an audit log when asked', () => {
    expect(readFileSync(`${cluster.home}/logs/audit.log`, 'utf8')).toContain('"user":{"username":"embedded-admin"');
  });

  it.each(['kwok', 'kube-apiserver', 'etcd'] as const)('keeps its objects when %s is restarted', async (component) => {
    const { code } = await cluster.kubectl(['create', 'configmap', `before-${component}`]);
    expect(code).toBe(0);
    const before = cluster.process(component).pid;
    await cluster.restart(component);
    expect(cluster.process(component).pid).not.toBe(before);
    await eventually(async () => {
      expect((await cluster.kubectl(['get', 'configmap', `before-${component}`])).code).toBe(0);
    });
  });

  it('says which component ended, and shows its log, when one does not start', async () => {
    const { name, programs } = shared.place;
    const broken = { ...programs, etcd: '/bin/false' };
    await expect(Cluster.start(broken, { name: `${name}-broken` })).rejects.toThrow(
      /etcd ended; the end of .*etcd\.log/,
    );
  });

  it('leaves no process, no port and no keys when stopped', async () => {
    const pids = components.map((component) => cluster.process(component).pid);
    const port = Number(new URL(cluster.server).port);
    expect(pids.every(isAlive)).toBe(true);
    await cluster.stop();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await isOpen(port)).toBe(false);
    expect(existsSync(`${cluster.home}/pki`)).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
