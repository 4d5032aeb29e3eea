// Cuts metadata.managedFields out of JSON before it is parsed. Field ownership is about half of an object's bytes and,
// with its many distinct keys, most of the work of parsing it. Only the metadata of the objects themselves is touched,
// found by depth: a field of that name anywhere else stays. Expects JSON without white space between its tokens, as API
// servers write it; in any other, fields may stay.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** What a byte outside a string begins. A table, because this loop sees every byte that is ever received. */
const OTHER = 0;
const STRING = 1;
const OPENING = 2;
const CLOSING = 3;
const MEANING = Uint8Array.from({ length: 256 }, (_, byte) => meaningOf(String.fromCharCode(byte)));

function meaningOf(character: string): number {
  if (character === '"') return STRING;
  if (character === '{' || character === '[') return OPENING;
  return character === '}' || character === ']' ? CLOSING : OTHER;
}

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
  for (let at = 0; at < json.length && spans.length < most; at++) {
    const meaning = MEANING[json[at] ?? 0];
    if (meaning === OPENING) depth += 1;
    if (meaning === CLOSING) depth -= 1;
    if (meaning !== STRING) continue;
    const start = at;
    at = endOfString(json, start);
    if (depth === objectDepth) inMetadata = isName(json, start, at, METADATA);
    if (!inMetadata || depth !== objectDepth + 1 || !isName(json, start, at, MANAGED_FIELDS)) continue;
    at = endOfValue(json, at + 1);
    spans.push(withComma(json, start, at + 1));
  }
  return spans;
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Where the first bracket that opens after `start` is closed. */
function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const meaning = MEANING[json[at] ?? 0];
    if (meaning === STRING) at = endOfString(json, at);
    else if (meaning === OPENING) depth += 1;
    else if (meaning === CLOSING && --depth === 0) return at;
  }
  return json.length;
}

/** A member leaves with the comma before it, or, being the first, with the one after it. */
function withComma(json: Buffer, start: number, end: number): Span {
  if (json[start - 1] === COMMA) return { start: start - 1, end };
  return { start, end: json[end] === COMMA ? end + 1 : end };
}

/** Whether the string between these two quotes is this one, and names a field instead of being a value. */
function isName(json: Buffer, start: number, end: number, name: Buffer): boolean {
  if (end + 1 - start !== name.length || json[end + 1] !== COLON) return false;
  return json.compare(name, 0, name.length, start, end + 1) === 0;
}
