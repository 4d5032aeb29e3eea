// Reads PromQL as far as our alerts and panels use it, to hold each metric and each label against a scrape. Metrics are
// written with braces there, `name{...}`; a name without them is told, too, so that none goes unseen.

import type { Family } from '../runtime/metrics/exposition.ts';

export interface Used {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** What Prometheus adds when it scrapes. */
const TARGET_LABELS = ['job', 'namespace', 'pod', 'instance'];

const WORDS = ['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring'];

/** The metrics of an expression, each with the labels that are asked of it and those that the result is grouped by. */
export function metricsIn(expression: string): Used[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '));
  const selected = [...expression.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)];
  const bare = expression
    .replaceAll(/[a-zA-Z_:][\w:]*\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, ' ')
    .matchAll(/\b[a-zA-Z_]\w*\b(?!\s*\()/g);
  return [
    ...selected.map(([, metric = '', matchers = '']) => ({
      metric,
      labels: [...grouped, ...[...matchers.matchAll(/(\w+) ?(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)],
    })),
    ...[...bare].flatMap(([metric]) => (WORDS.includes(metric) ? [] : [{ metric, labels: grouped }])),
  ];
}

/** Everything that an expression asks for and a scrape with these families does not have. */
export function unknownIn(expression: string, families: ReadonlyMap<string, Family>): string[] {
  return metricsIn(expression).flatMap(({ metric, labels }) => {
    if (metric === 'up') return [];
    const histogram = families.get(metric.replace(/_(bucket|sum|count)$/, ''));
    const family = families.get(metric) ?? (histogram?.type === 'histogram' ? histogram : undefined);
    if (family === undefined) return [metric];
    const known = [...TARGET_LABELS, ...family.labels, ...(metric.endsWith('_bucket') ? ['le'] : [])];
    return labels.filter((label) => !known.includes(label)).map((label) => `${metric}{${label}}`);
  });
}
