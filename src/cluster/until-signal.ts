// Waits for a person or a process to say stop. Signal handlers alone do not keep Node running, so this does.

/** Resolves on the first Ctrl-C or SIGTERM; a second one ends this process at once, and its cluster with it. */
export function untilSignal(): Promise<void> {
  const alive = setInterval(() => {}, 1 << 30);
  return new Promise((resolve) => {
    let signals = 0;
    const onSignal = (): void => {
      if (++signals > 1) process.exit(130);
      clearInterval(alive);
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
