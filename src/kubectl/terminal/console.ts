// The console of a command: where its output goes, whether that is a terminal, the size of the terminal, and whether Ctrl-C was
// pressed. Tests pass one of their own.

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Console {
  readonly out: Output;
  readonly err: Output;
  /** Whether `out` gets escape codes for colours. */
  readonly colour: boolean;
  /** Aborts at Ctrl-C. */
  readonly interrupted: AbortSignal;
  size(): Size;
  /** Calls back when the terminal has another size, until the returned function is called. */
  onResize(listener: () => void): () => void;
}

/** The console of this process. */
export function processConsole({ stdout, stderr, env }: NodeJS.Process, interrupted: AbortSignal): Console {
  // A dumb terminal cannot move its cursor, so it is treated like a pipe.
  const isTerminal = stdout.isTTY === true && env.TERM !== 'dumb';
  // A reader such as `head` closes the pipe when it has read enough; that is not an error.
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe);
  return {
    out: { write: (text) => void stdout.write(text), isTerminal },
    err: { write: (text) => void stderr.write(text), isTerminal: stderr.isTTY === true },
    colour: isTerminal && !env.NO_COLOR,
    interrupted,
    // A terminal whose size was never set, as `script -qc` opens one, reports 0.
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    onResize: (listener) => {
      stdout.on('resize', listener);
      return () => stdout.off('resize', listener);
    },
  };
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
