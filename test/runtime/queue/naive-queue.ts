// What the queue promises, said in the plainest way: lists, and a clock that is turned one millisecond at a time.
// It is far too slow to use, and short enough to be believed; the real queue has to behave the same.

interface Later {
  readyAt: number;
  priority: number;
}

export class NaiveQueue {
  now = 0;
  readonly ready: { key: string; priority: number }[] = [];
  readonly inWork = new Set<string>();
  readonly again = new Map<string, number>();
  readonly later = new Map<string, Later>();
  readonly failures = new Map<string, number>();
  takers = 0;
  /** Everything ever handed out, in order. */
  readonly handedOut: string[] = [];

  add(key: string, priority: number): void {
    const highest = Math.max(priority, this.later.get(key)?.priority ?? priority);
    this.later.delete(key);
    const waiting = this.ready.find((entry) => entry.key === key);
    if (waiting !== undefined) waiting.priority = Math.max(waiting.priority, highest);
    else if (this.inWork.has(key)) this.again.set(key, Math.max(highest, this.again.get(key) ?? highest));
    else this.ready.push({ key, priority: highest });
    this.#handOut();
  }

  addAfter(key: string, delayMs: number, priority: number): void {
    const due = this.now + delayMs;
    const before = this.later.get(key);
    this.#postpone(key, {
      readyAt: Math.min(due, before?.readyAt ?? due),
      priority,
    });
  }

  addRateLimited(key: string, priority: number): void {
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    this.addAfter(key, 5 * 2 ** failures, priority);
  }

  forget(key: string): void {
    this.failures.delete(key);
  }

  get(): void {
    this.takers++;
    this.#handOut();
  }

  done(key: string): void {
    this.inWork.delete(key);
    const priority = this.again.get(key);
    this.again.delete(key);
    if (priority !== undefined) this.ready.push({ key, priority });
    this.#handOut();
  }

  advance(byMs: number): void {
    for (let passed = 0; passed < byMs; passed++) {
      this.now++;
      const due = [...this.later].filter(([, entry]) => entry.readyAt <= this.now);
      for (const [key, entry] of due) this.add(key, entry.priority);
    }
  }

  #postpone(key: string, asked: Later): void {
    const queued = this.again.has(key) || this.ready.some((entry) => entry.key === key);
    if (queued || asked.readyAt <= this.now) {
      this.add(key, asked.priority);
      return;
    }
    const before = this.later.get(key);
    this.later.set(key, { ...asked, priority: Math.max(asked.priority, before?.priority ?? asked.priority) });
  }

  #handOut(): void {
    while (this.takers > 0 && this.ready.length > 0) {
      const highest = Math.max(...this.ready.map((entry) => entry.priority));
      const index = this.ready.findIndex((entry) => entry.priority === highest);
      const [next] = this.ready.splice(index, 1);
      if (next === undefined) return;
      this.takers--;
      this.inWork.add(next.key);
      this.handedOut.push(`${next.key}@${next.priority}`);
    }
  }
}
