// Reads a JSONPath template as `kubectl get -o jsonpath=` takes it: text, and between braces paths, quoted text, and
// `range` with its `end`.

import { UsageError } from '../arguments.ts';

export type Step =
  | { readonly is: 'field'; readonly name: string }
  /** `['a','b.c']`: several paths from the same value. */
  | { readonly is: 'union'; readonly paths: readonly (readonly Step[])[] }
  | { readonly is: 'every' }
  | { readonly is: 'descendants' }
  | { readonly is: 'items'; readonly slices: readonly Slice[] }
  | { readonly is: 'filter'; readonly condition: Condition };

/** Which items of an array; `[2]` is one item, `[1:3]` may be several. */
export interface Slice {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly step?: number | undefined;
  readonly isIndex: boolean;
}

export type Operand =
  | { readonly is: 'path'; readonly path: readonly Step[]; readonly fromRoot: boolean }
  | { readonly is: 'value'; readonly value: string | number | boolean };

export type Operator = (typeof OPERATORS)[number];

export type Condition =
  | { readonly is: 'exists'; readonly left: Operand }
  | { readonly is: 'compares'; readonly left: Operand; readonly operator: Operator; readonly right: Operand };

export type Part =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'path'; readonly path: readonly Step[]; readonly fromRoot: boolean }
  | { readonly is: 'range'; readonly path: readonly Step[]; readonly fromRoot: boolean; readonly body: Template };

export type Template = readonly Part[];

/** The longer ones first: `<=` begins as `<` does. */
const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'] as const;

/** A backslash makes the next character a part of the name. */
const NAME = /(?:[^\s{}[\]().,"'@$=!<>?*:\\]|\\.)+/y;

/** Reads a template; throws a UsageError that quotes what it cannot read. */
export function parseTemplate(text: string): Template {
  if (text.trim() === '') throw new UsageError("-o jsonpath needs a template, such as -o jsonpath='{.metadata.name}'");
  return new Parser(text).parts(false);
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Parts up to the end of the template, or up to the `{end}` of a range. */
  parts(isInRange: boolean): Part[] {
    const parts: Part[] = [];
    while (this.#at < this.#text.length) {
      const text = this.#read(/[^{]*/y);
      if (text !== '') parts.push({ is: 'text', text });
      if (this.#at >= this.#text.length) break;
      if (this.#skip(/\{\s*end\s*\}/y)) {
        if (!isInRange) throw this.#wrong('"{end}" without "{range}"');
        return parts;
      }
      parts.push(this.#action());
    }
    if (isInRange) throw this.#wrong('"{range}" without "{end}"');
    return parts;
  }

  #action(): Part {
    this.#expect(/\{\s*/y, '"{"');
    const quote = this.#read(/["']/y);
    if (quote !== '') {
      const text = this.#quoted(quote);
      this.#expect(/\s*\}/y, '"}"');
      return { is: 'text', text };
    }
    const isRange = this.#skip(/range\s+/y);
    const path = this.#path();
    this.#expect(/\s*\}/y, '"}"');
    return isRange ? { is: 'range', ...path, body: this.parts(true) } : { is: 'path', ...path };
  }

  #path(): { path: Step[]; fromRoot: boolean } {
    const fromRoot = this.#read(/[$@]?/y) === '$';
    const path: Step[] = [];
    for (;;) {
      const name = this.#read(NAME);
      if (name !== '') path.push({ is: 'field', name: name.replaceAll(/\\(.)/g, '$1') });
      else if (this.#skip(/\.\./y)) path.push({ is: 'descendants' });
      else if (this.#skip(/\*/y)) path.push({ is: 'every' });
      else if (this.#skip(/\[\s*/y)) path.push(this.#brackets());
      else if (!this.#skip(/\./y)) return { path, fromRoot };
    }
  }

  #brackets(): Step {
    const step = this.#insideBrackets();
    this.#expect(/\s*\]/y, '"]"');
    return step;
  }

  #insideBrackets(): Step {
    if (this.#skip(/\*/y)) return { is: 'every' };
    if (this.#skip(/\?\s*\(\s*/y)) {
      const condition = this.#condition();
      this.#expect(/\s*\)/y, '")"');
      return { is: 'filter', condition };
    }
    if (/["']/.test(this.#text[this.#at] ?? '')) return { is: 'union', paths: this.#list(() => this.#quotedPath()) };
    return { is: 'items', slices: this.#list(() => this.#slice()) };
  }

  #list<T>(read: () => T): T[] {
    const items = [read()];
    while (this.#skip(/\s*,\s*/y)) items.push(read());
    return items;
  }

  /** A dot separates names here, too; `\.` is part of one. */
  #quotedPath(): Step[] {
    const quote = this.#expect(/["']/y, 'a quoted name');
    const { path } = new Parser(this.#quotedBody(quote)).#path();
    return path;
  }

  #slice(): Slice {
    const text = this.#expect(/-?\d*(?::-?\d*){0,2}/y, 'an index');
    if (!/\d|:/.test(text)) throw this.#wrong('an index, a slice, "*", a quoted name or a filter expected');
    const [start, end, step] = text.split(':').map((part) => (part === '' ? undefined : Number(part)));
    return { start, end, step, isIndex: !text.includes(':') };
  }

  #condition(): Condition {
    const left = this.#operand();
    const spelled = this.#read(/\s*(==|!=|<=|>=|<|>)\s*/y).trim();
    const operator = OPERATORS.find((each) => each === spelled);
    return operator === undefined ? { is: 'exists', left } : { is: 'compares', left, operator, right: this.#operand() };
  }

  #operand(): Operand {
    const quote = this.#read(/["']/y);
    if (quote !== '') return { is: 'value', value: this.#quoted(quote) };
    const number = this.#read(/-?\d+(?:\.\d+)?/y);
    if (number !== '') return { is: 'value', value: Number(number) };
    const word = this.#read(/(?:true|false)\b/y);
    if (word !== '') return { is: 'value', value: word === 'true' };
    if (!/[@$.]/.test(this.#text[this.#at] ?? ''))
      throw this.#wrong('a path, a quoted text, a number, true or false expected');
    return { is: 'path', ...this.#path() };
  }

  #quoted(quote: string): string {
    return this.#quotedBody(quote).replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
  }

  /** The text up to the closing quote, which is read too. */
  #quotedBody(quote: string): string {
    const body = this.#read(quote === '"' ? /(?:[^"\\]|\\.)*/sy : /(?:[^'\\]|\\.)*/sy);
    if (this.#text[this.#at] !== quote) throw this.#wrong(`unterminated ${quote}`);
    this.#at += 1;
    return body;
  }

  /** What the pattern matches here; nothing where it does not match. */
  #read(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #skip(pattern: RegExp): boolean {
    return this.#read(pattern) !== '';
  }

  #expect(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) throw this.#wrong(`${what} expected`);
    return this.#read(pattern);
  }

  #wrong(what: string): UsageError {
    const here = this.#text.slice(this.#at);
    return new UsageError(`-o jsonpath: ${what} ${here === '' ? 'at the end' : `before "${here}"`} of "${this.#text}"`);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
