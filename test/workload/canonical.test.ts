import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonical, canonicalJson, sameMeaning } from '../../src/workload/canonical.ts';

describe('the canonical form', () => {
  it.each([
    { name: 'sorts keys at every depth', value: { b: { d: 1, c: 2 }, a: 3 }, text: '{"a":3,"b":{"c":2,"d":1}}' },
    { name: 'keeps the order of lists', value: { args: ['b', 'a'] }, text: '{"args":["b","a"]}' },
    { name: 'drops nulls', value: { creationTimestamp: null, name: 'web' }, text: '{"name":"web"}' },
    { name: 'drops what is undefined', value: { x: undefined, name: 'web' }, text: '{"name":"web"}' },
    { name: 'drops empty lists', value: { command: [], image: 'web' }, text: '{"image":"web"}' },
    {
      name: 'drops empty maps that mean nothing',
      value: { labels: {}, resources: {}, name: 'a' },
      text: '{"name":"a"}',
    },
    {
      name: 'drops what is empty once its nulls are gone',
      value: { metadata: { creationTimestamp: null } },
      text: '{}',
    },
    { name: 'keeps an empty object that is a choice', value: { emptyDir: {} }, text: '{"emptyDir":{}}' },
    { name: 'keeps false, 0 and empty text', value: { a: false, b: 0, c: '' }, text: '{"a":false,"b":0,"c":""}' },
    { name: 'goes into lists', value: [{ b: null, a: 1 }, 'x', null], text: '[{"a":1},"x",null]' },
  ])('$name', ({ value, text }) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each([
    'annotations',
    'labels',
    'limits',
    'matchLabels',
    'metadata',
    'nodeSelector',
    'overhead',
    'requests',
    'resources',
  ])('takes empty %s for none', (key) => {
    expect(canonicalJson({ [key]: {}, name: 'a' })).toBe('{"name":"a"}');
  });

  it('is its own canonical form, and does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(canonical(value))).toBe(text);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(sameMeaning(value, reversed(value))).toBe(true);
      }),
    );
  });
});

it('is equal for exactly those values that have the same meaning', () => {
  const leaf = fc.constantFrom<unknown>(null, undefined, 0, '', 'a', true);
  const key = fc.constantFrom('metadata', 'labels', 'emptyDir', 'args', 'constructor', 'a');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value'), { maxLength: 2 }), tie('object')),
    object: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  }));
  const isSame = (one: unknown, other: unknown) => canonicalJson([one]) === canonicalJson([other]);
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.dictionary(key, value), (one, other) => {
      expect(sameMeaning(one, other)).toBe(isSame(one, other));
      // These differ in a few members only, which often mean nothing.
      const fuller = { ...other, ...one };
      expect(sameMeaning(fuller, one)).toBe(isSame(fuller, one));
      expect(sameMeaning({ a: fuller }, { a: one })).toBe(isSame({ a: fuller }, { a: one }));
    }),
    { numRuns: 2_000 },
  );
});

it('tells a list from an object with the same members', () => {
  expect(sameMeaning(['a'], { 0: 'a' })).toBe(false);
  expect(sameMeaning({ 0: 'a' }, ['a'])).toBe(false);
});

describe('deployment_util_test.go TestEqualIgnoreHash, and what a rollout must not miss', () => {
  const web = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };

  it.each([
    { name: 'another order of keys', other: { spec: web.spec, metadata: web.metadata }, same: true },
    { name: 'a null timestamp', other: { ...web, metadata: { ...web.metadata, creationTimestamp: null } }, same: true },
    { name: 'empty resources', other: withContainer({ resources: {} }), same: true },
    { name: 'an empty list of arguments', other: withContainer({ args: [] }), same: true },
    { name: 'another image', other: withContainer({ image: 'web:2' }), same: false },
    { name: 'one more container', other: withContainers(web.spec.containers[0], { name: 'b' }), same: false },
    { name: 'no container', other: withContainers(), same: false },
    { name: 'another label', other: { ...web, metadata: { labels: { app: 'api' } } }, same: false },
    { name: 'one more label', other: { ...web, metadata: { labels: { app: 'web', tier: 'a' } } }, same: false },
    { name: 'an annotation', other: { ...web, metadata: { ...web.metadata, annotations: { a: '1' } } }, same: false },
    { name: 'a volume of no particular kind', other: { ...web, spec: { ...web.spec, hostUsers: false } }, same: false },
    { name: 'a selector of all pods', other: withContainer({ labelSelector: {} }), same: false },
  ])('$name: same meaning is $same', ({ other, same }) => {
    expect(sameMeaning(web, other)).toBe(same);
  });

  function withContainers(...containers: unknown[]) {
    return { ...web, spec: { containers } };
  }

  function withContainer(fields: object) {
    return { ...web, spec: { containers: [{ ...web.spec.containers[0], ...fields }] } };
  }
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const);
  return Object.fromEntries(entries.reverse());
}
