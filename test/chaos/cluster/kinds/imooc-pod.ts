// The scenarios of an ImoocPod: create, scale both ways, heal, adopt, delete. Never more pods than were ever asked for, and
// none without its finalizer's protection: what is deleted leaves nothing behind.

import { imoocPods } from '../../../../src/kinds/imooc-pod/schema.ts';
import type { ImoocPod } from '../../../../src/kinds/imooc-pod/types.gen.ts';
import { controllerOf, type Manifest } from '../../../../src/runtime/object.ts';
import type { Pod } from '../../../../src/workload/pod.ts';
import { pods } from '../../../../src/workload/write-context.ts';
import { isActive, readyConditionOf } from '../../../support/pod-facts.ts';
import { PodWatch } from '../../../support/pod-watch.ts';
import { type Place, type Scenario, scenariosOf } from '../scenario.ts';
import { mustBe, Subject } from '../subject.ts';

class Sleepers extends Subject<ImoocPod> {
  #watch: PodWatch | undefined;
  /** The most that were ever asked for. */
  #most = 0;

  static async enter(place: Place): Promise<Sleepers> {
    const sleepers = new Sleepers(place, imoocPods);
    sleepers.#watch = await PodWatch.open(place.client, place.namespace, (present) => sleepers.#judge(present));
    return sleepers;
  }

  create(replicas: number): Promise<ImoocPod> {
    this.#most = Math.max(this.#most, replicas);
    return this.make({ replicas });
  }

  async running(replicas: number): Promise<void> {
    await this.create(replicas);
    await this.complete();
  }

  scale(replicas: number): Promise<ImoocPod> {
    this.#most = Math.max(this.#most, replicas);
    return this.change({ replicas });
  }

  async harm(): Promise<void> {
    const [victim] = await this.owned(pods);
    if (victim !== undefined) await this.client.delete(pods, victim.metadata, { uid: victim.metadata.uid });
  }

  /** A pod without an owner, under a name such as the operator chooses. */
  orphan(suffix: string): Promise<Pod> {
    const spec = { containers: [{ name: 'busybox', image: 'busybox' }] };
    const { namespace, name } = this.ref;
    const metadata = { namespace, name: `${name}-pod-${suffix}`, labels: { app: name } };
    return this.client.create(pods, { metadata, spec } as unknown as Manifest<Pod>);
  }

  /** Exactly the pods that the spec asks for, all ready, and the status names them. */
  async complete(): Promise<void> {
    await this.until(async () => {
      const { metadata, spec, status } = await this.get();
      const present = await this.list(pods);
      mustBe('pods', present.length, spec.replicas);
      mustBe(
        'pods that are its own and active',
        present.filter((pod) => isOurs(pod) && isActive(pod)).length,
        spec.replicas,
      );
      mustBe('ready pods', present.filter((pod) => readyConditionOf(pod) !== undefined).length, spec.replicas);
      mustBe('observedGeneration', status?.observedGeneration, metadata.generation);
      mustBe('readyReplicas', status?.readyReplicas, spec.replicas);
      mustBe('podNames', status?.podNames?.join(' '), namesOf(present));
    });
  }

  async close(): Promise<readonly string[]> {
    return (await this.#watch?.close()) ?? [];
  }

  #judge(present: readonly Pod[]): string | undefined {
    const active = present.filter((pod) => isOurs(pod) && isActive(pod)).length;
    return active > this.#most ? `${active} pods where ${this.#most} are the most that was ever asked for` : undefined;
  }
}

function isOurs(pod: Pod): boolean {
  return controllerOf(pod)?.kind === imoocPods.kind;
}

function namesOf(all: readonly Pod[]): string {
  return all
    .map(({ metadata }) => metadata.name)
    .sort()
    .join(' ');
}

export const imoocPodScenarios: readonly Scenario[] = scenariosOf('ImoocPod', Sleepers.enter, [
  { name: 'create', act: (sleepers) => sleepers.create(3) },
  { name: 'scale up', prepare: (sleepers) => sleepers.running(2), act: (sleepers) => sleepers.scale(4) },
  { name: 'scale down', prepare: (sleepers) => sleepers.running(4), act: (sleepers) => sleepers.scale(2) },
  { name: 'heal', prepare: (sleepers) => sleepers.running(3), act: (sleepers) => sleepers.harm() },
  {
    name: 'adopt',
    prepare: (sleepers) => Promise.all([sleepers.orphan('first'), sleepers.orphan('other')]),
    act: (sleepers) => sleepers.create(2),
  },
  {
    name: 'delete',
    prepare: (sleepers) => sleepers.running(3),
    act: (sleepers) => sleepers.delete('Background'),
    rest: (sleepers) => sleepers.goneWith(pods),
  },
]);
