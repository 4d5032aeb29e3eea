import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Difference, Store } from '../../../src/runtime/cache/store.ts';
import { type KubeObject, keyOf } from '../../../src/runtime/object.ts';

interface Labelled extends KubeObject {
  readonly colours: readonly string[];
}

const byColour = { colour: (object: Labelled) => object.colours };

function failOnIndexError(index: string, _object: Labelled, error: unknown): void {
  throw new Error(`index ${index} failed`, { cause: error });
}

const object: fc.Arbitrary<Labelled> = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c'),
    namespace: fc.constantFrom('x', 'y', undefined),
    uid: fc.constantFrom('u1', 'u2'),
    resourceVersion: fc.integer({ min: 1, max: 6 }).map(String),
    owner: fc.constantFrom('o1', 'o2', undefined),
    colours: fc.uniqueArray(fc.constantFrom('red', 'green', 'blue')),
  })
  .map(({ owner, namespace, colours, ...metadata }) => ({
    metadata: {
      ...metadata,
      ...(namespace === undefined ? {} : { namespace }),
      ...(owner === undefined
        ? {}
        : { ownerReferences: [plainOwner, { ...plainOwner, uid: owner, controller: true }] }),
    },
    colours,
  }));
const plainOwner = { apiVersion: 'v1', kind: 'K', name: 'k', uid: 'not-managing' };

type Step =
  | { readonly do: 'put' | 'delete'; readonly object: Labelled }
  | { readonly do: 'replace'; readonly objects: readonly Labelled[] };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('put' as const, 'delete' as const), object }),
  fc.record({ do: fc.constant('replace' as const), objects: fc.array(object, { maxLength: 5 }) }),
);

const keyed = (objects: readonly Labelled[]): Map<string, Labelled> =>
  new Map(objects.map((each) => [keyOf(each.metadata), each]));

/** What the store should hold after a step, without indexes or differences. */
function naive(before: ReadonlyMap<string, Labelled>, taken: Step): Map<string, Labelled> {
  const after = new Map(before);
  const put = (each: Labelled): void => {
    const key = keyOf(each.metadata);
    if (after.get(key)?.metadata.resourceVersion !== each.metadata.resourceVersion) after.set(key, each);
  };
  if (taken.do === 'put') put(taken.object);
  if (taken.do === 'delete') after.delete(keyOf(taken.object.metadata));
  if (taken.do === 'replace') {
    const next = keyed(taken.objects);
    for (const key of before.keys()) if (!next.has(key)) after.delete(key);
    for (const each of next.values()) put(each);
  }
  return after;
}

function take(store: Store<Labelled>, taken: Step): readonly Difference<Labelled>[] {
  if (taken.do === 'replace') return store.replace(keyed(taken.objects));
  return taken.do === 'put' ? store.put(taken.object) : store.delete(keyOf(taken.object.metadata));
}

/** Somebody who was only told of the differences. */
function follow(seen: Map<string, Labelled>, differences: readonly Difference<Labelled>[]): void {
  for (const difference of differences) {
    const key = keyOf(difference.object.metadata);
    if (difference.type === 'added') expect(seen.has(key)).toBe(false);
    if (difference.type === 'updated') expect(seen.get(key)).toBe(difference.old);
    if (difference.type === 'deleted') expect(seen.delete(key)).toBe(true);
    else seen.set(key, difference.object);
  }
}

const byKey = (objects: Iterable<Labelled>): Labelled[] =>
  [...objects].sort((a, b) => keyOf(a.metadata).localeCompare(keyOf(b.metadata)));

function scan(objects: Iterable<Labelled>, matches: (object: Labelled) => boolean): Labelled[] {
  return byKey([...objects].filter(matches));
}

describe('a store, after any steps', () => {
  it('holds what a plain map would hold, and its differences tell the whole story', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const store = new Store<Labelled>(failOnIndexError);
        let model = new Map<string, Labelled>();
        const seen = new Map<string, Labelled>();
        for (const taken of steps) {
          model = naive(model, taken);
          follow(seen, take(store, taken));
          expect(byKey(store.list())).toEqual(byKey(model.values()));
          expect(byKey(seen.values())).toEqual(byKey(model.values()));
        }
      }),
    );
  });

  it('finds by index what a scan finds, also by indexes that came late', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.nat(20), (steps, late) => {
        const store = new Store<Labelled>(failOnIndexError);
        steps.forEach((taken, at) => {
          if (at === late) store.addIndexes(byColour);
          take(store, taken);
        });
        store.addIndexes(byColour);
        const all = store.list();
        for (const value of ['x', 'y']) {
          expect(byKey(store.byIndex('namespace', value))).toEqual(
            scan(all, (each) => each.metadata.namespace === value),
          );
        }
        for (const value of ['o1', 'o2', 'not-managing']) {
          const owned = (each: Labelled): boolean =>
            each.metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === value) ?? false;
          expect(byKey(store.byIndex('ownerUid', value))).toEqual(scan(all, owned));
        }
        for (const value of ['red', 'green', 'blue']) {
          expect(byKey(store.byIndex('colour', value))).toEqual(scan(all, (each) => each.colours.includes(value)));
        }
      }),
    );
  });
});

describe('differences', () => {
  const made = (uid: string, resourceVersion: string): Labelled => ({
    metadata: { name: 'a', uid, resourceVersion },
    colours: [],
  });

  it('tell of another object under the same name as an end and a beginning', () => {
    const store = new Store<Labelled>(failOnIndexError);
    const [old, next] = [made('u1', '1'), made('u2', '2')];
    store.put(old);
    expect(store.put(next)).toEqual([
      { type: 'deleted', object: old },
      { type: 'added', object: next },
    ]);
  });

  it('tell of what is no longer there in the order in which it came', () => {
    const store = new Store<Labelled>(failOnIndexError);
    const all = ['b', 'a', 'c'].map((name) => ({
      ...made(name, '1'),
      metadata: { ...made(name, '1').metadata, name },
    }));
    for (const each of all) store.put(each);
    expect(store.replace(new Map())).toEqual(all.map((each) => ({ type: 'deleted', object: each })));
  });

  it('tell of the last state of a deleted object, when it is known', () => {
    const store = new Store<Labelled>(failOnIndexError);
    store.put(made('u1', '1'));
    expect(store.delete('a', made('u1', '2'))).toEqual([{ type: 'deleted', object: made('u1', '2') }]);
    expect(store.delete('a', made('u1', '2'))).toEqual([]);
  });
});

describe('indexes', () => {
  it('that nobody made are an error that names those there are', () => {
    const store = new Store<Labelled>(failOnIndexError);
    expect(() => store.byIndex('size', 'big')).toThrow('no index "size"; there are namespace, ownerUid');
  });

  it('of one name must be one function', () => {
    const store = new Store<Labelled>(failOnIndexError);
    store.addIndexes(byColour);
    store.addIndexes(byColour);
    expect(() => store.addIndexes({ colour: () => [] })).toThrow('index "colour" exists with another function');
  });

  it('that throw are reported, and harm nothing else', () => {
    const reported: string[] = [];
    const store = new Store<Labelled>((index, failed) => reported.push(`${index} ${failed.metadata.name}`));
    store.addIndexes({
      broken: () => {
        throw new Error('bug');
      },
    });
    const object = { metadata: { name: 'a', namespace: 'x', uid: 'u', resourceVersion: '1' }, colours: [] };
    store.put(object);
    expect(reported).toEqual(['broken a']);
    expect(store.byIndex('namespace', 'x')).toEqual([object]);
    expect(store.byIndex('broken', 'x')).toEqual([]);
    store.delete('x/a');
    expect(store.byIndex('namespace', 'x')).toEqual([]);
  });
});
