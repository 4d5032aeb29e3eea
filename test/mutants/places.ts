// Finds the places in a source at which something can be mutated: expressions that can be another one, and statements that
// can be left out.

import { type Edit, mutationsOf } from './operators.ts';
import { isNode, type Span, type SyntaxNode } from './syntax.ts';

export interface Place extends Span {
  readonly what: 'expression' | 'statement';
  /** The name of the function, method or constant that it is in. */
  readonly within: string;
  readonly edits: readonly Edit[];
}

/** The places in a tree, in the order of the text, outer before inner ones. */
export function placesIn(tree: SyntaxNode, bytes: string): readonly Place[] {
  const found = new Map<string, Place>();
  const add = (place: Place): void => {
    // Nodes that cover the same text are one place.
    const key = `${place.start}-${place.end}`;
    found.set(key, { ...place, edits: [...(found.get(key)?.edits ?? []), ...place.edits] });
  };
  visit(tree, { bytes, within: '', add });
  return [...found.values()].sort((one, other) => one.start - other.start || other.end - one.end);
}

interface Visitor {
  readonly bytes: string;
  readonly within: string;
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
function visit(node: SyntaxNode, outer: Visitor, chain?: Span): void {
  if (isErased(node)) return;
  const visitor = { ...outer, within: outer.within || nameOf(node) };
  const site = chain ?? node.span;
  const edits = mutationsOf(node, visitor.bytes);
  if (edits.length > 0) visitor.add({ ...site, what: 'expression', within: visitor.within, edits });
  visitStatement(node, visitor);
  for (const [field, value] of Object.entries(node)) {
    const isName = field === 'key' && isNode(value) && value.type !== 'Computed';
    if (isName || PASSED_OVER['*']?.includes(field) || PASSED_OVER[node.type]?.includes(field)) continue;
    for (const child of nodesIn(value)) visit(child, visitor, LINKS[node.type] === field ? site : undefined);
  }
}

/** What statements add: a condition that always or never holds, a loop over nothing, no statement. */
function visitStatement({ type, span, test, right }: SyntaxNode, { bytes, within, add }: Visitor): void {
  const values: Readonly<Record<string, readonly [unknown, readonly string[]]>> = {
    IfStatement: [test, ['true', 'false']],
    WhileStatement: [test, ['false']],
    ForStatement: [test, ['false']],
    ForOfStatement: [right, ['[]']],
  };
  const [value, puts = []] = values[type] ?? [];
  if (isNode(value)) {
    add({ ...value.span, what: 'expression', within, edits: puts.map((put) => ({ ...value.span, put })) });
  }
  if (type !== 'ExpressionStatement' || bytes.startsWith('super(', span.start)) return;
  add({ ...span, what: 'statement', within, edits: [{ ...span, put: ';' }] });
}

/** The name of a function, a method or a constant; none of other nodes. */
function nameOf({ type, identifier, key, id }: SyntaxNode): string {
  const names: Readonly<Record<string, unknown>> = {
    FunctionDeclaration: identifier,
    ClassMethod: key,
    PrivateMethod: key,
    VariableDeclarator: id,
  };
  const { value = '' } = (names[type] ?? {}) as { readonly value?: unknown };
  return String(value);
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
