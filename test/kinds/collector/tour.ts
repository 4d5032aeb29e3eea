// The changes whose consequences are worth counting, made one after the other to a Deployment or MyDeployment "web" while
// a Collector looks on: the measurement that was once made by hand. Each begins when the one before is over.

import { collectors } from '../../../src/kinds/collector/names.ts';
import { TARGETS, type TargetKind } from '../../../src/kinds/collector/targets.ts';
import type { Collector, CollectorStatusChange } from '../../../src/kinds/collector/types.gen.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import type { Manifest } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { pods } from '../../../src/workload/write-context.ts';
import { eventually } from '../../support/eventually.ts';

/** How often it is looked whether a change is over. */
const POLL_MS = 100;

export interface Step {
  readonly name: string;
  /** How the Collector calls it. */
  readonly words: string;
  make(tour: Tour): Promise<unknown>;
}

const scaled = (from: number, to: number): Step => ({
  name: `replicas ${from} → ${to}`,
  words: `replicas ${from} → ${to}`,
  make: (tour) => tour.change({ replicas: to }),
});

const deleted = (count: number): Step => ({
  name: `${count === 1 ? 'one pod' : 'two pods'} of 3 deleted`,
  words: `${count} pod${count === 1 ? '' : 's'} deleted`,
  make: (tour) => tour.deletePods(count),
});

const strategy = (type: string, replicas: number): Step => ({
  name: `strategy → ${type}, ${replicas} replicas`,
  words: `strategy ${type === 'Recreate' ? 'RollingUpdate' : 'Recreate'} → ${type}`,
  make: (tour) => tour.change({ strategy: { type, ...(type === 'Recreate' && { rollingUpdate: null }) } }),
});

/** Begins with 3 replicas. */
export const STEPS: readonly Step[] = [
  scaled(3, 1),
  scaled(1, 3),
  deleted(1),
  deleted(2),
  scaled(3, 4),
  strategy('Recreate', 4),
  strategy('RollingUpdate', 4),
  scaled(4, 0),
  scaled(0, 2),
  strategy('Recreate', 2),
  strategy('RollingUpdate', 2),
  { name: 'image, 2 replicas', words: 'template', make: (tour) => tour.change({ template: podTemplate('web:2') }) },
];

const podTemplate = (image: string): object => ({
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [
      { name: 'web', image },
      { name: 'side', image: 'side:1' },
    ],
  },
});

export class Tour {
  readonly client: Client;
  readonly namespace: string;
  readonly kind: TargetKind;

  constructor(client: Client, namespace: string, kind: TargetKind) {
    this.client = client;
    this.namespace = namespace;
    this.kind = kind;
  }

  get #ref(): { readonly namespace: string; readonly name: string } {
    return { namespace: this.namespace, name: 'web' };
  }

  /** Makes the target and a Collector called like its kind, and waits until both have come to rest. */
  async begin(spec: object = {}): Promise<void> {
    const name = this.kind.toLowerCase();
    const target = { kind: this.kind, name: 'web' };
    await this.client.create(collectors, {
      metadata: { namespace: this.namespace, name },
      spec: { target, quietSeconds: 1, ...spec },
    } as Manifest<Collector>);
    await this.#observed(); // what comes before it looks is not a change
    const selector = { matchLabels: { app: 'web' } };
    await this.client.create(
      TARGETS[this.kind] as Resource,
      {
        metadata: this.#ref,
        spec: { replicas: 3, selector, template: podTemplate('web:1') },
      } as never,
    );
    await this.over('created');
  }

  /** Makes every step; returns what came of each. */
  async run(): Promise<readonly CollectorStatusChange[]> {
    const results: CollectorStatusChange[] = [];
    for (const step of STEPS) {
      await step.make(this);
      results.push(await this.over(step.words));
    }
    return results;
  }

  change(spec: object): Promise<unknown> {
    return this.client.patch(TARGETS[this.kind] as Resource, this.#ref, { type: 'merge', body: { spec } });
  }

  async deletePods(count: number): Promise<void> {
    const { items } = await this.client.list(pods, { namespace: this.namespace, labelSelector: 'app=web' });
    await Promise.all(
      items
        .slice(0, count)
        .map(({ metadata }) => this.client.delete(pods, { namespace: this.namespace, name: metadata.name })),
    );
  }

  collector(): Promise<Collector> {
    return this.client.get(collectors, { namespace: this.namespace, name: this.kind.toLowerCase() });
  }

  /** Waits until the Collector looks. */
  async #observed(): Promise<void> {
    await eventually(async () => {
      const { metadata, status } = await this.collector();
      if (status?.observedGeneration !== metadata.generation)
        throw new Error(`the Collector of the ${this.kind} says nothing`);
    });
  }

  /** Waits until the newest change is this one, and over. */
  over(words: string): Promise<CollectorStatusChange> {
    const look = async (): Promise<CollectorStatusChange> => {
      const newest = (await this.collector()).status?.changes?.[0];
      if (newest?.change === words && newest.state === 'Closed') return newest;
      throw new Error(`${this.kind}: waiting for "${words}" to be over, got ${JSON.stringify(newest)}`);
    };
    return eventually(look, 60_000, POLL_MS);
  }
}
