// The keys of a queue that are not ready yet: keys that wait for a date, and keys that failed and wait for a retry. A
// key may wait for both, and is handed over at the earlier one.
//
// All retries share one limit, because they are load without progress: after its back-off a key enters a line, and the
// line moves at the rate of a token bucket. The line is fair to namespaces (fair-line.ts), so that the failures of one
// tenant do not delay those of another.
//
// Guarantees
// - The earliest date wins: a sooner date replaces a later one; a later date never postpones.
// - The highest priority asked for wins.
// - One timer for any number of keys, and none after `stop`.

import type { Clock, Timer } from '../clock.ts';
import { type Instant, later, msBetween, toInstant } from '../instant.ts';
import { TokenBucket, type TokenBucketLimits } from '../token-bucket.ts';
import { FairLine } from './fair-line.ts';
import { Heap } from './heap.ts';

const NEVER = toInstant(Number.POSITIVE_INFINITY);

interface Wait {
  readonly key: string;
  readonly priority: number;
  readonly order: number;
  readonly readyAt: Instant;
  /** When its back-off is over. */
  readonly retryAt: Instant;
}

export class Later {
  readonly #clock: Clock;
  readonly #handOver: (key: string, priority: number) => void;
  readonly #waits = new Heap<Wait>((a, b) => msBetween(dueAt(b), dueAt(a)) || a.order - b.order);
  /** Keys whose back-off is over. */
  readonly #retries = new FairLine();
  readonly #bucket: TokenBucket;
  #order = 0;
  /** Invariant: set for the next due time, or earlier. */
  #timer: { readonly at: Instant; readonly timer: Timer } | undefined;

  constructor(clock: Clock, limits: TokenBucketLimits, handOver: (key: string, priority: number) => void) {
    this.#clock = clock;
    this.#handOver = handOver;
    this.#bucket = new TokenBucket(clock, limits);
  }

  /** How many keys wait for a date. */
  get size(): number {
    return this.#waits.size;
  }

  /** Hands the key over after this time. */
  after(key: string, delayMs: number, priority: number): void {
    const due = later(this.#clock.now(), delayMs);
    this.#put(key, priority, { readyAt: sooner(due, this.#waitOf(key, priority).readyAt) });
  }

  /** Hands the key over when its back-off is over and its turn among all retries has come. */
  retry(key: string, backOffMs: number, priority: number): void {
    const due = later(this.#clock.now(), backOffMs);
    this.#put(key, priority, { retryAt: sooner(due, this.#waitOf(key, priority).retryAt) });
  }

  /** Removes the key, and returns the priority that it waited with. */
  remove(key: string): number | undefined {
    const [wait, retry] = [this.#waits.delete(key), this.#retries.delete(key)];
    return wait && retry ? Math.max(wait.priority, retry.priority) : (wait ?? retry)?.priority;
  }

  stop(): void {
    this.#timer?.timer.cancel();
  }

  #waitOf(key: string, priority: number): Omit<Wait, 'order'> & { readonly order: number | undefined } {
    return this.#waits.get(key) ?? { key, priority, order: undefined, readyAt: NEVER, retryAt: NEVER };
  }

  #put(key: string, priority: number, dates: Partial<Pick<Wait, 'readyAt' | 'retryAt'>>): void {
    const before = this.#waitOf(key, priority);
    const order = before.order ?? this.#order++;
    this.#waits.set({ ...before, ...dates, order, priority: Math.max(before.priority, priority) });
    this.#release();
  }

  #release(): void {
    const now = this.#clock.now();
    for (let next = this.#waits.peek(); next !== undefined && dueAt(next) <= now; next = this.#waits.peek()) {
      if (next.readyAt <= now) this.#handOver(next.key, this.remove(next.key) as number);
      else this.#standInLine(next);
    }
    this.#moveLine();
    this.#arm(now);
  }

  #standInLine({ key, priority, order, readyAt }: Wait): void {
    this.#retries.set({ key, priority, order });
    if (readyAt === NEVER) this.#waits.delete(key);
    else this.#waits.set({ key, priority, order, readyAt, retryAt: NEVER });
    this.#moveLine();
  }

  #moveLine(): void {
    while (this.#retries.size > 0 && this.#bucket.tryTake()) {
      const { key, priority } = this.#retries.pop() as { key: string; priority: number };
      this.#handOver(key, Math.max(priority, this.remove(key) ?? priority));
    }
  }

  #arm(now: Instant): void {
    const first = this.#waits.peek();
    const lineMoves = this.#retries.size > 0 ? later(now, Math.ceil(this.#bucket.msUntilNext())) : NEVER;
    const at = first === undefined ? lineMoves : sooner(dueAt(first), lineMoves);
    if (at === NEVER || (this.#timer !== undefined && this.#timer.at <= at)) return;
    this.#timer?.timer.cancel();
    const onTime = (): void => {
      this.#timer = undefined;
      this.#release();
    };
    this.#timer = { at, timer: this.#clock.after(msBetween(now, at), onTime) };
  }
}

function dueAt({ readyAt, retryAt }: Wait): Instant {
  return sooner(readyAt, retryAt);
}

function sooner(one: Instant, other: Instant): Instant {
  return other < one ? other : one;
}
