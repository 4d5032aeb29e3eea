import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { repaint } from '../../../src/kubectl/terminal/screen.ts';

const ESC = '\u001b[';

describe('repainting', () => {
  it('writes only the lines that changed', () => {
    expect(repaint(['a', 'b', 'c'], ['a', 'B', 'c'])).toBe(`${ESC}?2026h${ESC}2;1HB${ESC}K${ESC}?2026l`);
  });

  it('writes nothing when nothing changed', () => {
    expect(repaint(['a'], ['a'])).toBe('');
  });

  it('shows the wanted lines, whatever was there before', () => {
    const lines = fc.array(fc.constantFrom('', 'a', 'bb', 'ccc'), { maxLength: 6 });
    fc.assert(
      fc.property(lines, lines, (shown, wanted) => {
        expect(played(shown, repaint(shown, wanted))).toEqual(trimmed(wanted));
      }),
    );
  });
});

/** A terminal that knows the three codes that repainting needs. */
function played(shown: readonly string[], codes: string): string[] {
  const screen = [...shown];
  let [row, written] = [0, ''];
  for (const code of codes.split(ESC)) {
    const [, place, text = ''] = /^(\d+);1H(.*)$/.exec(code) ?? [];
    if (place !== undefined) row = Number(place) - 1;
    if (code === 'K') screen[row] = written;
    if (code === 'J') screen.length = row;
    written = text;
  }
  return trimmed(Array.from(screen, (line) => line ?? ''));
}

function trimmed(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
