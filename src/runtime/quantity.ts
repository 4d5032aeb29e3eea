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

/** True for two ways to write one amount: `1` and `1000m`. */
export function sameAmount(one: string | number, other: string | number): boolean {
  if (one === other) return true;
  const [mine, yours] = [amountOf(one), amountOf(other)];
  return Math.abs(mine - yours) <= Math.abs(mine) * 1e-12;
}

const SUFFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** As a number; NaN for what is no amount. */
function amountOf(value: string | number): number {
  const text = String(value);
  const [suffix] = /[a-zA-Z]*$/.exec(text) as RegExpExecArray;
  return isAmount(text) ? Number.parseFloat(text) * (SUFFIXES[suffix] as number) : Number.NaN;
}
