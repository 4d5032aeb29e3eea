import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shorten } from '../../src/runtime/shorten.ts';

const bytesOf = (text: string): number => Buffer.byteLength(text);

describe('a text from elsewhere', () => {
  it.each([
    { name: 'nothing', text: '', longest: 40, short: '' },
    { name: 'as long as it may be', text: 'x'.repeat(40), longest: 40, short: 'x'.repeat(40) },
    { name: 'a byte too long', text: 'x'.repeat(41), longest: 40, short: `${'x'.repeat(21)}… (20 more bytes)` },
    { name: 'long in bytes only', text: 'é'.repeat(21), longest: 40, short: `${'é'.repeat(10)}… (22 more bytes)` },
    { name: 'with no room for a beginning', text: 'x'.repeat(41), longest: 10, short: '… (41 more bytes)' },
    { name: 'of pairs', text: '😀'.repeat(11), longest: 40, short: `${'😀'.repeat(5)}… (24 more bytes)` },
  ])('is cut after its last whole character: $name', ({ text, longest, short }) => {
    expect(shorten(text, longest)).toBe(short);
  });

  it('says with its beginning how much is missing, within the limit', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 40, max: 300 }), (text, longest) => {
        const short = shorten(text, longest);
        expect(bytesOf(short)).toBeLessThanOrEqual(longest);
        if (bytesOf(text) <= longest) return expect(short).toBe(text);
        const [, beginning = '', missing] = /^(.*)… \((\d+) more bytes\)$/su.exec(short) ?? [];
        expect(text.startsWith(beginning)).toBe(true);
        expect(bytesOf(beginning) + Number(missing)).toBe(bytesOf(text));
        expect(short.isWellFormed()).toBe(true);
      }),
    );
  });

  it('has 960 bytes, unless asked otherwise: with what stands before it, an event takes it', () => {
    expect(shorten('x'.repeat(960))).toBe('x'.repeat(960));
    expect(bytesOf(shorten('x'.repeat(961)))).toBeLessThanOrEqual(960);
    expect(bytesOf(shorten('x'.repeat(1_000_000)))).toBeGreaterThan(950);
  });
});
