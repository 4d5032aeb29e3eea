// The operator as it ships, from the archive of its image and the manifests: as pods, behind a Service, with a token.

import { beforeAll, expect, it } from '@jest/globals';
import { CONTAINERD_SOCKET } from '../../../src/cluster/node/configuration.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { eventually } from '../../support/eventually.ts';
import { leader, operatorPods } from '../support/operator.ts';
import type { RealCluster } from '../support/real-cluster.ts';
import { webServers } from '../support/web.ts';

const namespace = 'shop';
const REPLICAS = 2;

export function operatorStories(real: RealCluster): void {
  const web = { namespace, name: 'web', body: 'hello' };
  const scaleTo = async (replicas: number): Promise<void> => {
    await real.kubectl(['-n', namespace, 'scale', 'md', 'web', `--replicas=${replicas}`]);
    await available(replicas);
  };
  const available = (replicas: number): Promise<string> => {
    const condition = `--for=jsonpath={.status.availableReplicas}=${replicas}`;
    return real.kubectl(['-n', namespace, 'wait', 'md', 'web', condition, '--timeout=60s']);
  };
  const podsOfWeb = async (): Promise<string> =>
    (await real.kubectl(['-n', namespace, 'get', 'pods', '-l', 'app=web', '-o', 'name'])).trim();

  beforeAll(() => real.kubectl(['create', 'namespace', namespace]));

  it('runs as two Ready replicas that have not restarted, one of which leads', async () => {
    const pods = await operatorPods(real);
    expect(pods.map(({ status }) => status.containerStatuses[0])).toEqual(
      Array.from({ length: REPLICAS }, () => expect.objectContaining({ ready: true, restartCount: 0 })),
    );
    await eventually(() => leader(real));
  });

  it('judges and completes objects through the ClusterIP of its Service', async () => {
    const service = ['service', INSTALLATION.webhookService, '-n', INSTALLATION.namespace];
    expect(await real.get(service)).toMatchObject({
      spec: { type: 'ClusterIP', clusterIP: expect.stringMatching(/^10\.96\./) },
    });
    const refused = { ...web, replicas: 1, body: 'x', command: [], strategy: { type: 'Sometimes' } };
    await expect(real.apply(webServers(refused))).rejects.toThrow(/spec\.strategy\.type/);
    await real.apply(webServers({ ...web, replicas: 2 }));
    expect(await real.get(['md', 'web', '-n', namespace])).toMatchObject({
      spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } } },
    });
    await available(2);
  });

  it('goes on with another leader when the pod of the leader is deleted', async () => {
    const former = await eventually(() => leader(real));
    await real.kubectl(['-n', INSTALLATION.namespace, 'delete', 'pod', former.metadata.name, '--wait=false']);
    await scaleTo(3);
    await eventually(async () => expect((await leader(real)).metadata.uid).not.toBe(former.metadata.uid));
    await real.kubectl(['-n', INSTALLATION.namespace, 'rollout', 'status', `deployment/${INSTALLATION.manager}`]);
  });

  it('goes on when the process of the leader is killed', async () => {
    const former = await eventually(() => leader(real));
    const [container] = former.status.containerStatuses;
    const id = container?.containerID.replace('containerd://', '') ?? '';
    const ctr = ['ctr', `--address=${CONTAINERD_SOCKET}`, '--namespace=k8s.io'] as const;
    await real.cluster.realNode.exec([...ctr, 'task', 'kill', '--signal=SIGKILL', id]);
    await scaleTo(4);
    await eventually(async () => {
      const restarted = (await operatorPods(real)).find(({ metadata }) => metadata.uid === former.metadata.uid);
      expect(restarted?.status.containerStatuses[0]).toMatchObject({ ready: true, restartCount: 1 });
    });
  });

  it('keeps the budget of a workload while its node is drained', async () => {
    await real.apply({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace },
      spec: { minAvailable: 3, selector: { matchLabels: { app: 'web' } } },
    });
    const budget = ['-n', namespace, 'wait', 'pdb', 'web', '--for=jsonpath={.status.disruptionsAllowed}=1'];
    await real.kubectl([...budget, '--timeout=30s']);
    const drain = ['drain', 'node-0', '--pod-selector=app=web', '--ignore-daemonsets', '--timeout=8s'];
    await expect(real.kubectl(drain)).rejects.toThrow("would violate the pod's disruption budget");
    await available(3);
    await real.kubectl(['uncordon', 'node-0']);
    await available(4);
  });

  it('leaves workloads running when it is uninstalled', async () => {
    const before = await podsOfWeb();
    await real.kubectl(['delete', '-f', 'manifests/', '--timeout=90s']);
    expect(await operatorPods(real)).toEqual([]);
    expect(await podsOfWeb()).toBe(before);
    await available(4);
  });
}
