// One measurement in a process of its own, so that none pays for another's memory: `PROGRAM create|sync KUBECONFIG
// NAMESPACE COUNT`. Prints what it measured as JSON, and ends. Each contender is a program that says how it creates a
// pod and how it gets to know all pods.

import { concurrently, range } from '../concurrently.ts';
import { usageOf } from '../process-usage.ts';
import type { Measured } from './measured.ts';

export interface RuntimeContender {
  /** Signs in; returns what creates one pod. */
  readonly create: (kubeconfig: string, namespace: string) => Promise<(name: string) => Promise<unknown>>;
  /** Returns when every pod of the cluster is known, with what counts them. */
  readonly sync?: (kubeconfig: string) => Promise<() => number>;
}

/** Plays what the command line asks for. */
export async function play(contender: RuntimeContender): Promise<never> {
  const [what, kubeconfig = '', namespace = '', count = ''] = process.argv.slice(2);
  const measured =
    what === 'create'
      ? await createAll(await contender.create(kubeconfig, namespace), Number(count))
      : await syncAll(contender, kubeconfig, Number(count));
  process.stdout.write(JSON.stringify(measured));
  process.exit(); // watches would keep it alive
}

async function createAll(create: (name: string) => Promise<unknown>, count: number): Promise<Measured> {
  await create('warm-up'); // connections, and code that is compiled when first used
  const [startedAt, before] = [performance.now(), await usageOf(process.pid)];
  await concurrently(range(count), (index) => create(`pod-${index}`));
  return measuredSince(startedAt, before.cpuSeconds);
}

async function syncAll({ sync }: RuntimeContender, kubeconfig: string, count: number): Promise<Measured> {
  if (sync === undefined) throw new Error('this contender keeps no cache');
  const [startedAt, before] = [performance.now(), await usageOf(process.pid)];
  const known = await sync(kubeconfig);
  const measured = await measuredSince(startedAt, before.cpuSeconds);
  if (known() < count) throw new Error(`${known()} pods are known, of ${count}`);
  return measured;
}

async function measuredSince(startedAt: number, cpuBefore: number): Promise<Measured> {
  const seconds = (performance.now() - startedAt) / 1000;
  const { cpuSeconds, peakRssMiB } = await usageOf(process.pid);
  globalThis.gc?.();
  return { seconds, cpuSeconds: cpuSeconds - cpuBefore, heapMiB: process.memoryUsage().heapUsed / 2 ** 20, peakRssMiB };
}
