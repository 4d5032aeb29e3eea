// A clock that all processes of a machine share, so that one can tell how old another's message is.

/** Milliseconds since some moment before the machine's processes began. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
