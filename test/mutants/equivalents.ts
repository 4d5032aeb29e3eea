// The reviewed list of mutants that change nothing that can be seen (equivalents.txt): which they are, and why.

import type { Mutant } from './mutate.ts';

export interface Equivalent extends Pick<Mutant, 'file' | 'within' | 'before' | 'after'> {
  readonly because: string;
}

const HEADING = /^(\S+?\.ts)(?::\d+)?(?: (\S+))?$/;

/** Reads the list. What comes before its first reason is for people. */
export function parseEquivalents(text: string): readonly Equivalent[] {
  const [, ...sections] = `\n${text}`.split('\n# ');
  return sections.flatMap((section) => {
    const [because = '', ...lines] = section.split('\n').filter((line) => line !== '');
    if (lines.length % 3 !== 0) throw new Error(`not a heading, a - and a + for each mutant below: ${because}`);
    return Array.from({ length: lines.length / 3 }, (_, index) => {
      const [heading, before, after] = lines.slice(3 * index) as [string, string, string];
      return { because, ...placeOf(heading), before: textAfter('- ', before), after: textAfter('+ ', after) };
    });
  });
}

/** True when the entry is about this mutant. */
export function fits(entry: Equivalent, { file, within, before, after }: Mutant): boolean {
  return entry.file === file && entry.within === within && entry.before === before && entry.after === after;
}

function placeOf(heading: string): Pick<Equivalent, 'file' | 'within'> {
  const [, file, within = ''] = HEADING.exec(heading) ?? [];
  if (file === undefined) throw new Error(`neither a file nor a reason: ${heading}`);
  return { file, within };
}

function textAfter(mark: '- ' | '+ ', line: string): string {
  if (!line.startsWith(mark)) throw new Error(`wants to begin with "${mark}": ${line}`);
  return line.slice(mark.length);
}
