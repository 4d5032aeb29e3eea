// Changes in place on containers that are real: behind a Service under load, with a kubelet that pulls, stops, starts and resizes.
// All tags of the node's registry have one digest, and the kubelet reports containers by whichever it met first: nothing here could
// tell an old container from a new one by its image.

import { expect, it } from '@jest/globals';
import type { Pod as FullPod } from '../../src/runtime/built-in.ts';
import { eventually } from '../support/eventually.ts';
import type { RolloutWatch } from '../support/rollout-watch.ts';
import { firstAnswer, underLoad } from './support/load.ts';
import { installOperatorOn } from './support/operator.ts';
import { describeOnRealNode } from './support/real-cluster.ts';
import { type Story, storyOn } from './support/story.ts';
import type { WebOptions, WebServers } from './support/web-servers.ts';

/** One pod after the other, each with a grace period, a preStop hook and a probe: half a minute on an idle machine. */
const WITHIN_MS = 180_000;

await describeOnRealNode('workloads that are changed in place', installOperatorOn, (real) => {
  /** Four servers, of which one may be unavailable at a time, governed by a policy that asks for changes in place. */
  const governed = (policy: object, play: (story: Story) => Promise<void>) =>
    storyOn(real, async (story) => {
      const { namespace } = story;
      const inPlace = { mode: 'IfPossible', gracePeriod: '3s' };
      await real.apply({
        apiVersion: 'kubebuilder.zq.com/v1alpha1',
        kind: 'RolloutPolicy',
        metadata: { name: 'web', namespace },
        spec: { targetRef: { name: 'web' }, pods: { inPlace }, ...policy },
      });
      await play(story);
    });

  it.concurrent(
    'get another image behind a Service without a failed request, with names and addresses that stay',
    governed({}, async ({ web, watch }) => {
      await web.rollOut(four({ image: 'busybox:v1' }));
      const url = await web.expose();
      await firstAnswer(real, url);
      const [before, began] = [await identities(web), watch.history.length];
      const { answered, failures } = await underLoad(real, url, async () => {
        await web.apply(four({ image: 'busybox:v2' }));
        await web.rolledOut(WITHIN_MS);
      });
      expect(failures).toEqual([]);
      expect(answered).toBeGreaterThan(100);
      expect([await identities(web), await restarts(web)]).toEqual([before, [1, 1, 1, 1]]);
      expect((await web.pods()).map(imageOf)).toEqual(Array(4).fill('busybox:v2'));
      expect(fewestAvailable(watch, began)).toBe(3);
    }),
  );

  it.concurrent(
    'get twice the CPU without a restart',
    governed({}, async ({ web }) => {
      const cpu = (amount: string) => four({ resources: { requests: { cpu: amount }, limits: { cpu: amount } } });
      await web.rollOut(cpu('50m'));
      const before = await identities(web);
      await web.apply(cpu('100m'));
      await web.rolledOut(WITHIN_MS);
      expect([await identities(web), await restarts(web)]).toEqual([before, [0, 0, 0, 0]]);
      // The kubelet reports what the runtime has set.
      const given = (await web.pods()).map(({ status }) => status?.containerStatuses?.[0]?.resources?.limits?.cpu);
      expect(given).toEqual(Array(4).fill('100m'));
    }),
  );

  it.concurrent(
    'are taken back by themselves from an image that does not exist, and serve all the time',
    governed({ rollback: {} }, async ({ web, watch }) => {
      await web.rollOut(four({ image: 'busybox:v1' }));
      const url = await web.expose();
      await firstAnswer(real, url);
      const [before, began] = [await identities(web), watch.history.length];
      const { failures } = await underLoad(real, url, async () => {
        await web.apply(four({ image: 'missing:v2' }));
        const stalled = expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'RevisionRejected' });
        await eventually(async () => {
          const { status } = await web.get();
          expect(status).toMatchObject({ updatedReplicas: 0, availableReplicas: 4 });
          expect(status?.conditions).toEqual(expect.arrayContaining([stalled]));
        }, WITHIN_MS);
      });
      expect(failures).toEqual([]);
      expect([await identities(web), (await web.pods()).map(imageOf)]).toEqual([before, Array(4).fill('busybox:v1')]);
      expect(fewestAvailable(watch, began)).toBe(3);
    }),
  );
});

function four(container: object): WebOptions {
  const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
  return { replicas: 4, body: 'here', container, spec: { strategy } };
}

/** Whatever a client or a Service knows the pods by. */
async function identities(web: WebServers): Promise<readonly string[]> {
  const pods = await web.pods();
  return pods.map(({ metadata, status }) => `${metadata.name} ${metadata.uid} ${status?.podIP}`).toSorted();
}

async function restarts(web: WebServers): Promise<readonly (number | undefined)[]> {
  return (await web.pods()).map(({ status }) => status?.containerStatuses?.[0]?.restartCount);
}

/** The fewest pods that were available at any time, by the status of the MyDeployment. */
function fewestAvailable(watch: RolloutWatch, from: number): number {
  const told = watch.history
    .slice(from)
    .flatMap((event) => (event.kind === 'MyDeployment' ? [event.object.status?.availableReplicas ?? 0] : []));
  return Math.min(...told);
}

function imageOf({ spec }: FullPod): string | undefined {
  return spec?.containers[0]?.image;
}
