// Turns whatever was put into a log line into plain data that can always be written: errors with their causes, cycles
// and great depth cut off, what JSON does not know as text. It never throws, whatever it is given, and what it returns is
// bounded: long texts are cut, of many errors or items the first are shown, and one value has at most about 16 KiB.

import { shorten } from '../shorten.ts';

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** An error as data: its own fields, such as an HTTP status, are kept. */
export type PlainError = { readonly [key: string]: Plain };

const DEEPEST = 8;
/** In bytes; a stack of ten calls fits. */
const LONGEST_TEXT = 4_096;
/** In bytes, for all of one value. What comes after that is left out. */
const MOST_BYTES = 16_384;
/** What an item or an entry takes of it besides its texts: numbers, quotes, brackets. */
const BYTES_OF_ITEM = 16;
/** However little is left, a text is cut to no less: its end says how much is missing. */
const LEAST_TEXT = 64;
/** Of the errors gathered in one: they are mostly alike. */
const ERRORS_SHOWN = 3;

/** Plain data that shows the value as well as JSON can. */
export function toPlain(value: unknown): Plain {
  try {
    return new Conversion().convert(value, []);
  } catch (error) {
    // A getter or a toJSON of the value itself failed.
    return `[cannot be shown: ${error instanceof Error ? shorten(error.message, LONGEST_TEXT) : typeof error}]`;
  }
}

class Conversion {
  #left = MOST_BYTES;

  convert(value: unknown, within: readonly object[]): Plain {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'object':
        return value === null ? null : this.#object(value, within);
      case 'function':
        return this.#text(`[function ${value.name}]`);
      default:
        return this.#text(String(value));
    }
  }

  #object(value: object, within: readonly object[]): Plain {
    if (within.includes(value)) return '[circular]';
    if (within.length >= DEEPEST) return '[too deep]';
    const inside = [...within, value];
    if (value instanceof Error) return this.#error(value, inside);
    if (Array.isArray(value)) return this.#list(value, inside);
    if (value instanceof Map) return this.#entries([...value], inside);
    if (value instanceof Set) return this.#list([...value], inside);
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.convert(value.toJSON(), inside);
    return this.#entries(Object.entries(value), inside);
  }

  #error(error: Error, inside: readonly object[]): PlainError {
    const { name, message, stack, cause } = error;
    const own = Object.entries(error).filter(([key]) => key !== 'name');
    const gathered = error instanceof AggregateError ? gatheredIn(error) : {};
    const all = { name, message, ...Object.fromEntries(own), stack, cause, ...gathered };
    return this.#entries(Object.entries(all), inside);
  }

  #list(items: readonly unknown[], inside: readonly object[]): Plain {
    const shown: Plain[] = [];
    for (const item of items) {
      if (this.#left <= 0) return [...shown, `[${items.length - shown.length} more]`];
      this.#left -= BYTES_OF_ITEM;
      shown.push(this.convert(item, inside));
    }
    return shown;
  }

  #entries(entries: readonly (readonly [unknown, unknown])[], inside: readonly object[]): PlainError {
    const shown: [string, Plain][] = [];
    for (const [key, value] of entries) {
      if (this.#left <= 0) return Object.fromEntries([...shown, ['[more]', entries.length - shown.length]]);
      if (value === undefined) continue;
      this.#left -= BYTES_OF_ITEM;
      shown.push([this.#text(String(key)), this.convert(value, inside)]);
    }
    return Object.fromEntries(shown);
  }

  #text(text: string): string {
    const shown = shorten(text, Math.max(LEAST_TEXT, Math.min(LONGEST_TEXT, this.#left)));
    this.#left -= Buffer.byteLength(shown);
    return shown;
  }
}

/** The first errors of many, and how many there are besides. */
function gatheredIn({ errors }: AggregateError): object {
  const more = errors.length - ERRORS_SHOWN;
  return { errors: errors.slice(0, ERRORS_SHOWN), ...(more > 0 && { moreErrors: more }) };
}
