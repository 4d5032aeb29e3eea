// Turns a source into one that holds all of its mutants, each of which a number switches on while the program runs:
//
//   if (a < b) return c;      ->   if ((__mutant(7) ? (a <= b) : a < b)) return c;
//
// So a program is built once for all mutants, and what a test reaches is known from the numbers that it asks for.

import type { Edit } from './operators.ts';
import { type Place, placesIn } from './places.ts';
import { fromBytes, parse, type Span, toBytes } from './syntax.ts';

export interface Mutant {
  readonly id: number;
  readonly file: string;
  /** Of the first character that differs, from 1. */
  readonly line: number;
  /** The name of the function, method or constant that it is in. */
  readonly within: string;
  /** The lines that differ, with spaces in place of line breaks. */
  readonly before: string;
  readonly after: string;
  /** The change, in bytes of the source. */
  readonly edit: Edit;
}

export interface MutatedSource {
  readonly text: string;
  readonly mutants: readonly Mutant[];
}

type NumberedEdit = Edit & { readonly id: number };

/** Where mutants are switched. */
interface Site extends Place {
  readonly edits: readonly NumberedEdit[];
}

/** The source with all of its mutants, which are numbered from `firstId` on. */
export function mutateSource(file: string, source: string, firstId: number): MutatedSource {
  const bytes = toBytes(source);
  let id = firstId;
  const sites = placesIn(parse(source), bytes).map(
    (place): Site => ({ ...place, edits: place.edits.map((edit) => ({ ...edit, id: id++ })) }),
  );
  const mutants = sites.flatMap(({ within, edits }) =>
    edits.map((edit): Mutant => ({ id: edit.id, file, within, edit, ...linesOf(bytes, edit) })),
  );
  return { text: fromBytes(render(bytes, { start: 0, end: bytes.length }, sites)), mutants };
}

/** The source as the mutant has it. */
export function textOfMutant(source: string, { edit }: Mutant): string {
  const bytes = toBytes(source);
  return fromBytes(applied(bytes, { start: 0, end: bytes.length }, edit));
}

/** The text of a span in which the sites are switches. Sites come in the order of the text, outer before inner ones. */
function render(bytes: string, { start, end }: Span, sites: readonly Site[]): string {
  const parts: string[] = [];
  let position = start;
  for (let next = 0; next < sites.length; ) {
    const site = sites[next] as Site;
    const inner = sites.slice(next + 1).filter((each) => each.start < site.end);
    parts.push(bytes.slice(position, site.start), switched(bytes, site, render(bytes, site, inner)));
    position = site.end;
    next += 1 + inner.length;
  }
  return [...parts, bytes.slice(position, end)].join('');
}

function switched(bytes: string, site: Site, original: string): string {
  if (site.what === 'statement') return `{ if (!__mutant(${site.edits[0]?.id})) ${original} }`; // in braces for an else
  const variants = site.edits.map((edit) => `__mutant(${edit.id}) ? (${applied(bytes, site, edit)}) : `);
  return `(${variants.join('')}${original})`;
}

function applied(bytes: string, { start, end }: Span, edit: Edit): string {
  return bytes.slice(start, edit.start) + edit.put + bytes.slice(edit.end, end);
}

/** The lines that an edit changes. */
function linesOf(bytes: string, edit: Edit): Pick<Mutant, 'line' | 'before' | 'after'> {
  const start = bytes.lastIndexOf('\n', edit.start) + 1;
  const newline = bytes.indexOf('\n', edit.end);
  const lines = { start, end: newline === -1 ? bytes.length : newline };
  const shown = (text: string): string => fromBytes(text).replaceAll(/\s+/g, ' ').trim();
  return {
    line: bytes.slice(0, edit.start).split('\n').length,
    before: shown(bytes.slice(lines.start, lines.end)),
    after: shown(applied(bytes, lines, edit)),
  };
}
