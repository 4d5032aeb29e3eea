// The limit's turn: it knows one work only, to create N pods. The same watch takes the time, and the same things count
// as its cost, as for controllers.

import { setTimeout as delay } from 'node:timers/promises';
import { LIMIT_USER, Limit } from './contenders/limit.ts';
import { measure, type Timing } from './sample.ts';
import { pods, Stopwatch } from './stopwatch.ts';
import { namespaceOf, SETTLE_MS, type TurnProps, warmUpSize } from './turn.ts';

const IMAGE = 'app:v1';

/** A turn of the limit. */
export async function playLimit(props: TurnProps): Promise<void> {
  const { cluster, audit, size, signal, round, onSample } = props;
  const watch = await Stopwatch.open({ kubeconfig: cluster.kubeconfig, namespace: namespaceOf('limit'), signal });
  const limit = await Limit.start(cluster, namespaceOf('limit'));
  const settle = (): Promise<void> => delay(SETTLE_MS, undefined, { signal });
  try {
    await create(limit, watch, warmUpSize(size));
    await clear(props, watch);
    await settle();
    const subject = { pid: () => limit.pid, users: [LIMIT_USER], audit };
    const cost = await measure(subject, () => create(limit, watch, size), settle);
    onSample({ contender: 'limit', round, work: 'create', ...cost });
    await clear(props, watch);
  } finally {
    await limit.stop();
    await watch.close();
  }
}

async function create(limit: Limit, watch: Stopwatch, count: number): Promise<Timing> {
  const started = performance.now();
  const [at] = await Promise.all([until(watch, count), limit.create(count, IMAGE)]);
  return { seconds: (at - started) / 1000 };
}

async function clear({ cluster }: TurnProps, watch: Stopwatch): Promise<void> {
  await cluster.client.deleteCollection(pods, { namespace: namespaceOf('limit') });
  await until(watch, 0);
}

/** When that many pods were there, and all of them Ready. */
function until(watch: Stopwatch, count: number): Promise<number> {
  const holds = (): boolean => watch.pods.present === count && watch.pods.ready(IMAGE) === count;
  return watch.until(`${count} pods are Ready`, holds, count);
}
