// A process of its own that takes a lock: says `holding`, then holds it until its standard input closes.
// `waiting <pid>` is said for each look at a lock that another process holds.

import { once } from 'node:events';
import { withLock } from '../../../src/cluster/binaries/lock.ts';
import { monotonicClock } from '../../../src/runtime/clock.ts';

const path = process.argv[2] ?? '';
const onWait = (pid: number): void => console.log(`waiting ${pid}`);

await withLock(path, { clock: monotonicClock, onWait }, async () => {
  console.log('holding');
  await once(process.stdin.resume(), 'end');
});
