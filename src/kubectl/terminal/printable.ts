// Spells out control characters in text that comes from the cluster. Without that, a user who may write an annotation could
// clear or change the screen of a user who reads it. Line breaks and tabs stay; the only codes that a terminal acts upon come
// from style.ts and screen.ts.

/** C0, DEL and C1, and the marks that turn the direction of writing around. */
const CONTROL = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** The same value with every text in it, at any depth, fit to be shown. */
export function printable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll(CONTROL, spelled) as T;
  if (Array.isArray(value)) return value.map(printable) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [printable(key), printable(member)])) as T;
}

function spelled(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
