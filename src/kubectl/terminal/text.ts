// Text that may carry colours: how wide a terminal shows it, how to cut it, how to put it into columns. Wide characters
// (Chinese, emoji) take two columns, combining ones none: `string-width` knows which.

import stringWidth from 'string-width';

const ESC = '\u001b';
/** The codes that style.ts writes. */
const COLOUR = new RegExp(`(${ESC}\\[\\d+m)`);

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How many columns the text takes up. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** The text, no wider than `width`: cut where it has to be, with its colours closed. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 0) return '';
  let room = width - 1;
  let kept = '';
  for (const piece of pieces(text)) {
    if (piece.startsWith(ESC)) kept += piece;
    else {
      room -= widthOf(piece);
      if (room >= 0) kept += piece;
    }
  }
  return `${kept}…`;
}

/** Colour codes, and between them single characters as people count them. */
function pieces(text: string): string[] {
  return text
    .split(COLOUR)
    .flatMap((part) => (part.startsWith(ESC) ? [part] : [...characters.segment(part)].map(({ segment }) => segment)));
}

/** The text with blanks after it until it is `width` wide. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Rows as lines, every column as wide as its widest cell, three blanks between them as kubectl has them. */
export function table(rows: readonly (readonly string[])[], gap = 3): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, (widths[column] as number) + gap))
      .join('')
      .trimEnd(),
  );
}
