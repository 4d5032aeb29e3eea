// An API server that knows Leases: optimistic concurrency as the real one has it, watches that a test can hold back, and requests
// that it can refuse, or carry out without answering.

import type { Change } from '../../../src/runtime/cache/informer.ts';
import { type Clock, sleep } from '../../../src/runtime/clock.ts';
import { ApiError, type ApiFailure } from '../../../src/runtime/errors.ts';
import type { Lease } from '../../../src/runtime/leader-election/lease.ts';
import type { ShardsOptions } from '../../../src/runtime/shards/shards.ts';

export type Fault = 'none' | 'refuse' | 'loseAnswer' | 'hang';

interface Options {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly resourceVersion?: string;
}

type Handler = (change: Change<Lease>) => void;

/** The watch of one process. */
interface Watch {
  readonly who: string;
  readonly tell: Handler;
  readonly held: Change<Lease>[];
}

export class LeaseStore {
  readonly #clock: Clock;
  readonly leases = new Map<string, Lease>();
  /** Asked once a request. */
  fault: (who: string, lease: string) => Fault = () => 'none';
  /** True while this process sees nothing new. */
  isBlind: (who: string) => boolean = () => false;
  /** False for a server that loses the race of two writers. */
  checksVersions = true;
  #version = 0;
  readonly #watches = new Set<Watch>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  clientOf(who: string): ShardsOptions['client'] {
    const request = async <R>(lease: string, { signal, timeoutMs }: Options, act: () => R): Promise<R> => {
      const fault = this.fault(who, lease);
      if (fault === 'refuse') throw failure('Connection');
      if (fault === 'hang') return this.#hang(timeoutMs ?? 60_000, signal);
      const answer = act();
      if (fault === 'loseAnswer') throw failure('Connection');
      return structuredClone(answer);
    };
    // The verbs are generic over the kind of object; this server has only one kind.
    return {
      get: (_: unknown, { name }: { name: string }, options: Options = {}) =>
        request(name, options, () => this.#existing(name)),
      create: (_: unknown, lease: Lease, options: Options = {}) =>
        request(lease.metadata.name, options, () => this.#create(lease)),
      update: (_: unknown, lease: Lease, options: Options = {}) =>
        request(lease.metadata.name, options, () => this.#update(lease)),
      delete: (_: unknown, { name }: { name: string }, options: Options = {}) =>
        request(name, options, () => this.#delete(name, options.resourceVersion)),
    } as unknown as ShardsOptions['client'];
  }

  /** What of an informer shards need. */
  informerOf(who: string): ShardsOptions['leases'] {
    return {
      synced: Promise.resolve(),
      onChange: (tell) => {
        const watch: Watch = { who, tell, held: [] };
        for (const object of this.leases.values()) tell({ type: 'added', object, initial: true });
        this.#watches.add(watch);
        return () => this.#watches.delete(watch);
      },
      run: (signal) =>
        new Promise((resolve) => {
          if (signal.aborted) resolve();
          else signal.addEventListener('abort', () => resolve(), { once: true });
        }),
    };
  }

  /** Delivers what watches have been holding back, as far as their processes see again. */
  deliver(): void {
    for (const { who, tell, held } of this.#watches) {
      if (!this.isBlind(who)) for (const change of held.splice(0)) tell(change);
    }
  }

  async #hang(timeoutMs: number, signal: AbortSignal | undefined): Promise<never> {
    await sleep(this.#clock, timeoutMs, signal).catch(() => {});
    throw failure(signal?.aborted ? 'Aborted' : 'Timeout');
  }

  #existing(name: string): Lease {
    const lease = this.leases.get(name);
    if (lease === undefined) throw failure('NotFound');
    return lease;
  }

  #create(lease: Lease): Lease {
    if (this.leases.has(lease.metadata.name)) throw failure('AlreadyExists');
    return this.#store(lease, 'added');
  }

  #update(lease: Lease): Lease {
    const { resourceVersion } = this.#existing(lease.metadata.name).metadata;
    if (this.checksVersions && lease.metadata.resourceVersion !== resourceVersion) throw failure('Conflict');
    return this.#store(lease, 'updated');
  }

  #delete(name: string, resourceVersion: string | undefined): Lease {
    const lease = this.#existing(name);
    if (resourceVersion !== undefined && resourceVersion !== lease.metadata.resourceVersion) throw failure('Conflict');
    this.leases.delete(name);
    this.#tell({ type: 'deleted', object: lease, initial: false });
    return lease;
  }

  #store(lease: Lease, type: 'added' | 'updated'): Lease {
    const stored = structuredClone({
      ...lease,
      metadata: { ...lease.metadata, resourceVersion: `${++this.#version}` },
    });
    const old = this.leases.get(stored.metadata.name) ?? stored;
    this.leases.set(stored.metadata.name, stored);
    this.#tell(
      type === 'added' ? { type, object: stored, initial: false } : { type, object: stored, old, initial: false },
    );
    return stored;
  }

  #tell(change: Change<Lease>): void {
    for (const { held } of this.#watches) held.push(change);
    // In a later turn, as an event comes beside the answer.
    setImmediate(() => this.deliver());
  }
}

function failure(reason: ApiFailure): ApiError {
  return new ApiError(reason, `lease: ${reason}`);
}
