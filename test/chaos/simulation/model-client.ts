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
import type { Fence } from '../../../src/runtime/client/scope.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { ApiError } from '../../../src/runtime/errors.ts';
import type { KubeObject, Manifest, ObjectRef } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import type { ApiServer } from './api-server.ts';
import { ModelWatch } from './model-watch.ts';
import type { Mishap, Network } from './network.ts';
import { selects } from './selection.ts';
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
  diesAt(moment: 'before' | 'after', resource: Resource): boolean;
}

/** A failed exchange, and whether the server may have seen it. */
interface Failed {
  readonly error: ApiError;
  readonly sent: boolean;
}

type Verb = 'get' | 'list' | 'create' | 'patch' | 'delete';

/** What a request is about, and how the server carries it out. */
interface Request<R> {
  readonly verb: Verb;
  readonly repeat: Repeat;
  readonly resource: Resource;
  readonly act: () => R;
}

/** Of the requests on their way when their sender dies, so many never leave its machine. */
const DIES_WITH_SENDER = 0.3;

export class ModelClient {
  readonly #around: Surroundings;
  readonly #sender: Sender;
  readonly #fences: readonly Fence[];

  constructor(around: Surroundings, sender: Sender, fences: readonly Fence[] = []) {
    this.#around = around;
    this.#sender = sender;
    this.#fences = fences;
  }

  /** As of the real client: no write leaves while a fence is closed, and no answer comes through it. */
  fenced(fence: Fence): ModelClient {
    return new ModelClient(this.#around, this.#sender, [...this.#fences, fence]);
  }

  /** What the operator is given: it uses no other verbs than these. */
  get asClient(): Client {
    return this as unknown as Client;
  }

  get<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef): Promise<T> {
    const act = (): T => this.#around.server.get(resource, ref);
    return this.#request({ verb: 'get', repeat: 'read', resource, act });
  }

  create<T extends KubeObject>(resource: Resource<T>, manifest: Manifest<T>): Promise<T> {
    const act = (): T => this.#around.server.create(resource, manifest, this.#sender.name);
    return this.#request({ verb: 'create', repeat: 'once', resource, act });
  }

  /** Nothing is ever taken out of what is updated here, so it is a patch of the version that it was made from. */
  update<T extends KubeObject>(resource: Resource<T>, manifest: Manifest<T>): Promise<T> {
    const { name = '', namespace = '' } = manifest.metadata;
    return this.patch(resource, { name, namespace }, { type: 'merge', body: manifest });
  }

  patch<T extends KubeObject>(
    resource: Resource<T>,
    ref: ObjectRef,
    patch: Patch,
    { subresource }: WriteOptions = {},
  ): Promise<T> {
    const actor = this.#sender.name;
    const act = (): T => this.#around.server.patch(resource, ref, patch, { actor, subresource });
    return this.#request({ verb: 'patch', repeat: repeatOf(patch), resource, act });
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
    const act = (): T => this.#around.server.delete(resource, ref, { ...preconditions, actor: this.#sender.name });
    return this.#request({ verb: 'delete', repeat: uid === undefined ? 'once' : 'repeatable', resource, act });
  }

  list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const { server, network } = this.#around;
    const act = (): ObjectList<T> => ({
      metadata: { resourceVersion: String(server.version) },
      items: server
        .list(resource)
        .filter(selects(options, network.filtersShards))
        .map((object) => ({ ...object })),
    });
    return this.#request({ verb: 'list', repeat: 'read', resource, act });
  }

  async *pages<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions,
  ): AsyncGenerator<ObjectList<T>, void, void> {
    yield await this.list(resource, options);
  }

  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions,
  ): AsyncGenerator<WatchEvent<T>, void, void> {
    const { server, network } = this.#around;
    const act = (): void => {
      if (options.sendInitialEvents && !network.streams) throw new ApiError('Invalid', 'cannot stream', { code: 422 });
    };
    await this.#exchange({ verb: 'list', repeat: 'read', resource, act }, undefined).catch(({ error }: Failed) => {
      throw error;
    });
    options.onOpen?.();
    yield* new ModelWatch<T>({ server, network, clock: this.#sender.clock }, resource, options).events();
  }

  async #request<R>(request: Request<R>): Promise<R> {
    const { clock } = this.#sender;
    const { network } = this.#around;
    const { repeat } = request;
    const fences = repeat === 'read' ? [] : this.#fences;
    for (let number = 1; ; number++) {
      for (const fence of fences) pass(fence);
      const failed: Failed | { answer: R } = await this.#exchange(request, this.#mishapOf(request)).then(
        (answer) => ({ answer }),
        (failure: Failed) => failure,
      );
      if (fences.some(({ signal }) => signal?.aborted)) throw new ApiError('Aborted', 'Aborted: a fence was closed');
      if ('answer' in failed) return failed.answer;
      const attempt = { ...failed, repeat, number, eviction: false };
      const delayMs = retryDelay(attempt, defaultRetryPolicy, network.chance.number());
      if (delayMs === undefined) throw failed.error;
      await sleep(clock, delayMs);
    }
  }

  #mishapOf({ verb, repeat }: Request<unknown>): Mishap | undefined {
    const mishap = repeat === 'read' ? undefined : this.#around.network.mishap();
    // Only a change of something can come after another change of it.
    return mishap === 'conflict' && verb !== 'patch' ? undefined : mishap;
  }

  /** There and back. Rejects with a `Failed`; never ends for a sender that is dead. */
  #exchange<R>({ repeat, resource, act }: Request<R>, mishap: Mishap | undefined): Promise<R> {
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
        if (repeat !== 'read' && this.#sender.diesAt('before', resource)) return;
        const outcome = perform(mishap, act);
        if (repeat !== 'read' && this.#sender.diesAt('after', resource)) return;
        answer(() => ('failed' in outcome ? reject(outcome.failed) : resolve(outcome.answer)));
      });
    });
  }
}

/** Throws when no write may leave. */
function pass({ signal, gate }: Fence): void {
  try {
    signal?.throwIfAborted();
    gate?.();
  } catch (cause) {
    throw new ApiError('Aborted', `Aborted: ${cause instanceof Error ? cause.message : cause}`, { cause });
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
