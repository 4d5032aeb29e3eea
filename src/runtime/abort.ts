// Waits for an AbortSignal.

/** Resolves when the signal aborts. With `until`, the listener is removed once that signal has aborted. */
export function aborted(signal: AbortSignal, until?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, ...(until && { signal: until }) });
  });
}
