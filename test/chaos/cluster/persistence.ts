// Users try again when they are refused or get no response; and an attempt without a response may have succeeded.

import { setTimeout as delay } from 'node:timers/promises';
import { type ApiFailure, isApiError } from '../../../src/runtime/errors.ts';

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

/** To be deleted, and gone already: that is just as well. */
export function unlessGone(deleting: Promise<unknown>): Promise<void> {
  return unless('NotFound', deleting);
}

/** To be created, and there already: that is just as well. */
export function unlessThere(creating: Promise<unknown>): Promise<void> {
  return unless('AlreadyExists', creating);
}

async function unless(failure: ApiFailure, act: Promise<unknown>): Promise<void> {
  try {
    await act;
  } catch (error) {
    if (!isApiError(error, failure)) throw error;
  }
}
