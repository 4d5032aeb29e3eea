// The scenarios of a ModelBox: create, scale, roll, repair, a Service that has to be made anew, delete. There is exactly one
// Deployment and one Service, its own and as the spec says, and when it goes they go.

import { type Deployment, deployments, services } from '../../../../src/kinds/model-box/children.ts';
import { modelBoxes } from '../../../../src/kinds/model-box/names.ts';
import type { ModelBox } from '../../../../src/kinds/model-box/types.gen.ts';
import { controllerOf, type KubeObject } from '../../../../src/runtime/object.ts';
import type { Resource } from '../../../../src/runtime/resource.ts';
import { pods } from '../../../../src/workload/write-context.ts';
import { type Place, type Scenario, scenariosOf } from '../scenario.ts';
import { mustBe, Subject } from '../subject.ts';

const replicaSets: Resource = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  namespaced: true,
};

class Box extends Subject<ModelBox> {
  static async enter(place: Place): Promise<Box> {
    return new Box(place, modelBoxes);
  }

  create(): Promise<ModelBox> {
    return this.make({ image: 'model:v1', replicas: 2, ports: [{ port: 80 }], minReadySeconds: 0 });
  }

  async running(): Promise<void> {
    await this.create();
    await this.complete();
  }

  /** A user changes fields that the ModelBox decides. */
  async meddle(): Promise<void> {
    await this.client.patch(deployments, this.ref, { type: 'merge', body: { spec: { replicas: 5 } } });
  }

  async complete(): Promise<void> {
    await this.until(async () => {
      const { metadata, spec, status } = await this.get();
      const deployment = only(await this.list(deployments), metadata.uid);
      const service = only(await this.list(services), metadata.uid);
      const isHeadless = service.spec.clusterIP === 'None';
      mustBe('replicas', deployment.spec.replicas, spec.replicas);
      mustBe('image', deployment.spec.template.spec?.containers[0]?.image, spec.image);
      mustBe('headless', isHeadless, spec.serviceType === 'Headless');
      mustBe('rolled out', isRolledOut(deployment), true);
      mustBe('pods', (await this.list(pods)).length, spec.replicas);
      mustBe('observedGeneration', status?.observedGeneration, metadata.generation);
      mustBe('Ready', status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True');
      mustBe('ready', status?.ready, `${spec.replicas}/${spec.replicas}`);
    });
  }

  /** Nothing is promised about the way there: that is the Deployment's own affair. */
  async close(): Promise<readonly string[]> {
    return [];
  }
}

function only<T extends KubeObject>(all: readonly T[], ownerUid: string): T {
  const [first] = all;
  if (first === undefined || all.length > 1) throw new Error(`there are ${all.length}, not 1`);
  mustBe('the controller', controllerOf(first)?.uid, ownerUid);
  return first;
}

function isRolledOut({ metadata, spec, status }: Deployment): boolean {
  const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas];
  return status?.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas);
}

export const modelBoxScenarios: readonly Scenario[] = scenariosOf('ModelBox', Box.enter, [
  { name: 'create', act: (box) => box.create() },
  { name: 'scale', prepare: (box) => box.running(), act: (box) => box.change({ replicas: 3 }) },
  { name: 'roll', prepare: (box) => box.running(), act: (box) => box.change({ image: 'model:v2' }) },
  { name: 'repair', prepare: (box) => box.running(), act: (box) => box.meddle() },
  {
    name: 'new service',
    prepare: (box) => box.running(),
    act: (box) => box.change({ serviceType: 'Headless' }),
  },
  {
    name: 'delete',
    prepare: (box) => box.running(),
    act: (box) => box.delete(),
    rest: (box) => box.goneWith(deployments, services, replicaSets, pods),
  },
]);
