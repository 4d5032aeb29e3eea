// Waits until an assertion holds. On a real cluster things take the time they take: a test says what must become true,
// never how long it takes; the limit only ends a test that would otherwise hang.

import { setTimeout as delay } from 'node:timers/promises';

/** Retries `check` until it stops throwing and returns its value; throws its last error after `withinMs`. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 60_000, everyMs = 50): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await delay(everyMs);
  }
}
