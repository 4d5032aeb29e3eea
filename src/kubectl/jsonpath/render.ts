// Fills a JSONPath template in with an object, as `kubectl get -o jsonpath=` does: the values of a path stand side by side
// with a blank between them, a missing field is left out, and an index that is out of bounds is an error.

import type { Condition, Operand, Operator, Slice, Step, Template } from './parse.ts';

/** The text that the template makes of this object. */
export function renderTemplate(template: Template, root: unknown): string {
  return render(template, root, root);
}

function render(template: Template, current: unknown, root: unknown): string {
  return template
    .map((part) => {
      if (part.is === 'text') return part.text;
      const values = follow(part.path, [part.fromRoot ? root : current], root);
      if (part.is === 'path') return values.map(textOf).join(' ');
      return values.map((value) => render(part.body, value, root)).join('');
    })
    .join('');
}

function follow(path: readonly Step[], values: readonly unknown[], root: unknown): readonly unknown[] {
  return path.reduce<readonly unknown[]>((found, step) => found.flatMap((value) => take(step, value, root)), values);
}

function take(step: Step, value: unknown, root: unknown): unknown[] {
  switch (step.is) {
    case 'field':
      return isMap(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
    case 'union':
      return step.paths.flatMap((path) => follow(path, [value], root));
    case 'every':
      return children(value);
    case 'descendants':
      return descendants(value);
    case 'items':
      return value === undefined || value === null ? [] : step.slices.flatMap((slice) => itemsOf(value, slice));
    case 'filter':
      return filtered(value, step.condition, root);
    default:
      return step satisfies never;
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isMap(value)
    ? Object.keys(value)
        .toSorted()
        .map((key) => value[key])
    : [];
}

/** The value itself and everything below it. */
function descendants(value: unknown): unknown[] {
  return [value, ...children(value).flatMap(descendants)];
}

function itemsOf(value: unknown, { start = 0, end, step = 1, isIndex }: Slice): unknown[] {
  if (!Array.isArray(value)) throw new Error(`jsonpath: ${textOf(value)} is not an array`);
  const { length } = value;
  const from = start < 0 ? start + length : start;
  const until = isIndex ? from + 1 : end === undefined ? length : end < 0 ? end + length : end;
  if (from === until) return [];
  if (from < 0 || from >= length) throw outOfBounds(start, length);
  if (until < 0 || until > length) throw outOfBounds(until - 1, length);
  if (from > until) throw new Error(`jsonpath: the slice begins at ${from} and ends before that, at ${until}`);
  if (step <= 0) throw new Error(`jsonpath: the step of a slice must be greater than 0, got ${step}`);
  return value.slice(from, until).filter((_, index) => index % step === 0);
}

function outOfBounds(index: number, length: number): Error {
  return new Error(`jsonpath: array index out of bounds: index ${index}, length ${length}`);
}

function filtered(value: unknown, condition: Condition, root: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error(`jsonpath: ${textOf(value)} is not an array and cannot be filtered`);
  return value.filter((item) => holds(condition, item, root));
}

function holds(condition: Condition, item: unknown, root: unknown): boolean {
  const left = valuesOf(condition.left, item, root);
  if (condition.is === 'exists') return left.length > 0;
  const right = valuesOf(condition.right, item, root);
  if (left.length === 0 || right.length === 0) return false;
  if (left.length > 1 || right.length > 1) throw new Error('jsonpath: a filter compares one value with one other');
  return compare(left[0], condition.operator, right[0]);
}

function valuesOf(operand: Operand, item: unknown, root: unknown): readonly unknown[] {
  return operand.is === 'value' ? [operand.value] : follow(operand.path, [operand.fromRoot ? root : item], root);
}

function compare(left: unknown, operator: Operator, right: unknown): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  const comparable =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string');
  if (!comparable) return false;
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return operator satisfies never;
  }
}

/** Objects and arrays as JSON, in which Go sorts keys and escapes what HTML would read; everything else as it is. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const sorted = (_: string, member: unknown): unknown =>
    isMap(member) ? Object.fromEntries(Object.entries(member).toSorted(byKey)) : member;
  return JSON.stringify(value, sorted).replaceAll(/[<>&\u2028\u2029]/g, escaped);
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
