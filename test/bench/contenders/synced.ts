// When a program has read all there was when it started, by its own log: it cannot be seen from outside.

/** `I1116 10:56:20.281754   24039 shared_informer.go:409] "Caches are synced"`, in UTC and without a year. */
const NATIVE = /^I(\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d{3})\d* .*"Caches are synced"/gm;

/** When the last controller of a controller-manager had all it needs. */
export function nativeSyncedAt(log: string, year: number = new Date().getUTCFullYear()): number | undefined {
  const last = [...log.matchAll(NATIVE)].at(-1);
  return last && Date.parse(`${year}-${last[1]}-${last[2]}T${last[3]}Z`);
}

const OURS = /^.*"msg":"sources have synced, workers start".*$/gm;

/** When our operator, elected, had all it needs. */
export function ourSyncedAt(log: string): number | undefined {
  const last = [...log.matchAll(OURS)].at(-1);
  return last && Date.parse((JSON.parse(last[0]) as { ts: string }).ts);
}
