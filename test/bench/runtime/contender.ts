// One measurement in a process of its own, so that nobody pays for another's memory: `node contender.ts WHAT WHO
// KUBECONFIG NAMESPACE COUNT`. Prints what it measured as JSON, and ends.

import { readFileSync } from 'node:fs';
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { Pool } from 'undici';
import { Cache } from '../../../src/runtime/cache/cache.ts';
import { readKubeconfig } from '../../../src/runtime/client/access.ts';
import { createClient } from '../../../src/runtime/client/client.ts';
import { Connection } from '../../../src/runtime/client/connection.ts';
import { CredentialReader } from '../../../src/runtime/client/credentials.ts';
import { podInformer } from '../../../src/workload/pod-cache.ts';
import { pods } from '../../../src/workload/write-context.ts';
import { concurrently, range } from '../concurrently.ts';
import { cpuSeconds } from '../process-usage.ts';
import { type Measured, podNamed } from './measured.ts';

const [what, who, kubeconfig = '', namespace = '', count = '0'] = process.argv.slice(2);
const never = new AbortController().signal;

/** A function that creates one pod, for each contender. */
const CREATE: Readonly<Record<string, () => Promise<(name: string) => Promise<unknown>>>> = {
  async ours() {
    const client = createClient(new Connection(await readKubeconfig([kubeconfig])));
    return (name) => client.create(pods, podNamed(namespace, name) as never);
  },
  async 'client-node'() {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const api = config.makeApiClient(CoreV1Api);
    return (name) => api.createNamespacedPod({ namespace, body: podNamed(namespace, name) });
  },
  async undici() {
    const access = await readKubeconfig([kubeconfig]);
    const { tls } = await new CredentialReader(access).read();
    const pool = new Pool(access.cluster.server, { connections: 64, connect: tls });
    return async (name) => {
      const body = JSON.stringify(podNamed(namespace, name));
      const headers = { 'content-type': 'application/json' };
      const path = `/api/v1/namespaces/${namespace}/pods`;
      const answer = await pool.request({ method: 'POST', path, headers, body });
      const pod = await answer.body.json();
      if (answer.statusCode !== 201) throw new Error(JSON.stringify(pod));
      return pod;
    };
  },
};

/** A function that returns when every pod of the cluster is known, for each contender. */
const SYNC: Readonly<Record<string, () => Promise<() => unknown>>> = {
  async ours() {
    const cache = new Cache(createClient(new Connection(await readKubeconfig([kubeconfig]))));
    const informer = podInformer(cache);
    void cache.start(never);
    await cache.waitForSync(never);
    return () => informer.list().length;
  },
  async 'client-node'() {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const api = config.makeApiClient(CoreV1Api);
    const informer = makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces());
    await informer.start();
    return () => informer.list().length;
  },
};

async function measure(): Promise<Measured> {
  const chosen = (what === 'create' ? CREATE : SYNC)[who ?? ''];
  if (chosen === undefined) throw new Error(`nobody called "${who}" can ${what}`);
  const cpuBefore = cpuNow();
  if (what === 'create') {
    const create = (await chosen()) as (name: string) => Promise<unknown>;
    await create('warm-up'); // connections, and code that is compiled when first used
    const [startedAt, cpuAtStart] = [performance.now(), cpuNow()];
    await concurrently(range(Number(count)), (index) => create(`pod-${index}`));
    return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: cpuNow() - cpuAtStart, ...memory() };
  }
  const startedAt = performance.now();
  const known = (await chosen()) as () => number;
  const seconds = (performance.now() - startedAt) / 1000;
  if (known() < Number(count)) throw new Error(`${who} knows ${known()} pods of ${count}`);
  const measured = { seconds, cpuSeconds: cpuNow() - cpuBefore, ...memory() };
  known(); // alive until here
  return measured;
}

function cpuNow(): number {
  return cpuSeconds(readFileSync('/proc/self/stat', 'utf8'));
}

function memory(): Pick<Measured, 'heapMiB' | 'peakRssMiB'> {
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return { heapMiB: process.memoryUsage().heapUsed / 2 ** 20, peakRssMiB: Number(kibibytes ?? rss / 1024) / 1024 };
}

process.stdout.write(JSON.stringify(await measure()));
process.exit(0); // watches would keep it alive
