// What Kubernetes takes for an amount of a resource: `500m`, `1.5`, `128Mi`, `1e3`.

/** A number, then a suffix of ten or of two, or an exponent. */
const QUANTITY = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/;

export const BAD_QUANTITY = 'not a quantity: want a number with an optional suffix, such as 500m, 2 or 128Mi';

/** True for what the API server can parse as a quantity that is not negative. */
export function isAmount(value: string | number): boolean {
  const text = String(value);
  return QUANTITY.test(text) && !text.startsWith('-');
}
