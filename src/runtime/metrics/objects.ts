// Metrics of objects, as kube-state-metrics has them for native kinds: gauges that are read from the cache at each
// scrape, so that they are never older than the cache and a deleted object leaves no series; and counters and histograms of
// events in the life of objects. The kind bounds the number of series. Where a process works on several shards, each adds to the
// same families.

import { Counter, Gauge, Histogram, type Metric, type Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

interface FamilyOptions {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

export interface ObjectGaugeOptions extends FamilyOptions {
  /** Called at every scrape. */
  readonly read: () => Iterable<Sample>;
}

export interface ObjectHistogramOptions extends FamilyOptions {
  readonly buckets: readonly number[];
}

export interface ObjectMetrics {
  gauge(options: ObjectGaugeOptions): void;
  /** Returns a function that counts an event. */
  counter(options: FamilyOptions): (labels: Labels) => void;
  /** Returns a function that adds an observation. */
  histogram(options: ObjectHistogramOptions): (labels: Labels, value: number) => void;
}

/** The families of a registry; what is registered through `during` is read until its signal aborts. */
export function objectMetrics(registry: Registry): ObjectMetrics & { during(signal: AbortSignal): ObjectMetrics } {
  const registers = [registry];
  const readers = new Map<string, Set<ObjectGaugeOptions['read']>>();
  const once = <M extends Metric>(name: string, create: () => M): M =>
    (registry.getSingleMetric(name) as M | undefined) ?? create();
  const during = (signal?: AbortSignal): ObjectMetrics => ({
    gauge({ name, help, labels, read }) {
      const all = readers.get(name) ?? new Set();
      readers.set(name, all.add(read));
      signal?.addEventListener('abort', () => all.delete(read), { once: true });
      const collect = (gauge: Gauge): void => {
        gauge.reset();
        // Added up: a count of objects comes from every shard, and no two of them know the same object.
        for (const each of all) for (const sample of each()) gauge.inc(sample.labels, sample.value);
      };
      once(
        name,
        () =>
          new Gauge({
            name,
            help,
            labelNames: [...labels],
            registers,
            collect() {
              collect(this);
            },
          }),
      );
    },
    counter({ name, help, labels }) {
      const counter = once(name, () => new Counter({ name, help, labelNames: [...labels], registers }));
      return (values) => counter.inc(values);
    },
    histogram({ name, help, labels, buckets }) {
      const histogram = once(
        name,
        () => new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers }),
      );
      return (values, value) => histogram.observe(values, value);
    },
  });
  return { ...during(), during };
}
