// The operator as pods of a real node: two replicas of which one leads, and what a rollout under load has to bear when the
// leader is lost in each of the ways in which a kubelet and a kernel take containers away.

import { expect, it } from '@jest/globals';
import { createNamespace, podsAreWelcome } from '../support/namespace.ts';
import { watchRollouts } from '../support/rollout-watch.ts';
import { exhaustMemory, killContainer } from './support/containers.ts';
import { firstAnswer, underLoad } from './support/load.ts';
import { installOperatorOn, leader, leaseHolder, operatorPods, operatorRolledOut } from './support/operator.ts';
import { describeOnRealNode } from './support/real-cluster.ts';
import { WebServers } from './support/web-servers.ts';

await describeOnRealNode('the shipped operator', installOperatorOn, (real) => {
  it('runs as two Ready replicas that never restarted, and answers admission through its Service', async () => {
    const pods = await operatorPods(real);
    expect(pods.map(({ status }) => status)).toMatchObject(
      pods.map(() => ({ phase: 'Running', containerStatuses: [{ ready: true, restartCount: 0 }] })),
    );
    expect(pods).toHaveLength(2);
    const mislabelled = {
      apiVersion: 'kubebuilder.zq.com/v1beta1',
      kind: 'MyDeployment',
      metadata: { name: 'bad', namespace: 'default' },
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'b' } }, spec: { containers: [{ name: 'a', image: 'busybox:local' }] } },
      },
    };
    await expect(real.apply(mislabelled)).rejects.toThrow('must equal with .spec.selector.matchlabels');
  });

  it.each([
    { how: 'deleted', lose: deleteLeader, left: undefined },
    { how: 'killed', lose: killLeader, left: { exitCode: 137, reason: 'Error' } },
    { how: 'out of memory', lose: exhaustLeader, left: { exitCode: 137, reason: 'OOMKilled' } },
  ])('finishes a rollout without a failed request when its leader is $how', async ({ how, lose, left }) => {
    const { client } = real.cluster;
    const namespace = `leader-${how.replaceAll(' ', '-')}`;
    await createNamespace(client, namespace);
    await podsAreWelcome(client, namespace);
    const watch = await watchRollouts(client, namespace);
    const web = new WebServers(real, namespace);
    await web.rollOut({ replicas: 4, body: 'old' });
    const url = await web.expose();
    await firstAnswer(real, url);
    const before = await leaseHolder(real);
    let lost = '';
    const { failures, bodies } = await underLoad(real, url, async () => {
      await web.beginRollout({ replicas: 4, body: 'new' });
      lost = await lose();
      await web.rolledOut();
    });
    expect(failures).toEqual([]);
    expect(bodies).toEqual(['old\n', 'new\n']);
    expect(await watch.close()).toEqual([]);
    expect(await leaseHolder(real)).not.toBe(before);
    await operatorRolledOut(real);
    const now = (await operatorPods(real)).find(({ metadata }) => metadata.uid === lost);
    if (left === undefined) expect(now).toBeUndefined();
    else expect(now?.status?.containerStatuses).toMatchObject([{ restartCount: 1, lastState: { terminated: left } }]);
  });

  async function deleteLeader(): Promise<string> {
    const { metadata } = await leader(real);
    await real.kubectl(['-n', metadata.namespace ?? '', 'delete', 'pod', metadata.name]);
    return metadata.uid;
  }

  async function killLeader(): Promise<string> {
    const pod = await leader(real);
    await killContainer(real, pod);
    return pod.metadata.uid;
  }

  async function exhaustLeader(): Promise<string> {
    const pod = await leader(real);
    await exhaustMemory(real, pod);
    return pod.metadata.uid;
  }
});
