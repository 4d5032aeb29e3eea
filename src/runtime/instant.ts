// Points in monotonic time, and all that is computed with them. This is apart from the clocks because it is pure: a plan may
// load it.

declare const instant: unique symbol;

/** A point in monotonic time. Compare two with `<`; compute with `msBetween` and `later`. */
export interface Instant {
  readonly [instant]: never;
}

/** The instant that is `ms` after this one. */
export function later(from: Instant, ms: number): Instant {
  return toInstant(toMs(from) + ms);
}

/** Negative when `to` is before `from`. */
export function msBetween(from: Instant, to: Instant): number {
  return toMs(to) - toMs(from);
}

/** For clocks only: the instant that is `ms` after the clock's origin. */
export function toInstant(ms: number): Instant {
  return ms as unknown as Instant;
}

function toMs(at: Instant): number {
  return at as unknown as number;
}
