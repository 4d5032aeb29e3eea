// What the Vertical Pod Autoscaler makes of a MyDeployment, by its own packages: it finds the pods by the scale subresource and
// the MyDeployment above a pod. Its updater knows the replicas of built-in kinds only; a budget protects the pods of others.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { MyDeployment } from '../../src/kinds/my-deployment/construct/construct.ts';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { deployments, type PodDisruptionBudget, podDisruptionBudgets } from '../../src/runtime/built-in.ts';
import type { KubeObject, Manifest } from '../../src/runtime/object.ts';
import { apiVersionOf, type Resource } from '../../src/runtime/resource.ts';
import { READY_AFTER } from '../../src/testing/index.ts';
import { type Change, minimalSpec, type Scene, version } from '../e2e/scene.ts';
import { useStage } from '../e2e/stage.ts';
import { eventually } from '../support/eventually.ts';
import { merged } from '../support/merge-patch.ts';
import { describeWithTool } from '../support/tools.ts';

const stage = await useStage({ name: 'vpa' });
const REPLICAS = 4;

interface Answer {
  readonly selector: string;
  readonly targets: readonly string[];
  readonly pods: number;
  readonly evicted: number;
  readonly refusals: readonly string[];
}

await describeWithTool('vpa', 'Vertical Pod Autoscaler', (program) => {
  async function ask({ namespace }: Scene, resource: Resource, ...flags: string[]): Promise<Answer> {
    const target = [`--api-version=${apiVersionOf(resource)}`, `--kind=${resource.kind}`, '--name=web'];
    const args = [`--kubeconfig=${stage.kubeconfig}`, `--namespace=${namespace}`, ...target, ...flags];
    return JSON.parse((await promisify(execFile)(program, args)).stdout) as Answer;
  }

  /** Runs the workload, and waits until its pods are ready. */
  async function start(scene: Scene, resource: Resource, change: Change = {}): Promise<void> {
    const spec = merged(minimalSpec(), { replicas: REPLICAS, ...change });
    await scene.client.create(resource, { metadata: scene.ref('web'), spec } as unknown as Manifest<KubeObject>);
    await scene.kubectl('wait', resource.plural, 'web', '--for=jsonpath={.status.readyReplicas}=4', '--timeout=60s');
  }

  const KINDS = [
    ['Deployment', deployments as Resource],
    ['MyDeployment', myDeployments as Resource],
  ] as const;

  it.concurrent.each(KINDS)('finds the pods of a %s, and by a pod what owns it', (kind, resource) =>
    stage.scene(async (scene) => {
      await start(scene, resource);
      const found = await ask(scene, resource);
      expect(found).toMatchObject({ selector: 'app=web', pods: REPLICAS, targets: [`${kind}/web`] });
    })(),
  );

  /** The budget that the construct renders for pods with the label app=web. */
  function budgetOf(scene: Scene): Manifest<PodDisruptionBudget> {
    const chart = Testing.chart();
    const web = new MyDeployment(chart, 'web', {
      metadata: scene.ref('web'),
      containers: [{ image: 'web:v1' }],
      select: false,
      disruptionBudget: { maxUnavailable: kplus.PercentOrAbsolute.absolute(1) },
    });
    web.select(kplus.LabelSelector.of({ labels: { app: 'web' } }));
    const rendered = Testing.synth(chart) as readonly { readonly kind: string }[];
    return rendered.find(({ kind }) => kind === podDisruptionBudgets.kind) as unknown as Manifest<PodDisruptionBudget>;
  }

  describe('in one round of its updater', () => {
    const evict = async (scene: Scene, resource: Resource): Promise<Answer> => {
      scene.watch.disturb(...(await scene.allPods()).map(({ metadata }) => metadata.name));
      return ask(scene, resource, '--evict');
    };

    it.concurrent.each([
      ['Deployment', deployments as Resource, 2],
      ['MyDeployment', myDeployments as Resource, 4],
    ] as const)('evicts pods of a %s, all of them where it does not know the replicas', (_, resource, evicted) =>
      stage.scene(async (scene) => {
        await start(scene, resource);
        expect(await evict(scene, resource)).toMatchObject({ evicted, refusals: [] });
      })(),
    );

    it.concurrent(
      'evicts as many pods of a MyDeployment as the budget of the construct allows',
      stage.scene(async (scene) => {
        // The budget allows no other eviction until the replacement is ready.
        await start(scene, myDeployments, version('v1', { [READY_AFTER]: '5s' }));
        await scene.client.create(podDisruptionBudgets, budgetOf(scene));
        await eventually(async () => {
          const { status } = await scene.client.get(podDisruptionBudgets, scene.ref('web'));
          expect(status).toMatchObject({ disruptionsAllowed: 1, expectedPods: REPLICAS });
        });
        const round = await evict(scene, myDeployments);
        expect(round).toMatchObject({ evicted: 1 });
        expect(round.refusals).toEqual([expect.stringContaining("violate the pod's disruption budget")]);
      }),
    );
  });
});
