// The installation as people change it, with the Makefile's commands: upgraded from the image and manifests of the commit
// before, removed, and installed again. Workloads serve all the time.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadOperatorImage } from '../../src/local/shipped-operator.ts';
import { createNamespace, podsAreWelcome } from '../support/namespace.ts';
import { watchRollouts } from '../support/rollout-watch.ts';
import { firstAnswer, underLoad } from './support/load.ts';
import { INSTALL_WITHIN_MS, make, operatorPods, operatorRolledOut } from './support/operator.ts';
import { hasPreviousCommit, previousCommit } from './support/previous-commit.ts';
import { describeOnRealNode, type RealCluster } from './support/real-cluster.ts';
import { WebServers } from './support/web-servers.ts';

const hasPrevious = await hasPreviousCommit();
if (!hasPrevious)
  process.stderr.write('Not tested: an upgrade from the previous commit, which this clone does not have\n');

/** No old pod may go before a new one was Ready for longer than an upgrade takes. */
const HELD = { minReadySeconds: 90, strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } };

const loadOperator = ({ cluster }: RealCluster): Promise<void> => loadOperatorImage(cluster);

await describeOnRealNode('an installation', loadOperator, (real) => {
  (hasPrevious ? describe : describe.skip)('of the previous commit', () => {
    beforeAll(async () => {
      const { folder, image, archive } = await previousCommit();
      await real.cluster.realNode.loadImage(archive);
      await make(real, ['deploy', `IMG=${image}`], folder);
      await operatorRolledOut(real);
    }, INSTALL_WITHIN_MS);

    it('is upgraded while a rollout is under way, which the new operator finishes without a failed request', async () => {
      const { web, url, namespace } = await servers(real, 'upgrade');
      const old = await web.uids();
      const watch = await watchRollouts(real.cluster.client, namespace);
      const { failures, bodies } = await underLoad(real, url, async () => {
        await web.beginRollout({ replicas: 4, body: 'new', spec: HELD });
        await deploy();
        expect(await web.uids()).toEqual(expect.arrayContaining([...old]));
        await web.rollOut({ replicas: 4, body: 'new' });
      });
      expect(failures).toEqual([]);
      expect(bodies).toEqual(['old\n', 'new\n']);
      expect(await watch.close()).toEqual([]);
      expect((await operatorPods(real)).map((pod) => pod.spec?.containers[0]?.image)).toEqual(
        Array(2).fill(expect.not.stringContaining('previous')),
      );
    });
  });

  it('leaves workloads running when it is removed, and takes them over when it comes back', async () => {
    await deploy();
    const { web, url } = await servers(real, 'removal');
    const old = await web.uids();
    const { failures } = await underLoad(real, url, async () => {
      await make(real, ['undeploy']);
      expect(await operatorPods(real)).toEqual([]);
      expect(await web.uids()).toEqual(old);
      await deploy();
      await web.scale(5);
    });
    expect(failures).toEqual([]);
    expect(await web.uids()).toEqual(expect.arrayContaining([...old]));
    const restarts = (await web.pods()).map(({ status }) => status?.containerStatuses?.[0]?.restartCount);
    expect(restarts).toEqual([0, 0, 0, 0, 0]);
  });

  async function deploy(): Promise<void> {
    await make(real, ['deploy']);
    await operatorRolledOut(real);
  }
});

/** Four servers behind a Service that answers. */
async function servers(
  real: RealCluster,
  namespace: string,
): Promise<{ readonly web: WebServers; readonly url: string; readonly namespace: string }> {
  await createNamespace(real.cluster.client, namespace);
  await podsAreWelcome(real.cluster.client, namespace);
  const web = new WebServers(real, namespace);
  await web.rollOut({ replicas: 4, body: 'old' });
  const url = await web.expose();
  await firstAnswer(real, url);
  return { web, url, namespace };
}
