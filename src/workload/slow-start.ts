// Starts many writes of the same sort without flooding an API server that refuses them all: one, then two, four, eight …
// for as long as a whole batch succeeds. A quota or a refusing webhook then costs a handful of requests, not hundreds.
// Where writes have just been granted the start is quicker: replacing 100 lost pods takes two rounds instead of seven.

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

/** The largest first batch: as many requests may be refused before the first of them is known. */
const MOST_AT_ONCE = 64;
/** More namespaces than this are not remembered; the others start slowly. */
const MOST_NAMESPACES = 1000;

/** What was granted lately, by namespace: quotas, limits and policies are a namespace's. */
export class GrantedWrites {
  readonly #byNamespace = new Map<string, number>();

  /** With how many writes to begin. */
  firstBatch(namespace: string): number {
    return this.#byNamespace.get(namespace) ?? 1;
  }

  /** Takes note of how a series went. */
  note(namespace: string, { succeeded, failures }: SlowStartResult): void {
    if (failures.length > 0) this.#byNamespace.delete(namespace);
    else if (succeeded > this.firstBatch(namespace)) this.#remember(namespace, Math.min(succeeded, MOST_AT_ONCE));
  }

  #remember(namespace: string, size: number): void {
    if (this.#byNamespace.size >= MOST_NAMESPACES) this.#byNamespace.clear();
    this.#byNamespace.set(namespace, size);
  }
}

function failuresOf(results: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
}
