// What kinds tell about their objects, as kube-state-metrics does for native ones: gauges that are read off the cache when
// somebody scrapes, so that they are never older than the cache and an object that is gone leaves nothing behind; and
// histograms of what happens to objects. How many series there may be is for the kind to bound.

import { Gauge, Histogram, type Registry } from 'prom-client';

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
  /** Returns the way to add an observation. */
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
    histogram({ name, help, labels, buckets }) {
      const histogram = new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
      return (values, value) => histogram.observe(values, value);
    },
  };
}
