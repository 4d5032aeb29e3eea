// `workqueue_*`: how many keys wait, for how long, and how long they take. Unfinished work is computed at each scrape,
// so that a stuck reconcile is visible while it is stuck.

import { Counter, exponentialBuckets, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import { type Instant, msBetween } from '../instant.ts';
import type { QueueObserver } from '../queue/observer.ts';

/** 10 ns to 1000 s. */
const SECONDS = exponentialBuckets(1e-8, 10, 12);

type Families = ReturnType<typeof families>;

/** Controllers of one name, such as those of several shards, share their series. */
export function workqueueMetrics(
  registry: Registry,
  clock: Clock,
): (controller: string, until?: AbortSignal) => QueueObserver {
  const queues = new Set<ObservedQueue>();
  const all = families(registry, queues);
  return (name, until) => {
    const queue = new ObservedQueue(name, all, clock);
    queues.add(queue);
    until?.addEventListener('abort', () => queues.delete(queue), { once: true });
    return queue;
  };
}

class ObservedQueue implements QueueObserver {
  readonly #labels: { readonly name: string; readonly controller: string };
  readonly #families: Families;
  readonly #clock: Clock;
  readonly #addedAt = new Map<string, Instant>();
  /** How many keys wait, by priority. */
  readonly #depth = new Map<number, number>([[0, 0]]);
  readonly #takenAt = new Map<string, Instant>();

  constructor(name: string, all: Families, clock: Clock) {
    this.#labels = { name, controller: name };
    this.#families = all;
    this.#clock = clock;
    all.adds.inc(this.#labels, 0);
    all.retries.inc(this.#labels, 0);
    all.queueDuration.zero(this.#labels);
    all.workDuration.zero(this.#labels);
  }

  added(key: string, priority: number): void {
    this.#families.adds.inc(this.#labels);
    this.#deepen(priority, 1);
    this.#addedAt.set(key, this.#clock.now());
  }

  raised(_key: string, from: number, to: number): void {
    this.#deepen(from, -1);
    this.#deepen(to, 1);
  }

  taken(key: string, priority: number): void {
    this.#deepen(priority, -1);
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

  /** How many keys wait, into the gauge that this is called for. */
  reportDepth(): void {
    for (const [priority, depth] of this.#depth) this.#families.depth.inc({ ...this.#labels, priority }, depth);
  }

  /** For how long keys are in work, all together. */
  reportUnfinished(): void {
    const seconds = this.#secondsInWork.reduce((sum, each) => sum + each, 0);
    this.#families.unfinished.inc(this.#labels, seconds);
  }

  get longest(): { readonly labels: { readonly name: string; readonly controller: string }; readonly seconds: number } {
    return { labels: this.#labels, seconds: Math.max(0, ...this.#secondsInWork) };
  }

  /** How long each key in work has been so until now. */
  get #secondsInWork(): number[] {
    return [...this.#takenAt.values()].map((takenAt) => this.#secondsSince(takenAt));
  }

  #deepen(priority: number, by: number): void {
    this.#depth.set(priority, (this.#depth.get(priority) ?? 0) + by);
  }

  #secondsSince(time: Instant | undefined): number {
    return time === undefined ? 0 : msBetween(time, this.#clock.now()) / 1000;
  }
}

function families(registry: Registry, queues: ReadonlySet<ObservedQueue>) {
  const registers = [registry];
  const labelNames = ['name', 'controller'] as const;
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, labelNames, registers, buckets: SECONDS });
  return {
    depth: new Gauge({
      name: 'workqueue_depth',
      help: 'Keys that wait, by priority',
      labelNames: [...labelNames, 'priority'],
      registers,
      collect() {
        this.reset();
        for (const queue of queues) queue.reportDepth();
      },
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
      collect() {
        this.reset();
        for (const queue of queues) queue.reportUnfinished();
      },
    }),
    longest: new Gauge({
      name: 'workqueue_longest_running_processor_seconds',
      help: 'How long the longest work has been going on',
      labelNames,
      registers,
      collect() {
        this.reset();
        const sorted = [...queues].map(({ longest }) => longest).sort((a, b) => a.seconds - b.seconds);
        for (const { labels, seconds } of sorted) this.set(labels, seconds);
      },
    }),
  };
}
