// Numbers as people read them: no more digits than the measurement is worth.

import type { Unit } from './metrics.ts';

/** The number without its unit. */
export function formatted(value: number, unit: Unit): string {
  switch (unit) {
    case 's':
    case 'ms':
      return value.toFixed(value < 10 ? 2 : 1);
    case 'MiB':
      return value.toFixed(0);
    case 'count':
      return Math.round(value).toLocaleString('en-US');
    case 'times':
      return value.toFixed(2);
    default:
      return unit satisfies never;
  }
}
