// Cuts metadata.managedFields out of JSON before it is parsed. Field ownership is about half of an object's bytes and,
// with its many distinct keys, most of the work of parsing it. Only the metadata of the objects themselves is touched,
// found by depth: a field of that name anywhere else stays. Expects JSON without white space between its tokens, as API
// servers write it; in any other, fields may stay.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const METADATA = Buffer.from('"metadata"');
const MANAGED_FIELDS = Buffer.from('"managedFields"');

/** Brackets that are open where an object's fields are named: inside `{"object":{`. */
const DEPTH_IN_EVENT = 2;
/** Inside `{"items":[{`. */
const DEPTH_IN_LIST = 3;

/** The text of a watch event without its object's managedFields. */
export function eventWithoutManagedFields(json: Buffer): string {
  const [first] = findManagedFields(json, DEPTH_IN_EVENT, 1);
  return first === undefined
    ? json.toString('utf8')
    : json.toString('utf8', 0, first.start) + json.toString('utf8', first.end);
}

/** The text of a list without the managedFields of its items. */
export function listWithoutManagedFields(json: Buffer): string {
  let text = '';
  let kept = 0;
  for (const { start, end } of findManagedFields(json, DEPTH_IN_LIST, Number.POSITIVE_INFINITY)) {
    text += json.toString('utf8', kept, start);
    kept = end;
  }
  return text + json.toString('utf8', kept);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function findManagedFields(json: Buffer, objectDepth: number, most: number): readonly Span[] {
  const spans: Span[] = [];
  let depth = 0;
  let inMetadata = false;
  let at = 0;
  while (at < json.length && spans.length < most) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      if (depth === objectDepth) inMetadata = isName(json, at, end, METADATA);
      const found = inMetadata && depth === objectDepth + 1 && isName(json, at, end, MANAGED_FIELDS);
      if (found) spans.push(withComma(json, at, endOfValue(json, end)));
      at = found ? endOfValue(json, end) : end;
      continue;
    }
    depth += nesting(byte);
    at += 1;
  }
  return spans;
}

/** By how much this byte, outside a string, changes the number of open brackets. */
function nesting(byte: number | undefined): -1 | 0 | 1 {
  if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return 1;
  return byte === CLOSE_BRACE || byte === CLOSE_BRACKET ? -1 : 0;
}

/** Past the closing quote of the string that opens at `start`. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Past the bracket that closes the first one opened after `start`. */
function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = endOfString(json, at);
      continue;
    }
    const change = nesting(byte);
    depth += change;
    at += 1;
    if (change < 0 && depth === 0) return at;
  }
  return at;
}

/** A member leaves with the comma before it, or, being the first, with the one after it. */
function withComma(json: Buffer, start: number, end: number): Span {
  if (json[start - 1] === COMMA) return { start: start - 1, end };
  return { start, end: json[end] === COMMA ? end + 1 : end };
}

/** Whether the string between `start` and `end` is this one, and names a field instead of being a value. */
function isName(json: Buffer, start: number, end: number, name: Buffer): boolean {
  return end - start === name.length && json[end] === COLON && json.compare(name, 0, name.length, start, end) === 0;
}
