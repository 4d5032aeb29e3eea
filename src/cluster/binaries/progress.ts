// The progress of downloads and builds: which component, which step, how far, for how long.
// Producers report a step once; a Stopwatch repeats it every second with the time that has passed, so that a
// renderer is a plain function of events and needs no timer of its own.

import type { Clock, Timer } from '../../runtime/clock.ts';
import { type Instant, msBetween } from '../../runtime/instant.ts';

export type Activity =
  /** Another process, `pid`, is making this release ready. */
  | { readonly step: 'waiting'; readonly pid: number }
  /** In bytes; without a total when the server does not tell one. */
  | { readonly step: 'downloading'; readonly done: number; readonly total?: number }
  | { readonly step: 'unpacking' }
  /** `done` counts the Go modules fetched so far. */
  | { readonly step: 'resolving'; readonly done: number }
  /** In Go packages. */
  | { readonly step: 'building'; readonly done: number; readonly total: number }
  /** One way did not work out; the next is tried. */
  | { readonly step: 'skipped'; readonly way: 'cache' | 'download' | 'go build'; readonly because: string }
  | { readonly step: 'ready' };

export type ProgressEvent = Activity & { readonly component: string; readonly elapsedMs: number };

export interface Progress {
  report(event: ProgressEvent): void;
}

const REPEAT_MS = 1_000;

/** Reports one component's activities with the time since it began; `stop` it in a finally block. */
export class Stopwatch {
  readonly #component: string;
  readonly #progress: Progress;
  readonly #clock: Clock;
  readonly #started: Instant;
  #current: Activity | undefined;
  #timer: Timer | undefined;

  constructor(component: string, progress: Progress, clock: Clock) {
    this.#component = component;
    this.#progress = progress;
    this.#clock = clock;
    this.#started = clock.now();
  }

  /** Reports a new step at once; how far a step has come (every chunk of a download) waits for the next second. */
  report(activity: Activity): void {
    const sameStep = activity.step === this.#current?.step && lasts(activity);
    this.#current = activity;
    if (!sameStep) this.#emit(activity);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#current = undefined;
  }

  #emit(activity: Activity): void {
    this.#timer?.cancel();
    const elapsedMs = msBetween(this.#started, this.#clock.now());
    this.#progress.report({ ...activity, component: this.#component, elapsedMs });
    if (lasts(activity)) this.#timer = this.#clock.after(REPEAT_MS, () => this.#emit(this.#current ?? activity));
  }
}

/** Whether an activity goes on for a while, or is a fact that stands on its own line. */
export function lasts(activity: Activity): boolean {
  return activity.step !== 'ready' && activity.step !== 'skipped';
}
