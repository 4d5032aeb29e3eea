// Turns a source into one that holds all of its mutants, each of which a number switches on while the program runs:
//
//   if (a < b) return c;      ->   if ((__mutant(7) ? (a <= b) : a < b)) return c;
//
// So a program is built once for all mutants, and what a test reaches is known from the numbers that it asks for.

import { type Edit, mutationsOf } from './operators.ts';
import { fromBytes, isNode, parse, type Span, type SyntaxNode, toBytes } from './syntax.ts';

export interface Mutant {
  readonly id: number;
  readonly file: string;
  /** Of the first character that differs, from 1. */
  readonly line: number;
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

/** An expression that can be another one, or a statement that can be left out. */
interface Place extends Span {
  readonly what: 'expression' | 'statement';
  readonly edits: readonly Edit[];
}

type NumberedEdit = Edit & { readonly id: number };

/** Where mutants are switched. */
interface Site extends Place {
  readonly edits: readonly NumberedEdit[];
}

/** The source with all of its mutants, which are numbered from `firstId` on. */
export function mutateSource(file: string, source: string, firstId: number): MutatedSource {
  const bytes = toBytes(source);
  const found = new Map<string, Place>();
  visit(parse(source), { bytes, add: (place) => addTo(found, place) });
  let id = firstId;
  const sites = [...found.values()]
    .sort((one, other) => one.start - other.start || other.end - one.end)
    .map((place): Site => ({ ...place, edits: place.edits.map((edit) => ({ ...edit, id: id++ })) }));
  const mutants = sites.flatMap(({ edits }) => edits.map((edit) => mutantOf(file, bytes, edit)));
  return { text: fromBytes(render(bytes, { start: 0, end: bytes.length }, sites)), mutants };
}

/** The source as the mutant has it. */
export function textOfMutant(source: string, { edit }: Mutant): string {
  const bytes = toBytes(source);
  return fromBytes(applied(bytes, { start: 0, end: bytes.length }, edit));
}

/** One switch serves all nodes that cover the same text. */
function addTo(found: Map<string, Place>, place: Place): void {
  const key = `${place.start}-${place.end}`;
  found.set(key, { ...place, edits: [...(found.get(key)?.edits ?? []), ...place.edits] });
}

interface Visitor {
  readonly bytes: string;
  readonly add: (place: Place) => void;
}

/** Fields with what is erased before a program runs, with names, and with targets of assignments. */
const PASSED_OVER: Readonly<Record<string, readonly string[]>> = {
  '*': [
    'span',
    'typeAnnotation',
    'typeParameters',
    'typeParams',
    'typeArguments',
    'returnType',
    'implements',
    'superTypeParams',
  ],
  AssignmentExpression: ['left'],
  UpdateExpression: ['argument'],
  ForOfStatement: ['left'],
  TaggedTemplateExpression: ['template'],
};

/** In a chain such as `a?.b.c()`, what comes before the last link cannot be put in parentheses. */
const LINKS: Readonly<Record<string, string>> = {
  MemberExpression: 'object',
  CallExpression: 'callee',
  OptionalChainingExpression: 'base',
  TsNonNullExpression: 'expression',
};

/** Finds the mutants of a node and of all nodes in it. `chain` is the place of the chain that the node is a link of. */
function visit(node: SyntaxNode, visitor: Visitor, chain?: Span): void {
  if (isErased(node)) return;
  const site = chain ?? node.span;
  const edits = mutationsOf(node, visitor.bytes);
  if (edits.length > 0) visitor.add({ ...site, what: 'expression', edits });
  visitConditions(node, visitor);
  for (const [field, value] of Object.entries(node)) {
    const isName = field === 'key' && isNode(value) && value.type !== 'Computed';
    if (isName || PASSED_OVER['*']?.includes(field) || PASSED_OVER[node.type]?.includes(field)) continue;
    for (const child of nodesIn(value)) visit(child, visitor, LINKS[node.type] === field ? site : undefined);
  }
}

/** What statements add: a condition that always or never holds, a loop over nothing, no statement. */
function visitConditions({ type, span, test, right }: SyntaxNode, { bytes, add }: Visitor): void {
  const values: Readonly<Record<string, readonly [unknown, readonly string[]]>> = {
    IfStatement: [test, ['true', 'false']],
    WhileStatement: [test, ['false']],
    ForStatement: [test, ['false']],
    ForOfStatement: [right, ['[]']],
  };
  const [value, puts = []] = values[type] ?? [];
  if (isNode(value)) add({ ...value.span, what: 'expression', edits: puts.map((put) => ({ ...value.span, put })) });
  if (type !== 'ExpressionStatement' || bytes.startsWith('super(', span.start)) return;
  add({ ...span, what: 'statement', edits: [{ ...span, put: ';' }] });
}

const KEPT_TYPES = new Set(['TsAsExpression', 'TsConstAssertion', 'TsNonNullExpression', 'TsSatisfiesExpression']);

function isErased({ type }: SyntaxNode): boolean {
  const isOfOthers = ['ImportDeclaration', 'ExportAllDeclaration', 'ExportNamedDeclaration'].includes(type);
  return isOfOthers || (type.startsWith('Ts') && !KEPT_TYPES.has(type));
}

/** The nodes in a field: itself, those of a list, or those of an object in between, such as an argument. */
function nodesIn(value: unknown): readonly SyntaxNode[] {
  if (isNode(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(nodesIn);
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

function mutantOf(file: string, bytes: string, edit: NumberedEdit): Mutant {
  const start = bytes.lastIndexOf('\n', edit.start) + 1;
  const newline = bytes.indexOf('\n', edit.end);
  const lines = { start, end: newline === -1 ? bytes.length : newline };
  const shown = (text: string): string => fromBytes(text).replaceAll(/\s+/g, ' ').trim();
  return {
    id: edit.id,
    edit,
    file,
    line: bytes.slice(0, edit.start).split('\n').length,
    before: shown(bytes.slice(lines.start, lines.end)),
    after: shown(applied(bytes, lines, edit)),
  };
}
