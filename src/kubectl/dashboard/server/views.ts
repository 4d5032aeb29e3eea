// The views that tabs show now. A change of the cluster is sent with the next frame: changes that come together, as in a rollout of
// a thousand pods, are one frame. Once a second a frame is made without a change, because some words depend on the time.

import type { Clock, Timer } from '../../../runtime/clock.ts';
import { Broadcast, type Reader, type RowsOf } from './broadcast.ts';

/** At most ten frames a second: more than the eye follows in a grid of pods. */
export const FRAME_MS = 100;
const TICK_MS = 1_000;

export class Views {
  readonly #clock: Clock;
  readonly #open = new Map<string, Broadcast>();
  #frame: Timer | undefined;
  #tick: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Shows a view to a tab until the returned function is called. Views with the same key are computed once. */
  show(key: string, rowsOf: RowsOf, reader: Reader): { drained(): void; close(): void } {
    const view = this.#open.get(key) ?? new Broadcast(rowsOf);
    this.#open.set(key, view);
    view.add(reader);
    this.#keepTicking();
    return {
      drained: () => view.drained(reader),
      close: () => {
        view.remove(reader);
        if (view.isUnused && this.#open.get(key) === view) this.#open.delete(key);
      },
    };
  }

  /** Something has changed: the views show it with the next frame. */
  changed(): void {
    if (this.#open.size > 0) this.#frame ??= this.#clock.after(FRAME_MS, () => this.#tell());
  }

  stop(): void {
    this.#frame?.cancel();
    this.#tick?.cancel();
  }

  #tell(): void {
    this.#frame = undefined;
    for (const view of this.#open.values()) view.tell();
  }

  #keepTicking(): void {
    this.#tick ??= this.#clock.after(TICK_MS, () => {
      this.#tick = undefined;
      this.changed();
      if (this.#open.size > 0) this.#keepTicking();
    });
  }
}
