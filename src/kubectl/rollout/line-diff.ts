// The difference of two texts, line by line, in the unified form: what went, what came, and the lines around.

export interface DiffLine {
  readonly sign: ' ' | '-' | '+' | '@';
  readonly text: string;
}

const CONTEXT = 3;

/** The changed lines with their surroundings; nothing when the texts are equal. */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lines = align(before, after);
  const near = lines.map((_, index) => lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(isChange));
  return lines.flatMap((line, index) => {
    if (!near[index]) return [];
    const begins = index === 0 || !near[index - 1];
    return begins ? [{ sign: '@', text: placeOf(lines, index) } as const, line] : [line];
  });
}

function isChange({ sign }: DiffLine): boolean {
  return sign !== ' ';
}

/** Where a piece begins: the key that it is indented under says more than a line number. */
function placeOf(lines: readonly DiffLine[], index: number): string {
  const indent = (text: string): number => text.length - text.trimStart().length;
  const start = indent(lines[index]?.text ?? '');
  const parent = lines.slice(0, index).findLast(({ sign, text }) => sign !== '+' && indent(text) < start);
  return parent?.text.trim() ?? '';
}

/** All lines of both, in an order in which as many as possible stay. */
function align(before: readonly string[], after: readonly string[]): DiffLine[] {
  const common = longestCommon(before, after);
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, young] = [before[row], after[column]];
    if (row < before.length && old === young) {
      lines.push({ sign: ' ', text: old as string });
      [row, column] = [row + 1, column + 1];
    } else if (
      column >= after.length ||
      (row < before.length && at(common, row + 1, column) >= at(common, row, column + 1))
    ) {
      lines.push({ sign: '-', text: old as string });
      row += 1;
    } else {
      lines.push({ sign: '+', text: young as string });
      column += 1;
    }
  }
  return lines;
}

/** For each pair of places, how many lines the rests from there on have in common. */
function longestCommon(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const same = before[row] === after[column];
      const longest = same
        ? at(lengths, row + 1, column + 1) + 1
        : Math.max(at(lengths, row + 1, column), at(lengths, row, column + 1));
      (lengths[row] as number[])[column] = longest;
    }
  }
  return lengths;
}

function at(lengths: readonly (readonly number[])[], row: number, column: number): number {
  return lengths[row]?.[column] ?? 0;
}
