import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../src/runtime/errors.ts';
import { toPlain } from '../../../src/runtime/logging/values.ts';

describe('toPlain', () => {
  it.each([
    { name: 'text', value: 'a', plain: 'a' },
    { name: 'numbers', value: 1.5, plain: 1.5 },
    { name: 'no number', value: Number.NaN, plain: 'NaN' },
    { name: 'infinity', value: Number.NEGATIVE_INFINITY, plain: '-Infinity' },
    { name: 'booleans', value: false, plain: false },
    { name: 'null', value: null, plain: null },
    { name: 'undefined', value: undefined, plain: 'undefined' },
    { name: 'bigints', value: 12345678901234567890n, plain: '12345678901234567890' },
    { name: 'symbols', value: Symbol('s'), plain: 'Symbol(s)' },
    { name: 'functions', value: function reconcile() {}, plain: '[function reconcile]' },
    { name: 'dates', value: new Date(0), plain: '1970-01-01T00:00:00.000Z' },
    { name: 'maps', value: new Map([['a', new Set([1, 2])]]), plain: { a: [1, 2] } },
    { name: 'lists', value: [1, [undefined]], plain: [1, ['undefined']] },
    { name: 'objects, without what is not there', value: { a: { b: 1 }, c: undefined }, plain: { a: { b: 1 } } },
    { name: 'objects without prototype', value: Object.assign(Object.create(null), { a: 1 }), plain: { a: 1 } },
  ])('shows $name', ({ value, plain }) => {
    expect(toPlain(value)).toEqual(plain);
  });

  it('shows an error with its causes, its own fields and its stack', () => {
    const cause = new ApiError('Conflict', 'update pods ns/a: Conflict', { code: 409 });
    const plain = toPlain(new Error('cannot release pod', { cause }));
    expect(plain).toMatchObject({
      name: 'Error',
      message: 'cannot release pod',
      stack: expect.stringContaining('values.test.ts'),
      cause: { name: 'ApiError', message: 'update pods ns/a: Conflict', reason: 'Conflict', code: 409 },
    });
  });

  it('shows the errors that were gathered in one', () => {
    const plain = toPlain(new AggregateError([new Error('one'), 'two'], 'both failed'));
    expect(plain).toMatchObject({ name: 'AggregateError', errors: [{ message: 'one' }, 'two'] });
  });

  it('cuts off cycles of objects, of causes, and of what toJSON gives', () => {
    const object: Record<string, unknown> = { name: 'a' };
    object.self = { inside: object };
    expect(toPlain(object)).toEqual({ name: 'a', self: { inside: '[circular]' } });
    const error = new Error('loop');
    error.cause = error;
    expect(toPlain(error)).toMatchObject({ message: 'loop', cause: '[circular]' });
    const odd = { toJSON: () => odd };
    expect(toPlain(odd)).toBe('[circular]');
  });

  it('shows something twice that is there twice without a cycle', () => {
    const shared = { a: 1 };
    expect(toPlain([shared, shared])).toEqual([shared, shared]);
  });

  it('cuts off what is nested too deeply', () => {
    const nested = Array.from({ length: 100 }).reduce<object>((inside) => ({ inside }), {});
    expect(JSON.stringify(toPlain(nested))).toBe(`${'{"inside":'.repeat(8)}"[too deep]"${'}'.repeat(8)}`);
  });

  it('survives values that fight back', () => {
    const value = {
      get trap() {
        throw new Error('no');
      },
    };
    expect(toPlain(value)).toBe('[cannot be shown: no]');
  });
});
