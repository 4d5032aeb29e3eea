// What namespaces and containers can be called: RFC 1123 labels.

/** In the syntax that JavaScript, JSON Schema and Go share. */
export const LABEL_PATTERN = '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$';

const LABEL = new RegExp(LABEL_PATTERN);

export const BAD_LABEL = 'not a name: want at most 63 of a-z, 0-9 and dashes, with neither end a dash';

/** True for a lower-case RFC 1123 label. */
export function isDnsLabel(text: string): boolean {
  return LABEL.test(text);
}
