// A source file as a tree of syntax, with positions that index the text. swc counts bytes from 1; the text is therefore
// kept with one character for each byte, so that a position of swc is a position in the text.

import { parseSync } from '@swc/core';

/** Part of a text: from `start` up to, but not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SyntaxNode {
  readonly type: string;
  readonly span: Span;
  readonly [field: string]: unknown;
}

/** The text with one character for each of its bytes. */
export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** The inverse of `toBytes`. */
export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The tree of a TypeScript source. Spans index the bytes of the source. */
export function parse(source: string): SyntaxNode {
  const tree: unknown = parseSync(source, { syntax: 'typescript', target: 'es2024' });
  return JSON.parse(JSON.stringify(tree), (_, value) => (isSpan(value) ? shifted(value) : value)) as SyntaxNode;
}

/** The text that a span covers. */
export function textOf(bytes: string, { start, end }: Span): string {
  return bytes.slice(start, end);
}

/** True of nodes of the tree, false of the lists, spans and values in between. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** The node in this field. Throws when there is none: the caller knows the type of the node. */
export function nodeIn(node: SyntaxNode, field: string): SyntaxNode {
  const child = node[field];
  if (!isNode(child)) throw new Error(`${node.type} has no ${field}`);
  return child;
}

function isSpan(value: unknown): value is Span {
  return typeof (value as Span | null)?.start === 'number' && typeof (value as Span).end === 'number';
}

function shifted({ start, end }: Span): Span {
  return { start: start - 1, end: end - 1 };
}
