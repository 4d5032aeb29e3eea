// Turns changes in the cluster into calls of a reconcile function. What a reconcile may rely on is written in
// result.ts, what happens after it in workers.ts.
//
// Guarantees
// - Workers begin when every source shows all that was there when the controller was started, by a consistent read. So a
//   replica that is elected, and starts its controllers then, plans nothing before it knows its predecessor's last write.
// - A key that a restart replays is reconciled after keys with live changes.
// - After a stop nothing new is begun. What is running may end until `kill` aborts; then its signal is aborted.

import { setImmediate } from 'node:timers/promises';
import { aborted } from '../abort.ts';
import { type Clock, monotonicClock, type WallClock, wallClock } from '../clock.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Phase, Runnable } from '../manager/runnable.ts';
import type { KubeObject } from '../object.ts';
import type { RateLimiter } from '../queue/back-off.ts';
import { LOW_PRIORITY, WorkQueue } from '../queue/queue.ts';
import type { Resource } from '../resource.ts';
import { type ControllerObservers, silentObservers } from './observer.ts';
import { type PaceOf, Pacer } from './pacer.ts';
import type { Predicate } from './predicates.ts';
import type { Reconcile } from './result.ts';
import * as sources from './sources.ts';
import { Workers } from './workers.ts';

/** What a controller is called, what it calls, and with how many workers. */
export interface ControllerOptions {
  /** Names the controller in logs and metrics. */
  readonly name: string;
  readonly reconcile: Reconcile;
  /** False for keys that another replica reconciles. @default all keys are for this one */
  readonly concerns?: (key: string) => boolean;
  /** How many keys are reconciled at the same time. @default 1 */
  readonly workers?: number;
  /** After this time a reconcile's signal is aborted and its worker takes the next key. @default no limit */
  readonly timeoutMs?: number;
  /** The least time between reconciles of one key; the first few are not delayed. @default 0 */
  readonly paceMs?: number | PaceOf;
  /** How long failed keys back off. @default 5 ms to 1000 s */
  readonly limiter?: RateLimiter;
  /** What a worker waits for between two reconciles. @default a turn of the event loop */
  readonly breathe?: () => Promise<unknown>;
  readonly clock?: Clock;
  /** What the dates of `checkAgainAt` are compared with. */
  readonly wallNow?: WallClock;
  readonly log?: Logger;
  readonly metrics?: ControllerObservers;
}

/** Calls a reconcile function with the keys of objects that have changed. */
export class Controller implements Runnable {
  readonly name: string;
  readonly phase: Phase = 'leader';
  readonly #log: Logger;
  readonly #queue: WorkQueue;
  readonly #workers: Workers;
  readonly #pacer: Pacer;
  readonly #concerns: (key: string) => boolean;
  readonly #subscriptions: sources.Subscription[] = [];
  #kind: Resource | undefined;
  #started = false;

  constructor(options: ControllerOptions) {
    const { name, reconcile, timeoutMs, limiter, workers: count = 1, breathe = setImmediate } = options;
    const { clock = monotonicClock, wallNow = wallClock, log = silentLogger, metrics = silentObservers } = options;
    if (!Number.isInteger(count) || count < 1) {
      throw new Error(`controller ${name}: workers must be a whole number from 1, got ${count}`);
    }
    this.name = name;
    this.#concerns = options.concerns ?? (() => true);
    this.#log = log.with({ controller: name });
    const queue = new WorkQueue({ clock, observer: metrics.queue(name), ...(limiter && { limiter }) });
    this.#queue = queue;
    const observer = metrics.reconciles(name, count);
    const { paceMs = 0 } = options;
    const pacer = new Pacer(clock, typeof paceMs === 'number' ? () => paceMs : paceMs);
    this.#pacer = pacer;
    const paced: Reconcile = (key, context) => pacer.run(key, () => reconcile(key, context));
    const work = { count, reconcile: paced, timeoutMs, breathe };
    this.#workers = new Workers({ ...work, queue, observer, clock, wallNow, log: this.#log });
  }

  /** The kind whose objects this controller reconciles. */
  for<T extends KubeObject>(source: sources.Source<T>, ...predicates: readonly Predicate<T>[]): this {
    if (this.#kind !== undefined) {
      throw new Error(
        `controller ${this.name} is for ${this.#kind.kind}, it cannot also be for ${source.resource.kind}`,
      );
    }
    this.#kind = source.resource;
    return this.watches(source, sources.ownKey, ...predicates);
  }

  /** Objects that the kind given to `for` makes: a change reconciles the owner that controls them. */
  owns<T extends KubeObject>(source: sources.Source<T>, ...predicates: readonly Predicate<T>[]): this {
    if (this.#kind === undefined) throw new Error(`controller ${this.name}: say what it is for before what it owns`);
    return this.watches(source, sources.keyOfOwner(this.#kind), ...predicates);
  }

  /** Any other objects that matter: `map` says which keys to reconcile when one has changed. */
  watches<T extends KubeObject>(
    source: sources.Source<T>,
    map: sources.MapToKeys<T>,
    ...predicates: readonly Predicate<T>[]
  ): this {
    this.#subscriptions.push(sources.subscription(source, map, predicates));
    return this;
  }

  /** Works until `stop` aborts and what is running has ended, or until `kill` aborts. */
  async start(stop: AbortSignal, kill: AbortSignal = new AbortController().signal): Promise<void> {
    if (this.#started) throw new Error(`controller ${this.name} has been started before`);
    this.#started = true;
    const ended = new AbortController();
    const killed = aborted(kill, ended.signal);
    const stopped = Promise.race([aborted(stop, ended.signal), killed]);
    const unsubscribe = this.#subscribe();
    try {
      const working = (await this.#caughtUp(stopped)) ? this.#workers.run() : undefined;
      await stopped;
      await Promise.race([Promise.all([this.#queue.stop(), working]), killed]);
    } finally {
      unsubscribe();
      ended.abort();
      this.#workers.abort(kill.reason);
    }
  }

  #subscribe(): () => void {
    const ends = this.#subscriptions.map((each) => each.start((key, freshness) => this.#enqueue(key, freshness)));
    return () => {
      for (const end of ends) end();
    };
  }

  /** False when the controller was stopped first. */
  async #caughtUp(stopped: Promise<void>): Promise<boolean> {
    const caughtUp = Promise.all(this.#subscriptions.map((each) => each.catchUp()));
    const isReady = await Promise.race([caughtUp.then(() => true), stopped.then(() => false)]);
    if (isReady) this.#log.info('sources have synced, workers start');
    return isReady;
  }

  #enqueue(key: string, freshness: sources.Freshness): void {
    if (!this.#concerns(key)) return;
    if (freshness === 'replayed') this.#queue.add(key, LOW_PRIORITY);
    else this.#queue.addPaced(key, this.#pacer.delayOf(key));
  }
}
