import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../src/runtime/errors.ts';
import { toPlain } from '../../../src/runtime/logging/values.ts';

/** A hundred errors, in each of which are a hundred errors, … */
function nestedErrors(depth: number): Error {
  const inside = depth === 0 ? [] : Array.from({ length: 100 }, (_, at) => (at < 3 ? nestedErrors(depth - 1) : at));
  return new AggregateError(inside, 'x'.repeat(2_000));
}

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

  it('shows the first three of many errors, and counts the others', () => {
    const errors = Array.from({ length: 500 }, (_, index) => new Error(`pod ${index}`));
    expect(toPlain(new AggregateError(errors, '500 writes failed'))).toMatchObject({
      message: '500 writes failed',
      errors: [{ message: 'pod 0' }, { message: 'pod 1' }, { message: 'pod 2' }],
      moreErrors: 497,
    });
    expect(toPlain(new AggregateError(errors.slice(0, 3), 'three'))).not.toHaveProperty('moreErrors');
    expect(toPlain(new AggregateError(errors.slice(0, 4), 'four'))).toMatchObject({ moreErrors: 1 });
  });

  it('cuts long texts, and says how much is missing', () => {
    expect(toPlain({ text: 'x'.repeat(1_000_000) })).toEqual({
      text: expect.stringMatching(/^x{4000,4096}… \(\d+ more bytes\)$/),
    });
  });

  it.each([
    { name: 'a long text', value: 'x'.repeat(1_000_000) },
    { name: 'many texts', value: Array.from({ length: 10_000 }, () => 'x'.repeat(1_000)) },
    { name: 'many numbers', value: Array.from({ length: 1_000_000 }, () => 0.1 + 0.2) },
    { name: 'many lists', value: Array.from({ length: 1_000_000 }, () => []) },
    { name: 'many entries', value: Object.fromEntries(Array.from({ length: 100_000 }, (_, key) => [key, key])) },
    { name: 'a long key', value: { ['x'.repeat(1_000_000)]: 1 } },
    { name: 'a map', value: new Map(Array.from({ length: 100_000 }, (_, key) => [`key ${key}`, { key }])) },
    { name: 'errors in errors', value: nestedErrors(6) },
  ])('has a bound: $name', ({ value }) => {
    expect(JSON.stringify(toPlain(value)).length).toBeLessThan(40_000);
  });

  it('has 4 KiB for a text, and 16 KiB for all of a value', () => {
    expect(toPlain('x'.repeat(4_096))).toBe('x'.repeat(4_096));
    expect(toPlain('x'.repeat(4_097))).toMatch(/^x+… \(\d+ more bytes\)$/);
    // Four times 4,080 and 16 for the item: nothing is left.
    const full = Array.from({ length: 4 }, () => 'x'.repeat(4_080));
    expect(toPlain(full)).toEqual(full);
    expect(toPlain([...full, 'a', 'b'])).toEqual([...full, '[2 more]']);
    // One byte is left, and a text is still shown.
    const almost = ['x'.repeat(4_079), ...full.slice(1)];
    expect(toPlain([...almost, 'a'.repeat(64), 'b'])).toEqual([...almost, 'a'.repeat(64), '[1 more]']);
    expect(toPlain([...almost, 'a'.repeat(65)])).toEqual([
      ...almost,
      expect.stringMatching(/^a+… \(\d+ more bytes\)$/),
    ]);
  });

  it('shows entries in their order, and says how many it leaves out', () => {
    // A key of one byte each.
    const full = Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, 'x'.repeat(4_079)]));
    expect(Object.entries(toPlain(full) as object)).toEqual(Object.entries(full));
    expect(toPlain({ ...full, e: 1, f: 2 })).toEqual({ ...full, '[more]': 2 });
    const almost = { ...full, d: 'x'.repeat(4_078) };
    expect(toPlain({ ...almost, e: 1, f: 2 })).toEqual({ ...almost, e: 1, '[more]': 1 });
  });

  it('says how many items it leaves out', () => {
    const plain = toPlain(Array.from({ length: 10_000 }, (_, index) => index)) as unknown[];
    expect(plain.at(-1)).toBe(`[${10_000 - (plain.length - 1)} more]`);
    expect(Object.entries(toPlain({ ...plain, ...Array(5_000).fill(1) }) as object).at(-1)?.[0]).toBe('[more]');
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
