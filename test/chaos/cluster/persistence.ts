// People try again when they are refused, or when nobody answers.

import { setTimeout as delay } from 'node:timers/promises';

const TRIES = 120;

/** Tries until it works; in the end throws what went wrong. */
export async function persistently(act: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await act();
      return;
    } catch (error) {
      if (tries >= TRIES) throw error;
      await delay(500);
    }
  }
}
