// Text that may carry colours: how wide it is, how to cut it, how to put it into columns.

const ESC = '\u001b';
/** The codes that style.ts writes. */
const COLOUR = new RegExp(`${ESC}\\[\\d+m`, 'g');
const COLOUR_OR_LETTER = new RegExp(`${ESC}\\[\\d+m|.`, 'gu');

/** How many columns the text takes up. */
export function widthOf(text: string): number {
  return [...text.replace(COLOUR, '')].length;
}

/** The text, no wider than `width`: cut where it has to be, with its colours closed. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let room = Math.max(0, width - 1);
  let kept = '';
  for (const [piece] of text.matchAll(COLOUR_OR_LETTER)) {
    if (piece.startsWith(ESC)) kept += piece;
    else if (room > 0) {
      kept += piece;
      room -= 1;
    }
  }
  return width > 0 ? `${kept}…` : '';
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
