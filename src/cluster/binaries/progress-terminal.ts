// Progress for a person at a terminal: one line a component, redrawn in place, kept once it says something final.

import { lasts, type Progress } from './progress.ts';
import { progressLine } from './progress-text.ts';

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
