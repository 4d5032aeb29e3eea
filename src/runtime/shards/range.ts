// The ranges into which the hashes of namespaces are split. They cover every hash exactly once. A range is written as the
// API server reads it in the parameter `shardSelector` of lists and watches (KEP-5866); an API server that does not know the
// parameter returns everything, so a cache applies the range to what it gets, too.

import type { KubeObject } from '../object.ts';
import { fnv1a64 } from './hash.ts';

/** The hashes from `start` up to, and without, `end`. */
export interface ShardRange {
  readonly index: number;
  readonly start: bigint;
  readonly end: bigint;
}

/** Each range has a lease that is renewed every two seconds, and watches of its own. */
export const MOST_SHARDS = 256;

/** How many hashes there are. */
const ALL = 2n ** 64n;

/** Every range that `count` shards have, in order; their sizes differ by one at most. */
export function rangesOf(count: number): ShardRange[] {
  if (!Number.isInteger(count) || count < 1) throw new Error(`shards must be a whole number from 1, got ${count}`);
  const startOf = (index: number): bigint => (ALL * BigInt(index)) / BigInt(count);
  return Array.from({ length: count }, (_, index) => ({ index, start: startOf(index), end: startOf(index + 1) }));
}

/** True when objects of this namespace belong to the range. */
export function containsNamespace({ start, end }: Pick<ShardRange, 'start' | 'end'>, namespace: string): boolean {
  const hash = fnv1a64(namespace);
  return start <= hash && hash < end;
}

/** True for objects of the range's namespaces, and for objects without a namespace, which are not sharded. */
export function belongsTo(range: ShardRange, { metadata: { namespace } }: KubeObject): boolean {
  return namespace === undefined || containsNamespace(range, namespace);
}

/** The range as the API server reads it. */
export function shardSelectorOf({ start, end }: Pick<ShardRange, 'start' | 'end'>): string {
  return `shardRange(object.metadata.namespace,'${hex(start)}','${hex(end)}')`;
}

/** `0x` and 16 digits; 17 for the end of the last range. */
export function hex(bound: bigint): string {
  return `0x${bound.toString(16).padStart(16, '0')}`;
}
