import { describe, expect, it } from '@jest/globals';
import type { Family } from '../runtime/metrics/exposition.ts';
import { metricsIn, unknownIn } from './expression.ts';

const families = new Map<string, Family>([
  ['depth', { type: 'gauge', labels: ['name'] }],
  ['wait_seconds', { type: 'histogram', labels: ['name'], buckets: [1] }],
]);

describe('the reader of expressions', () => {
  it.each([
    { expression: 'depth{name="a"} > 1', used: [{ metric: 'depth', labels: ['name'] }] },
    { expression: 'sum by (name, le) (rate(d_bucket{}[5m]))', used: [{ metric: 'd_bucket', labels: ['name', 'le'] }] },
    { expression: 'absent(up{job="x",pod!~"y"} == 1)', used: [{ metric: 'up', labels: ['job', 'pod'] }] },
    {
      expression: 'depth{name="a"} > 1 and deriv(depth[15m]) > 0',
      used: [
        { metric: 'depth', labels: ['name'] },
        { metric: 'depth', labels: [] },
      ],
    },
  ])('finds what $expression is about', ({ expression, used }) => {
    expect(metricsIn(expression)).toEqual(used);
  });

  it.each([
    { expression: 'histogram_quantile(0.9, sum by (name, le) (rate(wait_seconds_bucket{job="x"}[5m])))', unknown: [] },
    { expression: 'sum(deep{name="a"})', unknown: ['deep'] },
    { expression: 'sum(deep)', unknown: ['deep'] },
    { expression: 'depth{nome="a"}', unknown: ['depth{nome}'] },
    { expression: 'sum by (nome) (depth{})', unknown: ['depth{nome}'] },
    { expression: 'depth_count{}', unknown: ['depth_count'] },
    { expression: 'sum by (le) (depth{})', unknown: ['depth{le}'] },
  ])('tells what is not there: $expression', ({ expression, unknown }) => {
    expect(unknownIn(expression, families)).toEqual(unknown);
  });
});
