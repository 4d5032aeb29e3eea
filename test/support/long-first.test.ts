import { expect, it } from '@jest/globals';
import { longFirst } from './long-first.ts';

const files = (...names: readonly string[]) => names.map((name) => ({ path: `/repository/test/${name}.test.ts` }));
const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}-${index}`);

it('starts what takes long before quick unit tests, each group in the order that it came in', () => {
  const order = longFirst(files('a', 'b.cluster', 'generated', 'c', 'd.image', 'kinds/simulation', 'e'));
  expect(order).toEqual(files('b.cluster', 'generated', 'd.image', 'kinds/simulation', 'a', 'c', 'e'));
});

it('starts eight other files between two with a real node, as long as there are any', () => {
  const clusters = many('long', 12).map((name) => `${name}.cluster`);
  const order = longFirst(files(...many('quick', 2), ...clusters, 'one.node', 'two.node', 'three.node'));
  const expected = [
    'one.node',
    ...clusters.slice(0, 8),
    'two.node',
    ...clusters.slice(8),
    'three.node',
    ...many('quick', 2),
  ];
  expect(order).toEqual(files(...expected));
});

it('loses no file', () => {
  expect(longFirst([])).toEqual([]);
  expect(longFirst(files('a'))).toEqual(files('a'));
});
