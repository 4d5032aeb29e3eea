// The program behind limit.ts: an HTTP pool with 64 sockets and a loop, nothing of ours in the way. Told first how to
// reach the API server, then batch by batch what to create; answers each when it is done. Ends with its channel.

import { once } from 'node:events';
import { Pool } from 'undici';
import { concurrently, range } from '../concurrently.ts';
import type { Access, Batch } from './limit.ts';

const SOCKETS = 64;

const [access] = (await once(process, 'message')) as [Access];
const pool = new Pool(access.server, { connections: SOCKETS, connect: access.tls });

process.on('disconnect', () => process.exit());
process.on('message', async (batch: Batch) => {
  await concurrently(range(batch.count), (index) => create(batch, index));
  process.send?.('done');
});
process.send?.('ready');

async function create({ pod }: Batch, index: number): Promise<void> {
  const name = `${pod.metadata.name}-${index}`;
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: access.path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...pod, metadata: { ...pod.metadata, name } }),
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`creating ${name}: ${statusCode} ${text.slice(0, 300)}`);
}
