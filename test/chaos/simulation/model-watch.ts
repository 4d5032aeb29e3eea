// One watch of a simulated process: in order, as late as the network makes it, with an end after the time asked for and a
// bookmark shortly before it, and the ends that the weather brings. What was there comes first where the reader asks for it, as of now; a reader
// that accepts any version (resourceVersion 0) may be shown the past.

import type { WatchEvent, WatchOptions } from '../../../src/runtime/client/options.ts';
import type { ApiError } from '../../../src/runtime/errors.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import type { ApiServer, Commit } from './api-server.ts';
import type { Cuttable, Network } from './network.ts';
import { selects } from './selection.ts';
import type { ProcessClock } from './virtual-time.ts';

export interface WatchSurroundings {
  readonly server: ApiServer;
  readonly network: Network;
  readonly clock: ProcessClock;
}

/** As the API server has it; its other bookmarks are a minute apart, which is longer than a watch of ours lasts. */
const BOOKMARK_BEFORE_END_MS = 2_000;
const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' };

export class ModelWatch<T extends KubeObject> implements Cuttable {
  readonly plural: string;
  readonly #around: WatchSurroundings;
  readonly #selects: (object: KubeObject) => boolean;
  readonly #waiting: WatchEvent<T>[] = [];
  readonly #unsubscribe: () => void;
  #end: 'open' | 'ended' | ApiError = 'open';
  #isSilent = false;
  #wake: () => void = () => {};
  /** Nothing is shown before what came before it. */
  #shownAt = 0;

  constructor(around: WatchSurroundings, resource: Resource<T>, options: WatchOptions) {
    this.#around = around;
    this.plural = resource.plural;
    const { server, network, clock } = around;
    this.#selects = selects(options, network.filtersShards);
    const from = this.#begin(resource, options);
    for (const commit of server.since(resource, from)) this.#show(commit);
    this.#unsubscribe = server.watch(resource, (commit) => this.#show(commit));
    network.open.add(this);
    options.signal?.addEventListener('abort', () => this.#finish('ended'));
    if (options.signal?.aborted) this.#finish('ended');
    const lastsMs = (options.timeoutSeconds ?? 300) * 1000;
    clock.after(lastsMs - BOOKMARK_BEFORE_END_MS, () => this.#bookmark());
    clock.after(lastsMs, () => this.cut(undefined));
  }

  async *events(): AsyncGenerator<WatchEvent<T>, void, void> {
    try {
      for (;;) {
        for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) yield event;
        if (this.#end === 'ended') return;
        if (this.#end !== 'open') throw this.#end;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#close();
    }
  }

  cut(error: ApiError | undefined): void {
    if (!this.#isSilent) this.#finish(error ?? 'ended');
  }

  silence(): void {
    this.#isSilent = true;
  }

  #finish(end: 'ended' | ApiError): void {
    if (this.#end === 'open') this.#end = end;
    this.#close();
    this.#wake();
  }

  /** Shows what there is, if that is asked for; returns the version from which changes follow. */
  #begin(resource: Resource<T>, { sendInitialEvents, resourceVersion }: WatchOptions): number {
    const { server, network } = this.#around;
    if (!sendInitialEvents) return Number(resourceVersion ?? server.version);
    const version = resourceVersion === '0' ? server.version - network.chance.between(0, 30) : server.version;
    for (const object of server.listAt(resource, version)) {
      if (this.#selects(object)) this.#waiting.push({ type: 'ADDED', object });
    }
    this.#waiting.push(bookmark(version, INITIAL_EVENTS_END));
    return version;
  }

  #show({ type, object }: Commit): void {
    const { network, clock } = this.#around;
    if (clock.isKilled) this.#close();
    else if (this.#selects(object)) this.#deliver({ type, object: object as T }, network.shownAt(this.plural));
  }

  #deliver(event: WatchEvent<T>, at: number): void {
    const { clock, network } = this.#around;
    this.#shownAt = Math.max(this.#shownAt, at);
    clock.after(this.#shownAt - network.now, () => {
      if (this.#end !== 'open' || this.#isSilent) return;
      this.#waiting.push(event);
      this.#wake();
    });
  }

  /** Says how far the watch has come, once everything before has been shown. */
  #bookmark(): void {
    const { server, network } = this.#around;
    if (this.#end === 'open') this.#deliver(bookmark(server.version), network.shownAt(this.plural));
  }

  #close(): void {
    this.#unsubscribe();
    this.#around.network.open.delete(this);
  }
}

function bookmark(version: number, annotations?: Readonly<Record<string, string>>): WatchEvent<never> {
  return {
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: String(version), ...(annotations && { annotations }) } },
  };
}
