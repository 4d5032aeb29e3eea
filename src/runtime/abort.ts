// Waiting for a signal as one waits for anything else.

/** Resolves when the signal aborts; with `until`, nothing is left behind on the signal once that one has aborted. */
export function aborted(signal: AbortSignal, until?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, ...(until && { signal: until }) });
  });
}
