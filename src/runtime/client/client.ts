// Every verb of the Kubernetes API for any kind, as raw JSON: what is sent is what was given, what comes back is what
// the server said. Results are typed by the Resource descriptor. Failures are ApiErrors; see retry.ts for what is
// repeated. `fenced` gives a client that stays silent once its owner has lost the right to write.

import { type Clock, monotonicClock } from '../clock.ts';
import { ApiError, type Status } from '../errors.ts';
import type { KubeObject, Manifest, ObjectRef } from '../object.ts';
import type { Resource } from '../resource.ts';
import { ByteStream } from './byte-stream.ts';
import {
  type Addressed,
  createCall,
  deleteCall,
  deleteCollectionCall,
  getCall,
  listCall,
  patchCall,
  updateCall,
  watchCall,
} from './calls.ts';
import type { Connection } from './connection.ts';
import { eventWithoutManagedFields, listWithoutManagedFields } from './managed-fields.ts';
import type { RequestObserver } from './observer.ts';
import type {
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  ObjectList,
  Patch,
  RequestOptions,
  Subresource,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './options.ts';
import { type RateLimit, RateLimiter } from './rate-limit.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry.ts';
import type { Fence } from './scope.ts';
import type { HttpAnswer } from './send.ts';
import { type Call, Transport } from './transport.ts';
import { EventStream } from './watch.ts';

/** Settings of a client. */
export interface ClientOptions {
  /** Used by writes that name none. */
  readonly fieldManager?: string;
  /** For all attempts of a request together. @default 60_000 */
  readonly timeoutMs?: number;
  /** @default defaultRetryPolicy */
  readonly retry?: Partial<RetryPolicy>;
  /** @default none */
  readonly rateLimit?: RateLimit;
  readonly observer?: RequestObserver;
  readonly clock?: Clock;
  /** In [0, 1): spreads retries. */
  readonly random?: () => number;
}

/** A request that no other method makes. */
export interface RawRequest extends RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: HttpAnswer['headers'];
  readonly body: string;
}

/** A client for the server at the other end of this connection; connections are shared, so this costs nothing. */
export function createClient(connection: Connection, options: ClientOptions = {}): Client {
  const clock = options.clock ?? monotonicClock;
  const transport = new Transport({
    connection,
    clock,
    limiter: options.rateLimit === undefined ? undefined : new RateLimiter(options.rateLimit, clock),
    observer: options.observer ?? {},
    retry: { ...defaultRetryPolicy, ...options.retry },
    timeoutMs: options.timeoutMs ?? 60_000,
    random: options.random ?? Math.random,
  });
  return new Client(transport, options.fieldManager, []);
}

/** Every verb of the Kubernetes API, for any kind. */
export class Client {
  readonly #transport: Transport;
  readonly #fieldManager: string | undefined;
  readonly #fences: readonly Fence[];

  /** Use `createClient`. */
  constructor(transport: Transport, fieldManager: string | undefined, fences: readonly Fence[]) {
    this.#transport = transport;
    this.#fieldManager = fieldManager;
    this.#fences = fences;
  }

  /**
   * The same client behind a fence: once its signal aborts, or while its gate throws, no write leaves the process, and
   * writes on their way are given up (ApiError `Aborted`). Reads go on. Fences add up.
   */
  fenced(fence: Fence): Client {
    return new Client(this.#transport, this.#fieldManager, [...this.#fences, fence]);
  }

  get<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef, options?: GetOptions): Promise<T>;
  get<S extends object>(resource: Resource, ref: ObjectRef, options: Subresource<GetOptions>): Promise<S>;
  async get(resource: Resource, ref: ObjectRef, options: GetOptions | Subresource<GetOptions> = {}): Promise<unknown> {
    return this.#read(getCall(resource, ref, options));
  }

  /** One answer: everything, or a page of it when `limit` is given. */
  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const textOf = options.omitManagedFields ? listWithoutManagedFields : wholeText;
    const list = await this.#read<ObjectList<T>>(listCall(resource, options), textOf);
    // An empty list of metadata has null for its items.
    return { ...list, items: list.items ?? [] };
  }

  /** Page after page until the end; `Gone` when a continue token has expired on the way. */
  async *pages<T extends KubeObject>(
    resource: Resource<T>,
    options: ListOptions & { readonly limit: number },
  ): AsyncGenerator<ObjectList<T>, void, void> {
    let page = await this.list(resource, options);
    yield page;
    const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
    while (page.metadata.continue) {
      page = await this.list(resource, { ...rest, continue: page.metadata.continue });
      yield page;
    }
  }

  /** Changes as they happen, until the server ends the stream, the signal aborts or the reader stops reading. */
  async *watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>, void, void> {
    const reading = new AbortController();
    const stop = (): void => reading.abort(options.signal?.reason);
    options.signal?.addEventListener('abort', stop);
    if (options.signal?.aborted) stop();
    const call = watchCall(resource, { ...options, signal: reading.signal });
    const stream = new EventStream<T>(call.title, options.omitManagedFields ? eventWithoutManagedFields : wholeText);
    try {
      await this.#transport.open(call, stream);
      options.onOpen?.();
      yield* stream.events();
    } finally {
      options.signal?.removeEventListener('abort', stop);
      reading.abort();
    }
  }

  create<T extends KubeObject>(resource: Resource<T>, manifest: Manifest<T>, options?: WriteOptions): Promise<T>;
  create<S extends Addressed>(resource: Resource, body: S, options: Subresource<WriteOptions>): Promise<S>;
  async create(resource: Resource, body: Addressed, options: Write = {}): Promise<unknown> {
    return this.#write(createCall(resource, body, this.#managed(options)));
  }

  /** Replaces the object. With a resourceVersion in it, an object that has changed since then is a Conflict. */
  update<T extends KubeObject>(resource: Resource<T>, manifest: Manifest<T>, options?: WriteOptions): Promise<T>;
  update<S extends Addressed>(resource: Resource, body: S, options: Subresource<WriteOptions>): Promise<S>;
  async update(resource: Resource, body: Addressed, options: Write = {}): Promise<unknown> {
    return this.#write(updateCall(resource, body, this.#managed(options)));
  }

  patch<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<T>;
  patch<S extends object>(
    resource: Resource,
    ref: ObjectRef,
    patch: Patch,
    options: Subresource<WriteOptions>,
  ): Promise<S>;
  async patch(resource: Resource, ref: ObjectRef, patch: Patch, options: Write = {}): Promise<unknown> {
    return this.#write(patchCall(resource, ref, patch, this.#managed(options)));
  }

  /** The object as it now is when it must still terminate, undefined when it is gone. */
  async delete<T extends KubeObject>(
    resource: Resource<T>,
    ref: ObjectRef,
    options: DeleteOptions = {},
  ): Promise<T | undefined> {
    const answer = await this.#write<T | Status>(deleteCall(resource, ref, options));
    return 'metadata' in answer && answer.kind !== 'Status' ? (answer as T) : undefined;
  }

  async deleteCollection(resource: Resource, options: DeleteCollectionOptions = {}): Promise<void> {
    await this.#write(deleteCollectionCall(resource, options));
  }

  /** Any path of the server, such as `/readyz`; methods other than GET and HEAD count as writes. */
  async raw(method: string, path: string, { headers, ...request }: RawRequest = {}): Promise<RawAnswer> {
    const isRead = method === 'GET' || method === 'HEAD';
    const call: Call = {
      ...request,
      verb: 'raw',
      method,
      path,
      title: `${method} ${path}`,
      repeat: isRead ? 'read' : 'once',
      ...(headers === undefined ? {} : { headers }),
    };
    const answer = await this.#transport.call(call, isRead ? [] : this.#fences);
    return { ...answer, body: answer.body.toString('utf8') };
  }

  /** The body of a GET as it comes, such as a log that is followed, until it ends or the reader stops reading. */
  async *stream(path: string, options: RequestOptions = {}): AsyncGenerator<Buffer, void, void> {
    const reading = new AbortController();
    const signal = options.signal === undefined ? reading.signal : AbortSignal.any([options.signal, reading.signal]);
    const title = `GET ${path}`;
    const stream = new ByteStream(title);
    try {
      await this.#transport.open(
        { ...options, verb: 'raw', method: 'GET', path, title, repeat: 'read', signal },
        stream,
      );
      yield* stream.chunks();
    } finally {
      reading.abort();
    }
  }

  async #read<R>(call: Call, textOf = wholeText): Promise<R> {
    return decode(call, await this.#transport.call(call, []), textOf);
  }

  async #write<R>(call: Call): Promise<R> {
    return decode(call, await this.#transport.call(call, this.#fences), wholeText);
  }

  #managed(options: Write): Write {
    return options.fieldManager === undefined && this.#fieldManager !== undefined
      ? { ...options, fieldManager: this.#fieldManager }
      : options;
  }
}

type Write = WriteOptions | Subresource<WriteOptions>;

function wholeText(json: Buffer): string {
  return json.toString('utf8');
}

function decode<R>(call: Call, answer: HttpAnswer, textOf: (json: Buffer) => string): R {
  try {
    return JSON.parse(textOf(answer.body));
  } catch (cause) {
    const shown = answer.body.toString('utf8', 0, 100);
    throw new ApiError('Connection', `${call.title}: Connection: ${answer.status} without JSON: ${shown}`, { cause });
  }
}
