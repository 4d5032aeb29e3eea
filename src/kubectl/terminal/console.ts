// What a command knows of the world it speaks to: where its words go, whether a person sees them on a terminal, how
// large that is, and whether Ctrl-C was pressed. Tests and pipes have a smaller one.

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
  /** Whether escape codes for colours are welcome on `out`. */
  readonly colour: boolean;
  /** Aborts at Ctrl-C. */
  readonly interrupted: AbortSignal;
  size(): Size;
  /** Calls back when the terminal has another size, until the returned function is called. */
  onResize(listener: () => void): () => void;
}

/** The console of this process. */
export function processConsole({ stdout, stderr, env }: NodeJS.Process, interrupted: AbortSignal): Console {
  // A dumb terminal cannot move its cursor: it is as good as a pipe.
  const isTerminal = stdout.isTTY === true && env.TERM !== 'dumb';
  // A reader that has seen enough (`| head`) closes the pipe: that is its right, and no failure of ours.
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe);
  return {
    out: { write: (text) => void stdout.write(text), isTerminal },
    err: { write: (text) => void stderr.write(text), isTerminal: stderr.isTTY === true },
    colour: isTerminal && !env.NO_COLOR,
    interrupted,
    // A terminal that was never told its size, as `script -qc` opens one, says 0.
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
