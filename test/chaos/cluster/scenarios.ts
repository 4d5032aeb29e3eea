// The reference scenarios of a MyDeployment, each as what is there before and what somebody then does: create, scale both
// ways, roll, roll over, undo, pause, recreate, adopt, delete. Small ones: every write of theirs is a point to crash at.

import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { ROLLBACK_TO } from '../../../src/kinds/my-deployment/rollback.ts';
import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import { isApiError } from '../../../src/runtime/errors.ts';
import { controllerOf, type KubeObject, type Manifest } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { controllerRevisions, pods } from '../../../src/workload/write-context.ts';
import { eventually } from '../../support/eventually.ts';
import { isActive } from '../../support/pod-facts.ts';

const PATIENCE_MS = 60_000;

export interface Scenario {
  readonly name: string;
  /** What is there before, at rest. */
  prepare?(web: Web): Promise<unknown>;
  /** What the operator is then to do. */
  act(web: Web): Promise<unknown>;
  /** Resolves when all of it is done. @default complete */
  rest?(web: Web): Promise<void>;
  /** What a person does afterwards to let everything come to rest. */
  afterwards?(web: Web): Promise<unknown>;
}

export const scenarios: readonly Scenario[] = [
  { name: 'create', act: (web) => web.create(3) },
  { name: 'scale up', prepare: (web) => web.running(2), act: (web) => web.change({ replicas: 4 }) },
  { name: 'scale down', prepare: (web) => web.running(4), act: (web) => web.change({ replicas: 2 }) },
  { name: 'roll', prepare: (web) => web.running(3), act: (web) => web.change(image('v2')) },
  {
    name: 'roll over',
    prepare: (web) => web.running(3),
    act: async (web) => {
      await web.change(image('v2'));
      await web.change(image('v3'));
    },
  },
  {
    name: 'undo',
    prepare: async (web) => {
      await web.running(2);
      await web.change(image('v2'));
      await web.complete();
    },
    act: (web) => web.patch({ metadata: { annotations: { [ROLLBACK_TO]: '0' } } }),
    rest: async (web) => {
      await eventually(async () => mustBe('image', imageOf(await web.get()), 'web:v1'), PATIENCE_MS);
      await web.complete();
    },
  },
  {
    name: 'pause',
    prepare: (web) => web.running(2),
    act: (web) => web.change({ paused: true, replicas: 4, ...image('v2') }),
    rest: (web) => web.reach({ replicas: 4, availableReplicas: 4, updatedReplicas: 0 }),
    afterwards: (web) => web.change({ paused: false }),
  },
  {
    name: 'recreate',
    prepare: (web) => web.running(2, { strategy: { type: 'Recreate' } }),
    act: (web) => web.change(image('v2')),
  },
  {
    name: 'adopt',
    prepare: (web) => Promise.all([web.orphan('one'), web.orphan('two')]),
    act: (web) => web.create(2),
  },
  {
    name: 'delete',
    prepare: (web) => web.running(3),
    act: (web) => web.delete(),
    rest: (web) => web.gone(),
  },
];

/** The MyDeployment of one run, in a namespace of its own. */
export class Web {
  readonly client: Client;
  readonly namespace: string;

  constructor(client: Client, namespace: string) {
    this.client = client;
    this.namespace = namespace;
  }

  create(replicas: number, change: object = {}): Promise<MyDeployment> {
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 };
    const spec = {
      ...{ replicas, selector: { matchLabels: { app: 'web' } }, ...image('v1') },
      strategy: { type: 'RollingUpdate', rollingUpdate },
      ...change,
    };
    return this.client.create(myDeployments, { metadata: this.#ref, spec } as unknown as Manifest<MyDeployment>);
  }

  async running(replicas: number, change: object = {}): Promise<void> {
    await this.create(replicas, change);
    await this.complete();
  }

  get(): Promise<MyDeployment> {
    return this.client.get(myDeployments, this.#ref);
  }

  change(spec: object): Promise<MyDeployment> {
    return this.patch({ spec });
  }

  patch(body: object): Promise<MyDeployment> {
    return this.client.patch(myDeployments, this.#ref, { type: 'merge', body });
  }

  async delete(): Promise<void> {
    await this.client.delete(myDeployments, this.#ref, { propagationPolicy: 'Foreground' });
  }

  /** A pod that nobody owns and that the MyDeployment selects. */
  orphan(name: string): Promise<Pod> {
    const spec = { containers: [{ name: 'web', image: 'web:v0' }] };
    const metadata = { namespace: this.namespace, name, labels: { app: 'web' } };
    return this.client.create(pods, { metadata, spec } as unknown as Manifest<Pod>);
  }

  /** Waits until the status of the newest spec says this. */
  async reach(status: object): Promise<void> {
    await eventually(async () => {
      const object = await this.get();
      const told = object.status as Readonly<Record<string, unknown>> | undefined;
      mustBe('observedGeneration', told?.observedGeneration, object.metadata.generation);
      for (const [field, value] of Object.entries(status)) mustBe(field, told?.[field], value);
    }, PATIENCE_MS);
  }

  /** Waits until all replicas are of the newest template and available, and no other pods of ours are left. */
  async complete(): Promise<void> {
    const { metadata, spec } = await this.get();
    const replicas = spec.replicas as number;
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
    await this.reach({ ...counts, unavailableReplicas: 0, terminatingReplicas: 0 });
    const owned = (await this.#list(pods)).filter((pod) => controllerOf(pod)?.uid === metadata.uid);
    mustBe('active pods', owned.filter(isActive).length, replicas);
  }

  /** Waits until it is gone with everything that was its own. */
  async gone(): Promise<void> {
    await eventually(async () => {
      const present = await this.get().catch((error: unknown) => {
        if (!isApiError(error, 'NotFound')) throw error;
      });
      const left = [...(await this.#list(pods)), ...(await this.#list(controllerRevisions))];
      mustBe('the object', present, undefined);
      mustBe('what is left', left.map(({ metadata }) => metadata.name).join(' '), '');
    }, PATIENCE_MS);
  }

  async #list<T extends KubeObject>(resource: Resource<T>): Promise<readonly T[]> {
    return (await this.client.list(resource, { namespace: this.namespace })).items;
  }

  get #ref(): { namespace: string; name: string } {
    return { namespace: this.namespace, name: 'web' };
  }
}

export function image(version: string): { template: object } {
  const spec = { containers: [{ name: 'web', image: `web:${version}` }] };
  return { template: { metadata: { labels: { app: 'web' } }, spec } };
}

function imageOf({ spec }: MyDeployment): string | undefined {
  return spec.template.spec?.containers[0]?.image;
}

function mustBe(what: string, is: unknown, wanted: unknown): void {
  if (is !== wanted) throw new Error(`${what} is ${String(is)}, not ${String(wanted)}`);
}
