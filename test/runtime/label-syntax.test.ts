import { describe, expect, it } from '@jest/globals';
import { isKey, isLabelValue } from '../../src/runtime/label-syntax.ts';

describe('the key of a label or an annotation', () => {
  it.each([
    'app',
    'App_1.x-y',
    'example.com/team',
    'a.b-c.d/T',
    `${'a'.repeat(63)}`,
    `${'a'.repeat(253)}/${'b'.repeat(63)}`,
  ])('%s', (key) => {
    expect(isKey(key)).toBe(true);
  });

  it.each([
    { name: 'nothing', key: '' },
    { name: 'a space', key: 'a team' },
    { name: 'a line end', key: 'app\n' },
    { name: 'a dash in front', key: '-app' },
    { name: 'a dot at the end', key: 'app.' },
    { name: 'a name too long', key: 'a'.repeat(64) },
    { name: 'an upper-case domain', key: 'Example.com/team' },
    { name: 'an empty domain', key: '/team' },
    { name: 'an empty name', key: 'example.com/' },
    { name: 'two slashes', key: 'a/b/c' },
    { name: 'a domain too long', key: `${'a'.repeat(254)}/${'b'.repeat(63)}` },
  ])('is not $name', ({ key }) => {
    expect(isKey(key)).toBe(false);
  });
});

describe('the value of a label', () => {
  it.each(['', 'a', 'v1.2_3-4', 'A'.repeat(63)])('%p', (value) => {
    expect(isLabelValue(value)).toBe(true);
  });

  it.each(['a b', '-a', 'a.', 'a/b', 'a'.repeat(64), 'a\n', true, 1, undefined])('is not %p', (value) => {
    expect(isLabelValue(value)).toBe(false);
  });
});
