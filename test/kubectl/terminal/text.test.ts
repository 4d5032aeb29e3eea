import { describe, expect, it } from '@jest/globals';
import { coloured } from '../../../src/kubectl/terminal/style.ts';
import { cut, table, widthOf } from '../../../src/kubectl/terminal/text.ts';

const ESC = '\u001b[';

describe('text with colours', () => {
  it('is as wide as it looks', () => {
    expect(widthOf(coloured.good('✔ ok'))).toBe(4);
  });

  it.each([
    { text: '部署', width: 4 },
    { text: '🚀', width: 2 },
    { text: 'e\u0301', width: 1 },
    { text: '👩‍👩‍👧', width: 2 },
  ])('"$text" takes $width columns', ({ text, width }) => {
    expect(widthOf(text)).toBe(width);
  });

  it.each([
    { text: 'abcdef', width: 6, is: 'abcdef' },
    { text: 'abcdef', width: 4, is: 'abc…' },
    { text: 'abcdef', width: 1, is: '…' },
    { text: '部署部署', width: 6, is: '部署…' },
    { text: '部署部署', width: 5, is: '部署…' },
    { text: 'a👩‍👩‍👧b', width: 3, is: 'a…' },
    { text: 'abcdef', width: 0, is: '' },
    { text: `${ESC}32mabcdef${ESC}39m`, width: 3, is: `${ESC}32mab${ESC}39m…` },
  ])('"$text" cut to $width', ({ text, width, is }) => {
    expect(cut(text, width)).toBe(is);
  });

  it('stands in columns', () => {
    expect(
      table([
        ['A', 'B'],
        [coloured.bad('long'), 'x'],
      ]),
    ).toEqual(['A      B', `${ESC}31mlong${ESC}39m   x`]);
  });
});
