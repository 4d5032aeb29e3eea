// Renders progress: for logs and CI a line when a component begins something, one every half minute and one at the end; for a
// terminal one line a component, redrawn in place until the component is done.

import { type Activity, lasts, type Progress, type ProgressEvent } from './progress.ts';

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

/** The part of process.stderr that is used. */
export interface Terminal {
  readonly columns?: number;
  write(text: string): unknown;
}

const REDRAW = '\r\u001b[2K';

/** Redraws the line of the component at work. */
export function terminalProgress(terminal: Terminal): Progress {
  return {
    report(event) {
      // A line that wraps could not be redrawn: \r only returns to the start of its last row.
      const width = (terminal.columns ?? 80) - 1;
      const line = progressLine(event);
      terminal.write(REDRAW + (lasts(event) ? line.slice(0, width) : `${line}\n`));
    },
  };
}

/** One line for one event: `kube-apiserver: building, 512 of 1834 packages (1m 02s)`. */
export function progressLine(event: ProgressEvent): string {
  return `${event.component}: ${describe(event)} (${duration(event.elapsedMs)})`;
}

function describe(activity: Activity): string {
  switch (activity.step) {
    case 'waiting':
      return `waiting for process ${activity.pid}, which is making it ready`;
    case 'downloading':
      return `downloading, ${megabytes(activity.done)}${activity.total ? ` of ${megabytes(activity.total)}` : ''}`;
    case 'unpacking':
      return 'unpacking';
    case 'resolving':
      return `resolving Go modules, ${activity.done} fetched`;
    case 'building':
      return `building, ${activity.done} of ${activity.total} packages`;
    case 'skipped':
      return `${activity.way} skipped: ${activity.because.split('\n', 1)}`;
    case 'ready':
      return 'ready';
    default:
      return activity satisfies never;
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `9s`, `1m 02s`. */
function duration(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`;
}
