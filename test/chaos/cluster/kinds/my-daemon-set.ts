// The scenarios of a MyDaemonSet: create, roll, heal, a node that comes and one that closes, delete. At no moment are there
// two pods of it on, or on their way to, one node.

import { nodeManifest } from '../../../../src/cluster/bring-up.ts';
import { myDaemonSets } from '../../../../src/kinds/my-daemon-set/names.ts';
import type { MyDaemonSet } from '../../../../src/kinds/my-daemon-set/types.gen.ts';
import { controllerOf, type KubeObject } from '../../../../src/runtime/object.ts';
import type { Resource } from '../../../../src/runtime/resource.ts';
import type { Pod } from '../../../../src/workload/pod.ts';
import { pods } from '../../../../src/workload/write-context.ts';
import { isActive, readyConditionOf } from '../../../support/pod-facts.ts';
import { PodWatch } from '../../../support/pod-watch.ts';
import { type Place, type Scenario, scenariosOf } from '../scenario.ts';
import { mustBe, Subject } from '../subject.ts';

interface Node extends KubeObject {
  readonly spec?: { readonly taints?: readonly { readonly key: string }[] };
}

const nodes: Resource<Node> = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const CLOSED = 'closed';
const SHAPE = { cpu: '32', memory: '256Gi', pods: 2000 };

class Agents extends Subject<MyDaemonSet> {
  #watch: PodWatch | undefined;
  #hasNode = false;

  static async enter(place: Place): Promise<Agents> {
    const agents = new Agents(place, myDaemonSets);
    agents.#watch = await PodWatch.open(place.client, place.namespace, crowding);
    return agents;
  }

  create(): Promise<MyDaemonSet> {
    return this.make({ image: 'agent:v1', maxUnavailable: 2 });
  }

  async running(): Promise<void> {
    await this.create();
    await this.complete();
  }

  async harm(): Promise<void> {
    const [victim] = await this.owned(pods);
    if (victim !== undefined) await this.client.delete(pods, victim.metadata, { uid: victim.metadata.uid });
  }

  /** A node of this run's own; it goes when the run is over. */
  async addNode(): Promise<void> {
    await this.client.create(nodes, nodeManifest(this.namespace, SHAPE));
    this.#hasNode = true;
  }

  /** From now on the node takes none that does not tolerate it. */
  async closeNode(): Promise<void> {
    const body = { spec: { taints: [{ key: CLOSED, effect: 'NoExecute' }] } };
    await this.client.patch(nodes, { name: this.namespace }, { type: 'merge', body });
  }

  /** One pod of the image on every node, ready, and no other; the status says so. */
  async complete(): Promise<void> {
    await this.until(async () => {
      const { metadata, spec, status } = await this.get();
      const open = (await this.client.list(nodes)).items.filter(isOpen);
      const places = open.map((node) => node.metadata.name);
      const present = await this.list(pods);
      mustBe('nodes with pods', present.map(nodeOf).sort().join(' '), places.sort().join(' '));
      const good = present.filter((pod) => isActive(pod) && readyConditionOf(pod) && imageOf(pod) === spec.image);
      mustBe('good pods', good.length, places.length);
      mustBe('observedGeneration', status?.observedGeneration, metadata.generation);
      mustBe('availableReplicas', status?.availableReplicas, places.length);
      mustBe('updatedNumberScheduled', status?.updatedNumberScheduled, places.length);
    });
  }

  async close(): Promise<readonly string[]> {
    if (this.#hasNode) await this.client.delete(nodes, { name: this.namespace });
    return (await this.#watch?.close()) ?? [];
  }
}

function crowding(present: readonly Pod[]): string | undefined {
  const ours = present.filter((pod) => controllerOf(pod)?.kind === myDaemonSets.kind);
  const crowded = [...Map.groupBy(ours, nodeOf)].find(([, all]) => all.length > 1);
  return crowded && `node ${crowded[0]} has ${crowded[1].map(({ metadata }) => metadata.name).join(' and ')}`;
}

function isOpen({ spec }: Node): boolean {
  return !spec?.taints?.some(({ key }) => key === CLOSED);
}

/** Where it is, or the one node that it may go to. */
function nodeOf({ spec }: Pod): string {
  const affinity = JSON.stringify(spec?.affinity ?? {});
  return spec?.nodeName ?? /"values":\["([^"]+)"\]/.exec(affinity)?.[1] ?? 'nowhere';
}

function imageOf({ spec }: Pod): string | undefined {
  return (spec as { readonly containers?: readonly { readonly image?: string }[] } | undefined)?.containers?.[0]?.image;
}

export const myDaemonSetScenarios: readonly Scenario[] = scenariosOf('MyDaemonSet', Agents.enter, [
  { name: 'create', act: (agents) => agents.create() },
  { name: 'roll', prepare: (agents) => agents.running(), act: (agents) => agents.change({ image: 'agent:v2' }) },
  { name: 'heal', prepare: (agents) => agents.running(), act: (agents) => agents.harm() },
  {
    name: 'node comes',
    alone: true,
    prepare: (agents) => agents.running(),
    act: (agents) => agents.addNode(),
  },
  {
    name: 'node closes',
    alone: true,
    prepare: async (agents) => {
      await agents.addNode();
      await agents.running();
    },
    act: (agents) => agents.closeNode(),
  },
  {
    name: 'delete',
    prepare: (agents) => agents.running(),
    act: (agents) => agents.delete('Background'),
    rest: (agents) => agents.goneWith(pods),
  },
]);
