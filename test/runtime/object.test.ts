import { expect, it } from '@jest/globals';
import { keyOf, refOf } from '../../src/runtime/object.ts';

it.each([
  { ref: { namespace: 'default', name: 'web' }, key: 'default/web' },
  { ref: { name: 'node-1' }, key: 'node-1' },
])('$key is the key of $ref, and of nothing else', ({ ref, key }) => {
  expect(keyOf(ref)).toBe(key);
  expect(refOf(key)).toEqual(ref);
});
