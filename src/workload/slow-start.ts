// Starts many writes of the same sort without flooding an API server that refuses them all: one, then two, four, eight …
// for as long as a whole batch succeeds. A quota or a refusing webhook then costs a handful of requests, not hundreds.

export interface SlowStartResult {
  readonly succeeded: number;
  /** Empty when all went well. */
  readonly failures: readonly unknown[];
  /** Never tried, because an earlier batch had failures. */
  readonly skipped: number;
}

/** Calls `attempt` up to `count` times, in doubling batches. A failure lets its batch finish and ends the series. */
export async function slowStart(
  count: number,
  attempt: (index: number) => Promise<unknown>,
  initialBatch = 1,
): Promise<SlowStartResult> {
  let started = 0;
  let failures: readonly unknown[] = [];
  for (const size of batchSizes(count, initialBatch)) {
    const batch = Array.from({ length: size }, (_, index) => attempt(started + index));
    started += size;
    failures = failuresOf(await Promise.allSettled(batch));
    if (failures.length > 0) break;
  }
  return { succeeded: started - failures.length, failures, skipped: count - started };
}

/** 1, 2, 4, 8 … that add up to `count`. */
export function* batchSizes(count: number, initialBatch = 1): Generator<number> {
  let remaining = count;
  for (let size = initialBatch; remaining > 0; size *= 2) {
    yield Math.min(size, remaining);
    remaining -= Math.min(size, remaining);
  }
}

function failuresOf(results: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
}
