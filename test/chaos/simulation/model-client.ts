// The Client of one simulated process: the verbs that controllers and caches use, answered by the model API server over
// the model network. Requests are repeated by the real policy (client/retry.ts). A request that has left arrives whether
// or not its sender still lives; an answer reaches only the living.

import type { Client } from '../../../src/runtime/client/client.ts';
import type {
  DeleteOptions,
  ListOptions,
  ObjectList,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../../../src/runtime/client/options.ts';
import { defaultRetryPolicy, type Repeat, retryDelay } from '../../../src/runtime/client/retry.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { ApiError } from '../../../src/runtime/errors.ts';
import type { KubeObject, Manifest, ObjectRef } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import type { ApiServer } from './api-server.ts';
import { ModelWatch } from './model-watch.ts';
import type { Mishap, Network } from './network.ts';
import type { ProcessClock, VirtualTime } from './virtual-time.ts';

export interface Surroundings {
  readonly time: VirtualTime;
  readonly server: ApiServer;
  readonly network: Network;
}

/** Who sends, and what becomes of them at each write. */
export interface Sender {
  readonly name: string;
  readonly clock: ProcessClock;
  /** Dead for so long that nothing of it is on its way any more. */
  readonly isForgotten: boolean;
  /** Called around each write as it reaches the server; true when the sender dies there. */
  diesAt(moment: 'before' | 'after'): boolean;
}

/** A failed exchange, and whether the server may have seen it. */
interface Failed {
  readonly error: ApiError;
  readonly sent: boolean;
}

type Verb = 'get' | 'list' | 'create' | 'patch' | 'delete';

/** Of the requests on their way when their sender dies, so many never leave its machine. */
const DIES_WITH_SENDER = 0.3;

export class ModelClient {
  readonly #around: Surroundings;
  readonly #sender: Sender;

  constructor(around: Surroundings, sender: Sender) {
    this.#around = around;
    this.#sender = sender;
  }

  /** What the operator is given: it uses no other verbs than these. */
  get asClient(): Client {
    return this as unknown as Client;
  }

  get<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef): Promise<T> {
    return this.#request('get', 'read', () => this.#around.server.get(resource, ref));
  }

  create<T extends KubeObject>(resource: Resource<T>, manifest: Manifest<T>): Promise<T> {
    return this.#request('create', 'once', () => this.#around.server.create(resource, manifest, this.#sender.name));
  }

  patch<T extends KubeObject>(
    resource: Resource<T>,
    ref: ObjectRef,
    patch: Patch,
    { subresource }: WriteOptions = {},
  ): Promise<T> {
    const actor = this.#sender.name;
    return this.#request('patch', repeatOf(patch), () =>
      this.#around.server.patch(resource, ref, patch, { actor, subresource }),
    );
  }

  delete<T extends KubeObject>(
    resource: Resource<T>,
    ref: ObjectRef,
    { uid, resourceVersion }: DeleteOptions = {},
  ): Promise<T | undefined> {
    const preconditions = {
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    };
    return this.#request('delete', uid === undefined ? 'once' : 'repeatable', () =>
      this.#around.server.delete(resource, ref, { ...preconditions, actor: this.#sender.name }),
    );
  }

  list<T extends KubeObject>(resource: Resource<T>, _options?: ListOptions): Promise<ObjectList<T>> {
    const { server } = this.#around;
    return this.#request('list', 'read', () => ({
      metadata: { resourceVersion: String(server.version) },
      items: server.list(resource).map((object) => ({ ...object })),
    }));
  }

  async *pages<T extends KubeObject>(resource: Resource<T>): AsyncGenerator<ObjectList<T>, void, void> {
    yield await this.list(resource);
  }

  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions,
  ): AsyncGenerator<WatchEvent<T>, void, void> {
    const { server, network } = this.#around;
    await this.#exchange('read', undefined, () => {
      if (options.sendInitialEvents && !network.streams) throw new ApiError('Invalid', 'cannot stream', { code: 422 });
    }).catch(({ error }: Failed) => {
      throw error;
    });
    options.onOpen?.();
    yield* new ModelWatch<T>({ server, network, clock: this.#sender.clock }, resource, options).events();
  }

  async #request<R>(verb: Verb, repeat: Repeat, act: () => R): Promise<R> {
    const { clock } = this.#sender;
    const { network } = this.#around;
    for (let number = 1; ; number++) {
      const failed: Failed | { answer: R } = await this.#exchange(repeat, this.#mishapOf(verb, repeat), act).then(
        (answer) => ({ answer }),
        (failure: Failed) => failure,
      );
      if ('answer' in failed) return failed.answer;
      const attempt = { ...failed, repeat, number, eviction: false };
      const delayMs = retryDelay(attempt, defaultRetryPolicy, network.chance.number());
      if (delayMs === undefined) throw failed.error;
      await sleep(clock, delayMs);
    }
  }

  #mishapOf(verb: Verb, repeat: Repeat): Mishap | undefined {
    const mishap = repeat === 'read' ? undefined : this.#around.network.mishap();
    // Only a change of something can come after another change of it.
    return mishap === 'conflict' && verb !== 'patch' ? undefined : mishap;
  }

  /** There and back. Rejects with a `Failed`; never ends for a sender that is dead. */
  #exchange<R>(repeat: Repeat, mishap: Mishap | undefined, act: () => R): Promise<R> {
    const { time, network } = this.#around;
    const { clock } = this.#sender;
    return new Promise((resolve, reject: (failure: Failed) => void) => {
      if (clock.isKilled) return;
      const answer = (settle: () => void): void => {
        clock.after(network.requestDelay(mishap), settle);
      };
      if (network.isDown) return answer(() => reject({ error: noAnswer('refused'), sent: false }));
      time.after(network.requestDelay(mishap), () => {
        if (this.#sender.isForgotten || (clock.isKilled && network.chance.happens(DIES_WITH_SENDER))) return;
        if (repeat !== 'read' && this.#sender.diesAt('before')) return;
        const outcome = perform(mishap, act);
        if (repeat !== 'read' && this.#sender.diesAt('after')) return;
        answer(() => ('failed' in outcome ? reject(outcome.failed) : resolve(outcome.answer)));
      });
    });
  }
}

/** What the server makes of a request, or the weather of its answer. */
function perform<R>(mishap: Mishap | undefined, act: () => R): { answer: R } | { failed: Failed } {
  const refused = refusalBy(mishap);
  if (refused !== undefined) return { failed: { error: refused, sent: true } };
  try {
    const answer = act();
    if (mishap === 'lostAnswer') return { failed: { error: noAnswer('reset'), sent: true } };
    if (mishap === 'failedButDone') return { failed: { error: serverError(504), sent: true } };
    return { answer };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { failed: { error, sent: true } };
  }
}

/** How the server or the network turns a request away before anything is done. */
function refusalBy(mishap: Mishap | undefined): ApiError | undefined {
  switch (mishap) {
    case 'reset':
      return noAnswer('reset');
    case 'tooMany':
      return new ApiError('TooManyRequests', 'too many requests', { code: 429, retryAfterMs: 1000 });
    case 'failed':
      return serverError(500);
    case 'conflict':
      return new ApiError('Conflict', 'somebody was quicker', { code: 409 });
    case undefined:
    case 'lostAnswer':
    case 'failedButDone':
    case 'slow':
      return undefined;
    default:
      return mishap satisfies never;
  }
}

function noAnswer(why: string): ApiError {
  return new ApiError('Connection', `Connection: ${why}`);
}

function serverError(code: number): ApiError {
  return new ApiError(code === 504 ? 'Timeout' : 'ServerError', `${code} from the server`, { code });
}

/** As client/calls.ts has it. */
function repeatOf(patch: Patch): Repeat {
  const { metadata } = patch.body as { metadata?: { resourceVersion?: string } };
  return patch.type !== 'json' && metadata?.resourceVersion !== undefined ? 'repeatable' : 'once';
}
