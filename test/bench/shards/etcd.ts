// Writes objects into etcd past the API server, as the API server would store them: fifty thousand pods in seconds. Its watch
// cache learns of them from etcd, so that from then on they are pods like any others.

import { readFile } from 'node:fs/promises';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { concurrently, range } from '../concurrently.ts';

export interface Entry {
  readonly key: string;
  readonly value: string;
}

/** As many as etcd takes in a transaction. */
const MOST_IN_ONE = 128;

export async function writeToEtcd(cluster: Cluster, entries: readonly Entry[]): Promise<void> {
  const url = `${await clientUrlOf(cluster)}/v3/kv/txn`;
  const starts = range(Math.ceil(entries.length / MOST_IN_ONE)).map((index) => index * MOST_IN_ONE);
  await concurrently(starts, async (start) => {
    const success = entries.slice(start, start + MOST_IN_ONE).map(({ key, value }) => ({
      requestPut: { key: base64(key), value: base64(value) },
    }));
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ success }) });
    if (!answer.ok) throw new Error(`etcd refuses a write: ${answer.status} ${await answer.text()}`);
  });
}

/** The port is chosen at the start of the cluster, and said on the command line of etcd alone. */
async function clientUrlOf(cluster: Cluster): Promise<string> {
  const line = await readFile(`/proc/${cluster.process('etcd').pid}/cmdline`, 'utf8');
  const [, url] = /--listen-client-urls=([^\0]+)/.exec(line) ?? [];
  if (url === undefined) throw new Error(`etcd was started without --listen-client-urls: ${line}`);
  return url;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
