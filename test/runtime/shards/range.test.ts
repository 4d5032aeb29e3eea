import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fnv1a64 } from '../../../src/runtime/shards/hash.ts';
import { belongsTo, containsNamespace, rangesOf, shardSelectorOf } from '../../../src/runtime/shards/range.ts';

/** Straight from the definition. */
function bigIntFnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text, 'utf8')) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) % 2n ** 64n;
  return hash;
}

describe('the hash of a namespace', () => {
  // The first seven are published with the algorithm.
  it.each([
    ['', 0xcbf29ce484222325n],
    ['a', 0xaf63dc4c8601ec8cn],
    ['b', 0xaf63df4c8601f1a5n],
    ['fo', 0x08985907b541d342n],
    ['foo', 0xdcb27518fed9d577n],
    ['foob', 0xdd120e790c2512afn],
    ['foobar', 0x85944171f73967e8n],
  ])('of %j is as published', (text, hash) => {
    expect(fnv1a64(text)).toBe(hash);
  });

  it('is that of the definition for any text, in UTF-8', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => fnv1a64(text) === bigIntFnv1a64(text)));
  });
});

describe('ranges', () => {
  it('are written as the API server reads them', () => {
    expect(rangesOf(1).map(shardSelectorOf)).toEqual([
      "shardRange(object.metadata.namespace,'0x0000000000000000','0x10000000000000000')",
    ]);
    expect(rangesOf(4).map(shardSelectorOf)).toEqual([
      "shardRange(object.metadata.namespace,'0x0000000000000000','0x4000000000000000')",
      "shardRange(object.metadata.namespace,'0x4000000000000000','0x8000000000000000')",
      "shardRange(object.metadata.namespace,'0x8000000000000000','0xc000000000000000')",
      "shardRange(object.metadata.namespace,'0xc000000000000000','0x10000000000000000')",
    ]);
  });

  it('cover every hash exactly once, however many there are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), (count) => {
        const ranges = rangesOf(count);
        expect(ranges[0]?.start).toBe(0n);
        expect(ranges.at(-1)?.end).toBe(2n ** 64n);
        expect(ranges.slice(1).map(({ start }) => start)).toEqual(ranges.slice(0, -1).map(({ end }) => end));
        const sizes = ranges.map(({ start, end }) => end - start - 2n ** 64n / BigInt(count));
        expect(sizes.every((more) => more === 0n || more === 1n)).toBe(true);
      }),
    );
  });

  it('put each namespace into one of them', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), (namespace, count) => {
        expect(rangesOf(count).filter((range) => containsNamespace(range, namespace))).toHaveLength(1);
      }),
    );
  });

  it('include their start and exclude their end', () => {
    const start = fnv1a64('web');
    expect(containsNamespace({ start, end: start + 1n }, 'web')).toBe(true);
    expect(containsNamespace({ start: start - 1n, end: start }, 'web')).toBe(false);
  });

  it('have every object without a namespace', () => {
    const node = { metadata: { name: 'n', uid: 'u', resourceVersion: '1' } };
    expect(rangesOf(3).map((range) => belongsTo(range, node))).toEqual([true, true, true]);
  });

  it.each([0, -1, 1.5, Number.NaN])('are refused for %d shards', (count) => {
    expect(() => rangesOf(count)).toThrow(`shards must be a whole number from 1, got ${count}`);
  });
});
