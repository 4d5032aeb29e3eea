// What Kubernetes takes for an amount of a resource: `500m`, `1.5`, `128Mi`, `1e3`.

/**
 * A number that is not negative, then a suffix of ten or of two, or an exponent; in the syntax that JavaScript, JSON Schema
 * and Go share.
 */
export const AMOUNT_PATTERN = '^[+]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?$';

const AMOUNT = new RegExp(AMOUNT_PATTERN);

export const BAD_QUANTITY = 'not a quantity: want a number with an optional suffix, such as 500m, 2 or 128Mi';

/** True for what the API server can parse as a quantity that is not negative. */
export function isAmount(value: string | number): boolean {
  return AMOUNT.test(String(value));
}
