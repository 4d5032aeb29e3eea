// Watches the rollouts of one namespace with a watch of its own and holds them to their promises (rollout-promises.ts and
// policy-promises.ts), at every single event instead of at polls. It proves that it missed nothing: before it judges, what it saw has to add
// up to what the API server lists.

import { setTimeout as delay } from 'node:timers/promises';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { rolloutPolicies } from '../../src/policy/resource.ts';
import type { Client } from '../../src/runtime/client/client.ts';
import { isApiError } from '../../src/runtime/errors.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { controllerRevisions, pods } from '../../src/workload/write-context.ts';
import { eventually } from './eventually.ts';
import { missedEvents } from './missed-events.ts';
import { brokenUnderPolicies, type RecordedPolicy } from './policy-promises.ts';
import { brokenPromises, type Excuses, type Recorded, type Scope } from './rollout-promises.ts';

/** A restarted API server can leave a watch open and silent; one that begins anew shows what it missed. */
const LONGEST_WATCH_SECONDS = 15;
const BREATH_MS = 100;

/** Watches every MyDeployment, policy, revision and pod of a namespace from now on. */
export async function watchRollouts(client: Client, namespace: string): Promise<RolloutWatch> {
  const watch = new RolloutWatch(client, namespace);
  await watch.open();
  return watch;
}

export class RolloutWatch {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #history: Event[] = [];
  readonly #disturbed = new Set<string>();
  readonly #stop = new AbortController();
  readonly #reading: Promise<void>[] = [];
  #hole: unknown;

  /** Use `watchRollouts`. */
  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  async open(): Promise<void> {
    await Promise.all([
      this.#follow(pods, (type, object) => ({ kind: 'Pod', type, object })),
      this.#follow(myDeployments, (type, object) => ({ kind: 'MyDeployment', type, object })),
      this.#follow(controllerRevisions, (type, object) => ({ kind: 'ControllerRevision', type, object })),
      this.#follow(rolloutPolicies, (type, object) => ({ kind: 'RolloutPolicy', type, object })),
    ]);
  }

  /** To be called before the test deletes or harms these pods: their loss is then not held against the operator. */
  disturb(...names: readonly string[]): void {
    for (const name of names) this.#disturbed.add(name);
  }

  /** Everything seen so far but policies, in no particular order. */
  get history(): readonly Recorded[] {
    return this.#history.filter((event) => event.kind !== 'RolloutPolicy');
  }

  /** Reads to the end, stops, and returns the promises that were broken. */
  async close(scope: Scope = 'bounds', excuses: Omit<Excuses, 'harmed'> = {}): Promise<string[]> {
    try {
      if (this.#hole !== undefined) throw new Error('the watch has a hole', { cause: this.#hole });
      await this.#level(pods, 'Pod');
      await this.#level(myDeployments, 'MyDeployment');
      await this.#level(controllerRevisions, 'ControllerRevision');
      await this.#level(rolloutPolicies, 'RolloutPolicy');
    } finally {
      this.#stop.abort();
      await Promise.all(this.#reading);
    }
    const all = { ...excuses, harmed: this.#disturbed };
    return [...brokenPromises(this.history, all, scope), ...brokenUnderPolicies(this.#history, all)];
  }

  async #follow<T extends KubeObject>(resource: Resource<T>, record: Record<T>): Promise<void> {
    const namespace = this.#namespace;
    const { metadata } = await this.#client.list(resource, { namespace, limit: 1 });
    const reading = this.#read(resource, record, metadata.resourceVersion as string);
    const noteHole = (error: unknown): void => {
      this.#hole = error;
    };
    this.#reading.push(reading.catch(noteHole));
  }

  /** A watch may end at any time; it goes on where it was. What a restarted API server forgot is told from memory. */
  async #read<T extends KubeObject>(resource: Resource<T>, record: Record<T>, from: string): Promise<void> {
    const { signal } = this.#stop;
    const namespace = this.#namespace;
    const timeoutSeconds = LONGEST_WATCH_SECONDS;
    let resourceVersion = from;
    let isForgotten = false;
    while (!signal.aborted) {
      const options = { namespace, allowWatchBookmarks: true, timeoutSeconds, signal };
      try {
        if (isForgotten) resourceVersion = await this.#recall(resource, record, resourceVersion);
        isForgotten = false;
        for await (const event of this.#client.watch(resource, { ...options, resourceVersion })) {
          ({ resourceVersion } = event.object.metadata);
          if (event.type !== 'BOOKMARK') this.#history.push(record(event.type, event.object));
        }
      } catch (error) {
        if (!isApiError(error)) throw error;
        isForgotten ||= isApiError(error, 'Gone');
        await delay(BREATH_MS, undefined, { signal }).catch(() => {}); // a server that starts refuses everything
      }
    }
  }

  /** Records what has happened since this version, and returns the version from which a watch can go on. */
  async #recall<T extends KubeObject>(resource: Resource<T>, record: Record<T>, from: string): Promise<string> {
    const namespace = this.#namespace;
    const { metadata } = await this.#client.list(resource, { namespace, limit: 1 });
    const to = metadata.resourceVersion as string;
    const present = this.#present(resource.kind as Event['kind']);
    const missed = await missedEvents(this.#client, resource, { namespace, from, to, present });
    this.#history.push(...missed.map(({ type, object }) => record(type, object)));
    return to;
  }

  /** Waits until the watch has shown everything that the server has. */
  async #level(resource: Resource, kind: Event['kind']): Promise<void> {
    await eventually(async () => {
      const { items } = await this.#client.list(resource, { namespace: this.#namespace });
      const listed = versions(items);
      const seen = versions(this.#present(kind));
      if (seen !== listed) throw new Error(`the watch shows ${kind}s ${seen}, the server has ${listed}`);
    });
  }

  #present(kind: Event['kind']): KubeObject[] {
    const present = new Map<string, KubeObject>();
    for (const event of this.#history.filter((each) => each.kind === kind)) {
      if (event.type === 'DELETED') present.delete(event.object.metadata.uid);
      else present.set(event.object.metadata.uid, event.object);
    }
    return [...present.values()];
  }
}

type Event = Recorded | RecordedPolicy;
type Record<T> = (type: Event['type'], object: T) => Event;

function versions(objects: readonly KubeObject[]): string {
  return objects
    .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
    .sort()
    .join(' ');
}
