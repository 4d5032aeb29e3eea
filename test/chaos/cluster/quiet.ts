// Eventually stable: an operator that has nothing left to do writes nothing more.

import { setTimeout as delay } from 'node:timers/promises';
import type { Lane } from './lane.ts';

/** Of what was decided, all is written by then: controllers look again after a second. */
const QUIET_MS = 1_200;
const PATIENCE_MS = 30_000;

/** Waits until nothing has been written about the lane's namespace for a while; throws if that does not come. */
export async function quiet({ proxy, namespace }: Lane): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let before = -1; ; ) {
    const writes = proxy.writesAbout(namespace);
    if (writes === before) return;
    if (Date.now() > deadline) throw new Error(`${writes - before} writes long after everything was done`);
    before = writes;
    await delay(QUIET_MS);
  }
}
