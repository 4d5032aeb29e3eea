// The mutations that are tried: for each sort of expression, the small mistakes that a programmer makes in it. Each is an
// edit of the text. Two sorts are left out. What the compiler refuses, such as `a` for `a ?? b` or `a.b` for `a?.b`, needs no
// test. Prose (a text with a space in it) stays as it is: tests need not repeat every message.

import { isNode, nodeIn, type Span, type SyntaxNode, textOf } from './syntax.ts';

/** Puts a text in the place of a span. */
export interface Edit extends Span {
  readonly put: string;
}

type Operator = (node: SyntaxNode, bytes: string) => readonly Edit[];

/** By type of node. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  BinaryExpression: mutateBinary,
  ConditionalExpression: (node, bytes) => [
    { ...node.span, put: textOf(bytes, nodeIn(node, 'consequent').span) },
    { ...node.span, put: textOf(bytes, nodeIn(node, 'alternate').span) },
  ],
  UnaryExpression: ({ span, operator }) =>
    operator === '!' || operator === '-' ? [{ start: span.start, end: span.start + 1, put: '' }] : [],
  UpdateExpression: ({ span, operator }, bytes) => [
    { ...span, put: textOf(bytes, span).replace(String(operator), operator === '++' ? '--' : '++') },
  ],
  AssignmentExpression: (node, bytes) => swapOperator(node, bytes, { '+=': ['-='], '-=': ['+='], '*=': ['/='] }),
  // Not after a minus sign: that is another number already when the sign is gone.
  NumericLiteral: ({ span, value }, bytes) =>
    bytes.charAt(span.start - 1) === '-' ? [] : [{ ...span, put: String(Number(value) + 1) }],
  StringLiteral: ({ span, value }) => (isProse(value) ? [] : [{ ...span, put: value === '' ? "'mutant'" : "''" }]),
  TemplateLiteral: ({ span }, bytes) => (isProse(textOf(bytes, span)) ? [] : [{ ...span, put: "''" }]),
  BooleanLiteral: ({ span, value }) => [{ ...span, put: String(!value) }],
  RegExpLiteral: ({ span, pattern }) => [
    ...(String(pattern).startsWith('^') ? [{ start: span.start + 1, end: span.start + 2, put: '' }] : []),
    ...(String(pattern).endsWith('$') ? [endOfPattern(span, String(pattern))] : []),
  ],
  ArrayExpression: ({ elements }) => spansOf(elements).map((span) => ({ ...span, put: '...[]' })),
  ObjectExpression: ({ properties }) => spansOf(properties).map((span) => ({ ...span, put: '...{}' })),
  CallExpression: mutateCall,
};

/** What can be mutated in this node itself, without the nodes in it. */
export function mutationsOf(node: SyntaxNode, bytes: string): readonly Edit[] {
  return OPERATORS[node.type]?.(node, bytes) ?? [];
}

const BINARY: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
};

const SIDES: Readonly<Record<string, readonly string[]>> = {
  '&&': ['left', 'right'],
  '||': ['left', 'right'],
  '??': ['right'],
};

function mutateBinary(node: SyntaxNode, bytes: string): readonly Edit[] {
  // One side alone: shows that each of them counts.
  const sides = SIDES[String(node.operator)];
  if (sides === undefined) return swapOperator(node, bytes, BINARY);
  return sides.map((side) => ({ ...node.span, put: textOf(bytes, nodeIn(node, side).span) }));
}

function swapOperator(node: SyntaxNode, bytes: string, swaps: typeof BINARY): readonly Edit[] {
  const operator = String(node.operator);
  const start = bytes.indexOf(operator, nodeIn(node, 'left').span.end);
  return (swaps[operator] ?? []).map((put) => ({ start, end: start + operator.length, put }));
}

/** Methods that a chain works without, though wrongly. */
const DROPPED = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim']);

const SWAPPED: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['find', 'findLast'],
  ['findLast', 'find'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['round', 'floor'],
  ['push', 'unshift'],
  ['unshift', 'push'],
  ['shift', 'pop'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['toLowerCase', 'toUpperCase'],
  ['toUpperCase', 'toLowerCase'],
]);

function mutateCall({ span, callee }: SyntaxNode): readonly Edit[] {
  const member = memberOf(callee);
  const property = member?.property;
  if (member === undefined || !isNode(property) || property.type !== 'Identifier') return [];
  const name = String(property.value);
  const swapped = SWAPPED.get(name);
  return [
    ...(DROPPED.has(name) ? [{ start: nodeIn(member, 'object').span.end, end: span.end, put: '' }] : []),
    ...(swapped === undefined ? [] : [{ ...property.span, put: swapped }]),
  ];
}

/** The member that is called, as in `a.b()` and `a?.b()`. */
function memberOf(callee: unknown): SyntaxNode | undefined {
  if (!isNode(callee)) return undefined;
  if (callee.type === 'OptionalChainingExpression') return memberOf(callee.base);
  return callee.type === 'MemberExpression' ? callee : undefined;
}

/** The spans of the elements of an array or the properties of an object, spreads included. */
function spansOf(items: unknown): readonly Span[] {
  return (items as readonly (Item | null)[]).flatMap((item) => (item === null ? [] : [spanOf(item)]));
}

interface Item {
  readonly span?: Span;
  readonly spread?: Span | null;
  readonly expression?: SyntaxNode;
  readonly arguments?: SyntaxNode;
  readonly key?: SyntaxNode;
  readonly value?: SyntaxNode | string;
}

function spanOf({ span, spread, expression, arguments: spreaded, key, value }: Item): Span {
  if (span !== undefined) return span;
  const first = spread ?? key?.span ?? expression?.span;
  const last = expression?.span ?? spreaded?.span ?? (isNode(value) ? value.span : undefined);
  if (first === undefined || last === undefined) throw new Error('an element or a property without a place');
  return { start: first.start, end: last.end };
}

function endOfPattern({ start }: Span, pattern: string): Edit {
  const end = start + 1 + pattern.length;
  return { start: end - 1, end, put: '' };
}

function isProse(text: unknown): boolean {
  return String(text).includes(' ');
}
