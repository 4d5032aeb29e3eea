import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonPatchOperation } from '../../../src/runtime/client/options.ts';
import { jsonPatch } from '../../../src/runtime/webhook/json-patch.ts';
import { applyJsonPatch } from './apply-json-patch.ts';

describe('a JSON patch of the difference', () => {
  it.each<{ name: string; from: unknown; to: unknown; patch: JsonPatchOperation[] }>([
    { name: 'nothing', from: { a: 1 }, to: { a: 1 }, patch: [] },
    { name: 'a new field', from: {}, to: { a: { b: 1 } }, patch: [{ op: 'add', path: '/a', value: { b: 1 } }] },
    {
      name: 'a changed field',
      from: { a: { b: 1 } },
      to: { a: { b: 2 } },
      patch: [{ op: 'replace', path: '/a/b', value: 2 }],
    },
    { name: 'a field gone', from: { a: 1, b: 2 }, to: { b: 2 }, patch: [{ op: 'remove', path: '/a' }] },
    {
      name: 'several of each, in their order',
      from: { a: 1, b: 2, c: 3, d: 4 },
      to: { c: 5, d: 6, e: 7, f: 8 },
      patch: [
        { op: 'remove', path: '/a' },
        { op: 'remove', path: '/b' },
        { op: 'replace', path: '/c', value: 5 },
        { op: 'replace', path: '/d', value: 6 },
        { op: 'add', path: '/e', value: 7 },
        { op: 'add', path: '/f', value: 8 },
      ],
    },
    {
      name: 'null, which is a value',
      from: { a: 1 },
      to: { a: null },
      patch: [{ op: 'replace', path: '/a', value: null }],
    },
    {
      name: 'undefined, which is none',
      from: { a: 1, b: undefined },
      to: { a: undefined },
      patch: [{ op: 'remove', path: '/a' }],
    },
    {
      name: 'a longer list',
      from: [1],
      to: [1, 2, 3],
      patch: [
        { op: 'add', path: '/-', value: 2 },
        { op: 'add', path: '/-', value: 3 },
      ],
    },
    {
      name: 'a shorter list',
      from: [1, 2, 3],
      to: [1],
      patch: [
        { op: 'remove', path: '/2' },
        { op: 'remove', path: '/1' },
      ],
    },
    {
      name: 'an element of a list',
      from: { a: [{ b: 1 }, { b: 2 }] },
      to: { a: [{ b: 1 }, { b: 3 }] },
      patch: [{ op: 'replace', path: '/a/1/b', value: 3 }],
    },
    {
      name: 'a list where an object was',
      from: { a: {} },
      to: { a: [] },
      patch: [{ op: 'replace', path: '/a', value: [] }],
    },
    { name: 'keys with ~ and /', from: {}, to: { 'a/b~c': 1 }, patch: [{ op: 'add', path: '/a~1b~0c', value: 1 }] },
    {
      name: 'keys that every object inherits',
      from: {},
      to: { constructor: 1 },
      patch: [{ op: 'add', path: '/constructor', value: 1 }],
    },
    { name: 'the whole value', from: 1, to: { a: 1 }, patch: [{ op: 'replace', path: '', value: { a: 1 } }] },
  ])('says $name', ({ from, to, patch }) => {
    expect(jsonPatch(from, to)).toEqual(patch);
  });

  // Few keys and values, so that two documents share some of them.
  const key = fc.oneof(
    fc.constantFrom('a', 'b', 'c', 'a/b', '~', '', '0', '-', '__proto__', 'constructor'),
    fc.string(),
  );
  const leaf = fc.oneof(fc.constantFrom(null, true, false, 0, 1, '', 'a'), fc.integer(), fc.string());
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  })).value;

  it('applied to what was, gives what shall be', () => {
    fc.assert(
      fc.property(json, json, (from, to) => {
        expect(applyJsonPatch(from, jsonPatch(from, to))).toEqual(to);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is empty for equal values', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(jsonPatch(value, structuredClone(value))).toEqual([]);
      }),
    );
  });

  it('leaves what it was made from untouched', () => {
    fc.assert(
      fc.property(json, json, (from, to) => {
        const before = structuredClone([from, to]);
        jsonPatch(from, to);
        expect([from, to]).toEqual(before);
      }),
    );
  });
});
