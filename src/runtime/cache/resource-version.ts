// Compares resourceVersions, which Kubernetes declares to be positive decimal numbers of any length: the longer one is
// the later, and of equal length the one that sorts later. Only versions of one resource can be compared.

const DECIMAL = /^[1-9][0-9]*$/;

/** Negative when `a` is older than `b`, 0 when they are the same, positive when it is newer. */
export function compareResourceVersions(a: string, b: string): number {
  for (const version of [a, b]) {
    if (!DECIMAL.test(version)) throw new Error(`resourceVersion "${version}" is not a positive decimal number`);
  }
  if (a === b) return 0;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** True when `a` is older than `b`; having seen nothing is older than everything. */
export function isOlder(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return b !== undefined;
  return compareResourceVersions(a, b) < 0;
}

/** True when a cache at `synced` has seen the write that returned `written`. */
export function hasReached(synced: string | undefined, written: string): boolean {
  return synced !== undefined && compareResourceVersions(synced, written) >= 0;
}
