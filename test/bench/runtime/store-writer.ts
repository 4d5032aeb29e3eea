// Changes ConfigMaps at a steady rate, in a process of its own: `node store-writer.ts ETCD PER-SECOND SECONDS`, with the
// objects as a JSON list on standard input. It writes into the API server's store, past the API server, because two
// cores cannot take a thousand requests a second and still have time for what is measured; the server's watches
// carry such a change like any other.

import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { concurrently, range } from '../concurrently.ts';
import type { ConfigMap } from './latency.ts';
import { monotonicMs } from './monotonic.ts';

const SOCKETS = 64;

const [etcd = '', perSecond = '', seconds = ''] = process.argv.slice(2);
const objects = JSON.parse(await text(process.stdin)) as readonly ConfigMap[];
const pool = new Pool(etcd, { connections: SOCKETS });

const startedAt = monotonicMs();
await concurrently(range(Number(perSecond) * Number(seconds)), async (index) => {
  const due = startedAt + (index / Number(perSecond)) * 1000;
  if (monotonicMs() < due) await delay(due - monotonicMs());
  await put(objects[index % objects.length] as ConfigMap);
});
await pool.close();

async function put(object: ConfigMap): Promise<void> {
  const { namespace, name } = object.metadata;
  const value = { apiVersion: 'v1', kind: 'ConfigMap', ...object, data: { sentAt: String(monotonicMs()) } };
  const body = JSON.stringify({
    key: base64(`/registry/configmaps/${namespace}/${name}`),
    value: base64(JSON.stringify(value)),
  });
  const answer = await pool.request({ method: 'POST', path: '/v3/kv/put', body });
  const said = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`writing ${name}: ${answer.statusCode} ${said}`);
}

function base64(plain: string): string {
  return Buffer.from(plain).toString('base64');
}
