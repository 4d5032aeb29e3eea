// `workqueue_*`: how many keys wait, for how long, and how long they take. Unfinished work is computed at each scrape,
// so that a stuck reconcile is visible while it is stuck.

import { Counter, exponentialBuckets, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { ControllerObservers } from '../controller/observer.ts';
import { type Instant, msBetween } from '../instant.ts';
import type { QueueObserver } from '../queue/observer.ts';

/** 10 ns to 1000 s. */
const SECONDS = exponentialBuckets(1e-8, 10, 12);

type Families = ReturnType<typeof families>;

export function workqueueMetrics(registry: Registry, clock: Clock): ControllerObservers['queue'] {
  const queues = new Map<string, ObservedQueue>();
  const all = families(registry, queues);
  return (name) => {
    const queue = new ObservedQueue(name, all, clock);
    queues.set(name, queue);
    return queue;
  };
}

class ObservedQueue implements QueueObserver {
  readonly #labels: { readonly name: string; readonly controller: string };
  readonly #families: Families;
  readonly #clock: Clock;
  readonly #addedAt = new Map<string, Instant>();
  readonly #takenAt = new Map<string, Instant>();

  constructor(name: string, all: Families, clock: Clock) {
    this.#labels = { name, controller: name };
    this.#families = all;
    this.#clock = clock;
    all.adds.inc(this.#labels, 0);
    all.retries.inc(this.#labels, 0);
    all.depth.set({ ...this.#labels, priority: '0' }, 0);
    all.queueDuration.zero(this.#labels);
    all.workDuration.zero(this.#labels);
  }

  added(key: string, priority: number): void {
    this.#families.adds.inc(this.#labels);
    this.#families.depth.inc({ ...this.#labels, priority });
    this.#addedAt.set(key, this.#clock.now());
  }

  raised(_key: string, from: number, to: number): void {
    this.#families.depth.dec({ ...this.#labels, priority: from });
    this.#families.depth.inc({ ...this.#labels, priority: to });
  }

  taken(key: string, priority: number): void {
    this.#families.depth.dec({ ...this.#labels, priority });
    this.#families.queueDuration.observe(this.#labels, this.#secondsSince(this.#addedAt.get(key)));
    this.#addedAt.delete(key);
    this.#takenAt.set(key, this.#clock.now());
  }

  finished(key: string): void {
    this.#families.workDuration.observe(this.#labels, this.#secondsSince(this.#takenAt.get(key)));
    this.#takenAt.delete(key);
  }

  delayed(): void {
    this.#families.retries.inc(this.#labels);
  }

  /** How long each key in work has been so until now. */
  report(): void {
    const seconds = [...this.#takenAt.values()].map((takenAt) => this.#secondsSince(takenAt));
    this.#families.unfinished.set(
      this.#labels,
      seconds.reduce((sum, each) => sum + each, 0),
    );
    this.#families.longest.set(this.#labels, Math.max(0, ...seconds));
  }

  #secondsSince(time: Instant | undefined): number {
    return time === undefined ? 0 : msBetween(time, this.#clock.now()) / 1000;
  }
}

function families(registry: Registry, queues: ReadonlyMap<string, ObservedQueue>) {
  const registers = [registry];
  const labelNames = ['name', 'controller'] as const;
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, labelNames, registers, buckets: SECONDS });
  const collect = (): void => {
    for (const queue of queues.values()) queue.report();
  };
  return {
    depth: new Gauge({
      name: 'workqueue_depth',
      help: 'Keys that wait, by priority',
      labelNames: [...labelNames, 'priority'],
      registers,
    }),
    adds: new Counter({ name: 'workqueue_adds_total', help: 'Keys added', labelNames, registers }),
    retries: new Counter({
      name: 'workqueue_retries_total',
      help: 'Keys added with a delay: after a failure, or to be looked at again',
      labelNames,
      registers,
    }),
    queueDuration: histogram('workqueue_queue_duration_seconds', 'How long a key waits until it is worked on'),
    workDuration: histogram('workqueue_work_duration_seconds', 'How long work on a key takes'),
    unfinished: new Gauge({
      name: 'workqueue_unfinished_work_seconds',
      help: 'How long all keys in work have been so, added up; grows steadily when something is stuck',
      labelNames,
      registers,
      collect,
    }),
    longest: new Gauge({
      name: 'workqueue_longest_running_processor_seconds',
      help: 'How long the longest work has been going on',
      labelNames,
      registers,
      collect,
    }),
  };
}
