// Metrics of objects, as kube-state-metrics has them for native kinds: gauges that are read from the cache at each
// scrape, so that they are never older than the cache and a deleted object leaves no series; and counters and histograms of
// events in the life of objects. The kind bounds the number of series.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

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

export function objectMetrics(registry: Registry): ObjectMetrics {
  const registers = [registry];
  return {
    gauge({ name, help, labels, read }) {
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers,
        collect() {
          this.reset();
          for (const sample of read()) this.set(sample.labels, sample.value);
        },
      });
    },
    counter({ name, help, labels }) {
      const counter = new Counter({ name, help, labelNames: [...labels], registers });
      return (values) => counter.inc(values);
    },
    histogram({ name, help, labels, buckets }) {
      const histogram = new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
      return (values, value) => histogram.observe(values, value);
    },
  };
}
