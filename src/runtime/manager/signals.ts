// Signals that stop the process: the first SIGTERM or SIGINT stops it gracefully, a second one at once.

/** Aborts on the first SIGTERM or SIGINT; a second one ends the process at once, with exit code 1. */
export function stopOnSignals(): AbortSignal {
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort(new Error(`received ${signal}`));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return stop.signal;
}
