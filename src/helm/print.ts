// A merged object as a Helm template: YAML, in which what not every installation has stands between `if` and `end`.

import { stringify } from 'yaml';
import { conditionFor, type Profile } from './condition.ts';
import type { Field, Leaf, Merged, Variant } from './merge.ts';

/** Lines that take the place of others, given the indentation. */
export type Filler = (indent: string, lines: readonly string[]) => string[];
export type Fillers = ReadonlyMap<string, Filler>;

export interface Texts {
  /** By the path of a field, such as `spec.replicas`, or of all fields of a map, such as `metadata.labels.*`. */
  readonly fillers: Fillers;
  /** Turns placeholders in a string into template expressions; undefined when it has none. */
  readonly expression: (text: string) => string | undefined;
}

/** The lines of a map's fields. */
export function printFields(
  fields: readonly Field[],
  among: ReadonlySet<Profile>,
  texts: Texts,
  path = '',
  indent = '',
): string[] {
  const printed = fields.map((field) => {
    const here = path === '' ? field.key : `${path}.${field.key}`;
    const lines = printField(field, texts, here, indent);
    return { field, lines: texts.fillers.get(here)?.(indent, lines) ?? lines };
  });
  return underConditions(
    printed.map(({ field, lines }) => ({ condition: conditionFor(field.present, among), lines })),
    indent,
  );
}

/** Neighbours with the same condition stand under it together. */
function underConditions(
  parts: readonly { readonly condition: string; readonly lines: string[] }[],
  indent: string,
): string[] {
  return parts.flatMap(({ condition, lines }, index) => {
    if (condition === '') return lines;
    const opens = parts[index - 1]?.condition !== condition;
    const closes = parts[index + 1]?.condition !== condition;
    return [
      ...(opens ? [`${indent}{{- if ${condition} }}`] : []),
      ...lines,
      ...(closes ? [`${indent}{{- end }}`] : []),
    ];
  });
}

function printField({ key, node, present }: Field, texts: Texts, path: string, indent: string): string[] {
  const name = `${indent}${leaf(key, texts)}:`;
  const lines = block(node, present, texts, path, `${indent}  `);
  return node.type === 'leaf' ? [`${name} ${lines[0]?.trim()}`] : [name, ...lines];
}

function block(node: Merged, present: ReadonlySet<Profile>, texts: Texts, path: string, indent: string): string[] {
  switch (node.type) {
    case 'leaf':
      return [`${indent}${leaf(node.value, texts)}`];
    case 'list':
      return underConditions(
        node.items.map((item) => ({
          condition: conditionFor(item.present, present),
          lines: printItem(item, texts, `${path}[]`, indent),
        })),
        indent,
      );
    case 'map': {
      const lines = printFields(node.fields, present, texts, path, indent);
      return texts.fillers.get(`${path}.*`)?.(indent, lines) ?? lines;
    }
    default:
      return node satisfies never;
  }
}

/** The dash takes the place of the indentation of the first line that is no condition. */
function printItem({ node, present }: Variant, texts: Texts, path: string, indent: string): string[] {
  const lines = block(node, present, texts, path, `${indent}  `);
  if (node.type !== 'leaf' && lines[0]?.includes('{{-')) return [`${indent}-`, ...lines];
  return lines.map((line, index) => (index === 0 ? `${indent}- ${line.slice(indent.length + 2)}` : line));
}

function leaf(value: Leaf, { expression }: Texts): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return expression(value) ?? stringify(value, { lineWidth: 0 }).trim();
}
