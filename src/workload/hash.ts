// The hash in revision names and pod labels, computed as Kubernetes computes it for ControllerRevisions: FNV-1 over the
// data, then over the digits of the collision count. The sum is written in letters that form no words.

const OFFSET = 2166136261;
const PRIME = 16777619;

/** No vowels and no look-alikes, so that a hash spells no word. */
export const SAFE_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** The 32-bit FNV-1 sum (multiply, then xor) of a text's UTF-8 bytes. */
export function fnv1(text: string): number {
  let sum = OFFSET;
  for (const byte of new TextEncoder().encode(text)) sum = Math.imul(sum, PRIME) ^ byte;
  return sum >>> 0;
}

/** Replaces each character of `text` with one of the safe letters. */
export function safeEncode(text: string): string {
  return [...text].map((char) => SAFE_LETTERS.charAt(char.charCodeAt(0) % SAFE_LETTERS.length)).join('');
}

/** The hash of revision data; another collision count gives the same data another hash. */
export function revisionHash(data: string, collisionCount?: number): string {
  return safeEncode(String(fnv1(`${data}${collisionCount ?? ''}`)));
}
