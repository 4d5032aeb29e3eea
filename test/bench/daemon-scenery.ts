// Many nodes, and one object that wants a pod on each of them.

import { nodeManifest } from '../../src/cluster/bring-up.ts';
import type { Client } from '../../src/runtime/client/client.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { concurrently, range } from './concurrently.ts';
import { type DaemonKind, daemon } from './daemon-workload.ts';
import type { Setting } from './stage.ts';
import type { Condition } from './stopwatch.ts';

export interface DaemonSceneryProps {
  readonly client: Client;
  readonly kind: DaemonKind;
  readonly namespace: string;
  /** Waits until something is true of the pods. */
  readonly until: (what: string, holds: Condition) => Promise<unknown>;
}

const nodes: Resource = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const MORE = { role: 'more' };
const SHAPE = { cpu: '32', memory: '256Gi', pods: 2000 };

export class DaemonScenery implements Setting {
  readonly #props: DaemonSceneryProps;
  #nodes = 0;
  #exists = false;
  #version = 1;

  constructor(props: DaemonSceneryProps) {
    this.#props = props;
  }

  get wanted(): number {
    return this.#exists ? this.#nodes : 0;
  }

  get names(): readonly string[] {
    return this.#exists ? [this.#ref.name] : [];
  }

  /** Every node has a pod that is Ready and runs the image of the moment, and no other. */
  readonly isUp: Condition = (all) => all.ready(this.#image) === this.wanted && all.active === this.wanted;

  readonly isGone: Condition = (all) => all.present === 0;

  /** Makes sure that there are at least that many nodes. */
  async nodes(count: number): Promise<void> {
    const { client } = this.#props;
    const { items } = await client.list(nodes);
    await concurrently(range(Math.max(0, count - items.length)), async (index) => {
      const name = `more-${items.length + index}`;
      const manifest = nodeManifest(name, SHAPE);
      const labels = { ...manifest.metadata.labels, ...MORE };
      await client.create(nodes, { ...manifest, metadata: { ...manifest.metadata, labels } });
      // A new node is tainted not-ready, and no controller here removes the taint.
      await client.patch(nodes, { name }, { type: 'merge', body: { spec: { taints: null } } });
    });
    this.#nodes = Math.max(count, items.length);
  }

  /** Asks for a pod on every node. */
  async create(): Promise<void> {
    const { client, kind } = this.#props;
    this.#exists = true;
    await client.create(kind.resource, daemon(kind, this.#ref, this.#image));
  }

  /** Asks for another image. */
  async roll(): Promise<void> {
    const { client, kind } = this.#props;
    this.#version++;
    await client.patch(kind.resource, this.#ref, { type: 'merge', body: { spec: kind.spec(this.#image) } });
  }

  async warmUp(size: number): Promise<void> {
    await this.nodes(size);
    await this.create();
    await this.#props.until('every node has a pod', this.isUp);
    await this.roll();
    await this.#props.until('every node has a new pod', this.isUp);
    await this.remove();
  }

  /** Deletes the object and waits until the garbage collector has taken its pods. */
  async remove(): Promise<void> {
    const { client, kind, until } = this.#props;
    if (!this.#exists) return;
    await client.delete(kind.resource, { ...this.#ref }, { propagationPolicy: 'Background' });
    this.#exists = false;
    await until('nothing is left', this.isGone);
    this.#version++;
  }

  /** Nodes that are no longer needed would go on to renew their leases. */
  async clear(): Promise<void> {
    await this.remove();
    const labelSelector = Object.entries(MORE)
      .map(([key, value]) => `${key}=${value}`)
      .join(',');
    await this.#props.client.deleteCollection(nodes, { labelSelector });
  }

  get #ref(): { namespace: string; name: string } {
    return { namespace: this.#props.namespace, name: 'daemon' };
  }

  get #image(): string {
    return `daemon:v${this.#version}`;
  }
}
