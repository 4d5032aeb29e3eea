// The difference of two texts, line by line, in the unified form: what went, what came, and the lines around. A piece is
// introduced by the YAML key that it is indented under, which no library does.

import { diffArrays } from 'diff';

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
  return diffArrays([...before], [...after]).flatMap(({ value, added, removed }) => {
    const sign = added ? '+' : removed ? '-' : ' ';
    return value.map((text): DiffLine => ({ sign, text }));
  });
}
