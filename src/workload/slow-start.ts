// Starts many writes of the same kind without flooding an API server that refuses them all: one, then two, four, eight
// and so on while whole batches succeed. A quota or a refusing webhook then costs a few requests instead of hundreds.
// Where writes have recently succeeded the first batch is larger: replacing 100 lost pods takes two rounds instead of
// seven.

export interface SlowStartResult {
  readonly succeeded: number;
  /** Empty when all attempts succeeded. */
  readonly failures: readonly unknown[];
  /** Not tried, because an earlier batch had failures. */
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

/** The largest first batch: this many requests may fail before the first failure is known. */
const MOST_AT_ONCE = 64;
/** The most namespaces that are remembered; the others start with one write. */
const MOST_NAMESPACES = 1000;

/** Writes that recently succeeded, by namespace, because quotas, limits and policies belong to a namespace. */
export class GrantedWrites {
  readonly #byNamespace = new Map<string, number>();

  /** The size of the first batch. */
  firstBatch(namespace: string): number {
    return this.#byNamespace.get(namespace) ?? 1;
  }

  /** Records the result of a series. */
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
