// Turns whatever was put into a log line into plain data that can always be written: errors with their causes, cycles
// and great depth cut off, what JSON does not know as text. It never throws, whatever it is given.

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** An error as data: its own fields, such as an HTTP status, are kept. */
export type PlainError = { readonly [key: string]: Plain };

const DEEPEST = 8;

/** Plain data that shows the value as well as JSON can. */
export function toPlain(value: unknown): Plain {
  try {
    return convert(value, []);
  } catch (error) {
    // A getter or a toJSON of the value itself failed.
    return `[cannot be shown: ${error instanceof Error ? error.message : typeof error}]`;
  }
}

function convert(value: unknown, within: readonly object[]): Plain {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'object':
      return value === null ? null : convertObject(value, within);
    case 'function':
      return `[function ${value.name}]`;
    default:
      return String(value);
  }
}

function convertObject(value: object, within: readonly object[]): Plain {
  if (within.includes(value)) return '[circular]';
  if (within.length >= DEEPEST) return '[too deep]';
  const inside = [...within, value];
  if (value instanceof Error) return convertError(value, inside);
  if (Array.isArray(value)) return value.map((each) => convert(each, inside));
  if (value instanceof Map)
    return convertEntries(
      [...value].map(([key, each]) => [String(key), each]),
      inside,
    );
  if (value instanceof Set) return [...value].map((each) => convert(each, inside));
  if ('toJSON' in value && typeof value.toJSON === 'function') return convert(value.toJSON(), inside);
  return convertEntries(Object.entries(value), inside);
}

function convertError(error: Error, inside: readonly object[]): PlainError {
  const { name, message, stack, cause } = error;
  const errors = error instanceof AggregateError ? error.errors : undefined;
  const own = Object.entries(error).filter(([key]) => key !== 'name');
  return convertEntries(Object.entries({ name, message, ...Object.fromEntries(own), stack, cause, errors }), inside);
}

function convertEntries(entries: readonly (readonly [string, unknown])[], inside: readonly object[]): PlainError {
  const defined = entries.filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([key, value]) => [key, convert(value, inside)]));
}
