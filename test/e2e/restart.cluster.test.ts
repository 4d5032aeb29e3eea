// The operator is killed without warning (kill -9) at random moments of rollouts of a hundred pods, again and again. The
// moments are counted in events of its pods and follow a seed. Whatever it was doing: never a pod above the ceiling,
// never too few available, no pod without an owner, and the rollouts finish.

import { expect, it } from '@jest/globals';
import { controllerOf } from '../../src/runtime/object.ts';
import { READY_AFTER } from '../../src/testing/index.ts';
import { eventually } from '../support/eventually.ts';
import { randomFrom } from '../support/random.ts';
import { rolling, type Scene, version } from './scene.ts';
import { useStage } from './stage.ts';

const stage = await useStage({ name: 'restart', operator: { webhooks: false } });

const REPLICAS = 100;
const KILLS = 10;
const SEED = 20_261_116;
const SLOWLY = { [READY_AFTER]: '400ms' };

it(
  `survives ${KILLS} kills in rollouts of ${REPLICAS}`,
  stage.scene(async (web) => {
    const random = randomFrom(SEED);
    await web.create({ replicas: REPLICAS, ...rolling(10, 10), ...version('v1', SLOWLY) });
    // The first kill is in the middle of creating them all, the others are in rollouts.
    let image = 1;
    for (let kill = 1; kill <= KILLS; kill++) {
      if (isComplete(web)) await roll(web, ++image);
      await moreEvents(web, 1 + Math.floor(random() * 80));
      await stage.operator.process.kill();
      await stage.startOperator();
    }
    await web.complete();
    const { metadata } = await web.get();
    const hashes = (await web.revisions()).map(({ metadata: { labels } }) => labels?.['controller.kubernetes.io/hash']);
    // The last of the old pods may still be on their way out.
    const present = await eventually(async () => {
      const pods = await web.allPods();
      expect(pods).toHaveLength(REPLICAS);
      return pods;
    });
    for (const pod of present) {
      expect(controllerOf(pod)?.uid).toBe(metadata.uid);
      expect(hashes.at(-1)).toBe(pod.metadata.labels?.['pod-template-hash']);
    }
    expect(image).toBeGreaterThan(1);
  }),
);

async function roll(web: Scene, image: number): Promise<void> {
  await web.change(version(`v${image}`, SLOWLY));
  await eventually(() => expect(isComplete(web)).toBe(false));
}

/** By what the watch has shown; generations that the operator has not observed yet are not complete. */
function isComplete(web: Scene): boolean {
  const last = web.watch.history.findLast((event) => event.kind === 'MyDeployment');
  const { metadata, status } = last?.object ?? {};
  if (status?.observedGeneration !== metadata?.generation) return false;
  return status?.updatedReplicas === REPLICAS && status.availableReplicas === REPLICAS;
}

/** Waits until its pods have changed so many times more, or have no reason to change any more. */
async function moreEvents(web: Scene, count: number): Promise<void> {
  const seen = () => web.watch.history.filter(({ kind }) => kind === 'Pod').length;
  const enough = seen() + count;
  await eventually(() => expect(seen() >= enough || isComplete(web)).toBe(true), 60_000, 1);
}
