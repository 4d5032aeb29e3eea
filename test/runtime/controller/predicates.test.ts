import { describe, expect, it } from '@jest/globals';
import type { Change } from '../../../src/runtime/cache/informer.ts';
import {
  and,
  annotationsChanged,
  generationChanged,
  labelsChanged,
  not,
  or,
  resourceVersionChanged,
} from '../../../src/runtime/controller/predicates.ts';
import type { KubeObject, ObjectMeta } from '../../../src/runtime/object.ts';
import { object } from './fake-source.ts';

const ready = { generationChanged, labelsChanged, annotationsChanged, resourceVersionChanged };

function update(old: Partial<ObjectMeta>, now: Partial<ObjectMeta>): Change<KubeObject> {
  return { type: 'updated', old: object(old), object: object(now), initial: false };
}

const updates: readonly { name: string; old: Partial<ObjectMeta>; now: Partial<ObjectMeta>; passes: string[] }[] = [
  { name: 'nothing', old: {}, now: {}, passes: [] },
  {
    name: 'the status',
    old: { generation: 1, resourceVersion: '1' },
    now: { generation: 1, resourceVersion: '2' },
    passes: ['resourceVersionChanged'],
  },
  {
    name: 'the spec',
    old: { generation: 1, resourceVersion: '1' },
    now: { generation: 2, resourceVersion: '2' },
    passes: ['generationChanged', 'resourceVersionChanged'],
  },
  { name: 'a label', old: { labels: { a: '1' } }, now: { labels: { a: '2' } }, passes: ['labelsChanged'] },
  { name: 'the first label', old: {}, now: { labels: { a: '1' } }, passes: ['labelsChanged'] },
  { name: 'the order of labels', old: { labels: { a: '1', b: '2' } }, now: { labels: { b: '2', a: '1' } }, passes: [] },
  { name: 'no labels to none', old: {}, now: { labels: {} }, passes: [] },
  { name: 'an annotation', old: { annotations: { a: '1' } }, now: { annotations: {} }, passes: ['annotationsChanged'] },
];

describe('ready-made predicates', () => {
  it.each(updates)('when $name changed: $passes', ({ old, now, passes }) => {
    const passed = Object.entries(ready).filter(([, predicate]) => predicate(update(old, now)));
    expect(passed.map(([name]) => name)).toEqual(passes);
  });

  it.each(['added', 'deleted'] as const)('all let through what was %s', (type) => {
    for (const predicate of Object.values(ready)) {
      expect(predicate({ type, object: object(), initial: false })).toBe(true);
    }
  });
});

describe('combinations', () => {
  const yes = () => true;
  const no = () => false;
  const change = update({}, {});

  it.each([
    { name: 'and of nothing', predicate: and(), expected: true },
    { name: 'and', predicate: and(yes, yes), expected: true },
    { name: 'and with one no', predicate: and(yes, no), expected: false },
    { name: 'or of nothing', predicate: or(), expected: false },
    { name: 'or with one yes', predicate: or(no, yes), expected: true },
    { name: 'or of noes', predicate: or(no, no), expected: false },
    { name: 'not yes', predicate: not(yes), expected: false },
    { name: 'not no', predicate: not(no), expected: true },
  ])('$name is $expected', ({ predicate, expected }) => {
    expect(predicate(change)).toBe(expected);
  });
});
