// What labels and annotations can be called, and what a label can say. The patterns are in the syntax that JavaScript, JSON
// Schema and Go share.

const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const LABEL_NAME = '([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]';

/** A name, which may have a domain and a slash before it: `example.com/team`. */
export const KEY_PATTERN = `^(${DNS_LABEL}(\\.${DNS_LABEL})*/)?${LABEL_NAME}$`;
export const LABEL_VALUE_PATTERN = `^(${LABEL_NAME})?$`;

/** A domain of 253 characters, the slash, and a name. */
export const KEY_LENGTH = 253 + 1 + 63;

const KEY = new RegExp(KEY_PATTERN);
const LABEL_VALUE = new RegExp(LABEL_VALUE_PATTERN);

export const BAD_KEY =
  'not a key: want [domain/]name, the name at most 63 of letters, digits, dashes, dots and underscores';
export const BAD_LABEL_VALUE =
  'not the value of a label: want at most 63 of letters, digits, dashes, dots and underscores, with a letter or digit at both ends';

/** True for what the API server takes as the key of a label or an annotation. */
export function isKey(text: string): boolean {
  return text.length <= KEY_LENGTH && KEY.test(text);
}

/** True for what the API server takes as the value of a label. */
export function isLabelValue(text: unknown): boolean {
  return typeof text === 'string' && LABEL_VALUE.test(text);
}
