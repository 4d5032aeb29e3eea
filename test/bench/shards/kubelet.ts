// Stands for the kubelets of all nodes: whatever pod is created becomes Ready at once. It sees every pod that is created, so it is also
// the stopwatch: how long an owner that has lost a pod is without a new one.

import { setTimeout as delay } from 'node:timers/promises';
import { readKubeconfig } from '../../../src/runtime/client/access.ts';
import { type Client, createClient } from '../../../src/runtime/client/client.ts';
import { Connection } from '../../../src/runtime/client/connection.ts';
import { isApiError } from '../../../src/runtime/errors.ts';
import { controllerOf, type ObjectRef } from '../../../src/runtime/object.ts';
import type { WatchedPod } from '../pod-tally.ts';
import { pods } from '../stopwatch.ts';

const BEFORE_RESUMING_MS = 5;

/** An owner that has lost a pod. */
interface Loss {
  readonly at: number;
  readonly replaced: PromiseWithResolvers<number>;
}

export class Kubelet {
  readonly #connection: Connection;
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #losses = new Map<string, Loss>();
  #following: Promise<void> = Promise.resolve();
  #created = 0;

  private constructor(connection: Connection) {
    this.#connection = connection;
    this.#client = createClient(connection);
  }

  static async start(kubeconfig: string): Promise<Kubelet> {
    const kubelet = new Kubelet(new Connection(await readKubeconfig([kubeconfig])));
    const { metadata } = await kubelet.#client.list(pods, { limit: 1 });
    kubelet.#following = kubelet.#follow(metadata.resourceVersion as string);
    return kubelet;
  }

  /** Pods that were created since it was started. */
  get created(): number {
    return this.#created;
  }

  /** Deletes a pod of this owner; resolves with the milliseconds from the request until a watch shows another one. */
  async lose(pod: ObjectRef, owner: string): Promise<number> {
    const loss = { at: performance.now(), replaced: Promise.withResolvers<number>() };
    this.#losses.set(owner, loss);
    await this.#client.delete(pods, pod);
    return loss.replaced.promise;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#following;
    await this.#connection.close();
  }

  async #follow(from: string): Promise<void> {
    const { signal } = this.#stop;
    let resourceVersion = from;
    while (!signal.aborted) {
      try {
        const options = { resourceVersion, allowWatchBookmarks: true, omitManagedFields: true, signal };
        for await (const event of this.#client.watch(pods, options)) {
          ({ resourceVersion } = event.object.metadata);
          if (event.type !== 'BOOKMARK') this.#take(event.type, event.object);
        }
      } catch (error) {
        if (!isApiError(error, 'Aborted', 'Connection', 'TooManyRequests', 'Timeout')) throw error;
        await delay(BEFORE_RESUMING_MS);
      }
    }
  }

  #take(type: 'ADDED' | 'MODIFIED' | 'DELETED', pod: WatchedPod): void {
    const owner = controllerOf(pod)?.uid;
    if (type === 'ADDED' && owner !== undefined) this.#added(owner, pod.metadata);
  }

  #added(owner: string, { namespace, name }: ObjectRef): void {
    this.#created++;
    const loss = this.#losses.get(owner);
    this.#losses.delete(owner);
    loss?.replaced.resolve(performance.now() - loss.at);
    void this.#makeReady({ name, ...(namespace !== undefined && { namespace }) });
  }

  /** Tries again, as kubelets do, until it works or the pod is gone. */
  async #makeReady(ref: ObjectRef): Promise<void> {
    const { signal } = this.#stop;
    const patch = { type: 'merge', body: { status: readyStatus() } } as const;
    for (let done = false; !done && !signal.aborted; ) {
      done = await this.#client.patch(pods, ref, patch, { subresource: 'status', signal }).then(
        () => true,
        (error) => isApiError(error, 'NotFound'),
      );
    }
  }
}

/** What kubelets write about a pod whose container runs. */
function readyStatus(): object {
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
  const digest = `sha256:${'4f'.repeat(32)}`;
  return {
    phase: 'Running',
    startTime: now,
    podIP: '10.0.0.1',
    podIPs: [{ ip: '10.0.0.1' }],
    qosClass: 'BestEffort',
    conditions: types.map((type) => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: now })),
    containerStatuses: [
      {
        name: 'app',
        image: 'app:v1',
        imageID: `registry.example/app@${digest}`,
        containerID: `containerd://${'7a'.repeat(32)}`,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: now } },
      },
    ],
  };
}
