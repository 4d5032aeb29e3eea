import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LineSplitter } from '../../../src/runtime/client/lines.ts';

function split(text: string, cuts: readonly number[]): { lines: string[]; pending: number } {
  const splitter = new LineSplitter();
  const bytes = Buffer.from(text);
  const edges = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const lines: string[] = [];
  let start = 0;
  for (const end of [...edges, bytes.length]) {
    for (const line of splitter.push(bytes.subarray(start, end))) lines.push(line.toString('utf8'));
    start = end;
  }
  return { lines, pending: splitter.pending };
}

describe('lines', () => {
  it('are the same however the bytes are cut, inside characters too', () => {
    const text = fc.array(fc.string({ unit: fc.constantFrom('a', '"', 'ü', '漢', '😀', '\n') }), { maxLength: 8 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (parts, cuts) => {
        const whole = parts.join('');
        const expected = whole.split('\n');
        const rest = expected.pop() ?? '';
        const { lines, pending } = split(whole, cuts);
        expect(lines).toEqual(expected.filter((line) => line !== ''));
        expect(pending).toBe(Buffer.byteLength(rest));
      }),
    );
  });

  it('of many small pieces are joined once', () => {
    const long = 'x'.repeat(100_000);
    const everyByte = Array.from({ length: 100_000 }, (_, at) => at);
    expect(split(`${long}\n`, everyByte).lines).toEqual([long]);
  });
});
