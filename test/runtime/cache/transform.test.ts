import { describe, expect, it } from '@jest/globals';
import { deepFreeze } from '../../../src/runtime/cache/transform.ts';

describe('freezing', () => {
  it('reaches every object and array inside', () => {
    const object = deepFreeze({ a: { b: [{ c: 1 }, null] } });
    expect(() => Object.assign(object.a.b[0] as object, { c: 2 })).toThrow(TypeError);
    expect(() => object.a.b.push(null)).toThrow(TypeError);
    expect(object).toEqual({ a: { b: [{ c: 1 }, null] } });
  });
});
