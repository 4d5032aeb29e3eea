// What kwok cannot show about workloads: containers that answer probes, take their time to end, or crash.

import { beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { startLoad } from '../support/load.ts';
import type { RealCluster } from '../support/real-cluster.ts';
import { serviceOf, webServers } from '../support/web.ts';

const namespace = 'workloads';

interface Pods {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
    readonly status: {
      readonly phase: string;
      readonly containerStatuses?: readonly { readonly ready: boolean; readonly restartCount: number }[];
    };
  }[];
}

export function workloadStories(real: RealCluster): void {
  const inNamespace = (...args: string[]): Promise<string> => real.kubectl(['-n', namespace, ...args]);
  const podsOf = (app: string): Promise<Pods> => real.get<Pods>(['pods', '-n', namespace, '-l', `app=${app}`]);
  const available = (name: string, count: number): Promise<string> =>
    inNamespace('wait', 'md', name, `--for=jsonpath={.status.availableReplicas}=${count}`, '--timeout=60s');

  beforeAll(() => real.kubectl(['create', 'namespace', namespace]));

  it('are rolled under load without a failed request', async () => {
    const web = { namespace, name: 'web', replicas: 4 };
    await real.apply(webServers({ ...web, body: 'old' }));
    await real.apply(serviceOf(web));
    await available('web', 4);
    const address = await inNamespace('get', 'service', 'web', '-o', 'jsonpath={.spec.clusterIP}');
    await eventually(async () => {
      const probe = await startLoad(real, `http://${address}/`).stop();
      expect(probe).toMatchObject({ failures: [], bodies: ['old\n'] });
    });
    const load = startLoad(real, `http://${address}/`);
    await real.apply(webServers({ ...web, body: 'new' }));
    await inNamespace('wait', 'md', 'web', '--for=jsonpath={.status.updatedReplicas}=4', '--timeout=90s');
    await eventually(async () => expect((await podsOf('web')).items).toHaveLength(4));
    const { answered, failures, bodies } = await load.stop();
    expect(failures).toEqual([]);
    expect([...bodies].sort()).toEqual(['new\n', 'old\n']);
    expect(answered).toBeGreaterThan(100);
  });

  it('keep their old pods while the new ones crash, and recover with the next template', async () => {
    const crashing = { namespace, name: 'crashing', replicas: 3, progressDeadlineSeconds: 5 };
    await real.apply(webServers({ ...crashing, body: 'good' }));
    await available('crashing', 3);
    await real.apply(webServers({ ...crashing, body: 'bad', command: ['sh', '-c', 'exit 1'] }));
    await inNamespace('wait', 'md', 'crashing', '--for=condition=Progressing=False', '--timeout=60s');
    const { items } = await podsOf('crashing');
    expect(items.filter(({ status }) => status.containerStatuses?.[0]?.ready)).toHaveLength(3);
    expect(items.some(({ status }) => (status.containerStatuses?.[0]?.restartCount ?? 0) > 0)).toBe(true);
    await real.apply(webServers({ ...crashing, body: 'mended' }));
    await inNamespace('wait', 'md', 'crashing', '--for=jsonpath={.status.updatedReplicas}=3', '--timeout=60s');
    await available('crashing', 3);
  });

  it('are recreated only after the old containers have ended, however long they take', async () => {
    const slow = { namespace, name: 'slow', replicas: 2, strategy: { type: 'Recreate' } };
    await real.apply(webServers({ ...slow, body: 'first' }));
    await available('slow', 2);
    const first = new Set((await podsOf('slow')).items.map(({ metadata }) => metadata.uid));
    await real.apply(webServers({ ...slow, body: 'second' }));
    const together: string[] = [];
    await eventually(async () => {
      const { items } = await podsOf('slow');
      const old = items.filter(({ metadata }) => first.has(metadata.uid));
      if (old.length > 0 && old.length < items.length) together.push(items.map(({ metadata }) => metadata.name).join());
      expect(old).toEqual([]);
      expect(items).toHaveLength(2);
    });
    expect(together).toEqual([]);
    await available('slow', 2);
  });

  it('restart in place when their liveness probe fails', async () => {
    const stuck = { namespace, name: 'stuck', replicas: 1, body: 'alive' };
    await real.apply(webServers(stuck));
    await available('stuck', 1);
    const [pod] = (await podsOf('stuck')).items;
    await inNamespace('exec', pod?.metadata.name ?? '', '--', 'rm', '/tmp/index.html');
    await eventually(async () => {
      const [now] = (await podsOf('stuck')).items;
      expect(now?.metadata.uid).toBe(pod?.metadata.uid);
      expect(now?.status.containerStatuses?.[0]).toMatchObject({ ready: true, restartCount: 1 });
    });
    await available('stuck', 1);
  });

  it('of the smaller kinds run', async () => {
    await real.apply({
      apiVersion: 'batch.tutorial.kubebuilder.io/v1alpha1',
      kind: 'ImoocPod',
      metadata: { name: 'asleep', namespace },
      spec: { replicas: 2 },
    });
    await real.apply({
      apiVersion: 'apps.zhongmingmao.io/v1beta1',
      kind: 'MyDaemonSet',
      metadata: { name: 'every-node', namespace },
      spec: { image: 'busybox:local' },
    });
    await real.apply({
      apiVersion: 'model.github.com/v1',
      kind: 'ModelBox',
      metadata: { name: 'box', namespace },
      spec: { name: 'box', image: 'busybox:local', replicas: 2, size: 'small', ports: [{ port: 80, targetPort: 80 }] },
    });
    await inNamespace('wait', 'imp', 'asleep', '--for=jsonpath={.status.readyReplicas}=2', '--timeout=60s');
    await inNamespace('wait', 'mds', 'every-node', '--for=jsonpath={.status.numberReady}=1', '--timeout=60s');
    await inNamespace('wait', 'deployment', 'box', '--for=jsonpath={.status.readyReplicas}=2', '--timeout=60s');
  });
}
