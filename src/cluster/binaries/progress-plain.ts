// Progress for logs and CI: a line when a component begins something, one every half minute, one at the end.

import { lasts, type Progress, type ProgressEvent } from './progress.ts';
import { progressLine } from './progress-text.ts';

const EVERY_MS = 30_000;

/** Writes whole lines, sparingly. */
export function plainProgress(write: (line: string) => unknown): Progress {
  const written = new Map<string, ProgressEvent>();
  return {
    report(event) {
      const last = written.get(event.component);
      const repeats = last?.step === event.step && event.elapsedMs - last.elapsedMs < EVERY_MS;
      if (repeats && lasts(event)) return;
      written.set(event.component, event);
      write(`${progressLine(event)}\n`);
    },
  };
}
