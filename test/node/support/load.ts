// Requests through a Service while something else happens: a process in the node's network asks again and again, each time on
// a new connection, until it is told to stop.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { SYSTEM_PATH } from '../../../src/cluster/node/sandbox.ts';
import { eventually } from '../../support/eventually.ts';
import type { RealCluster } from './real-cluster.ts';

export interface LoadResult {
  readonly answered: number;
  /** What went wrong, once for each request. */
  readonly failures: readonly string[];
  /** The bodies of the answers, each once, in the order in which they were first seen. */
  readonly bodies: readonly string[];
}

/** Asks for `url` from four clients at once, each at least once, for as long as the story goes on. */
export async function underLoad(real: RealCluster, url: string, story: () => Promise<void>): Promise<LoadResult> {
  const program = new URL('load-program.ts', import.meta.url).pathname;
  const [file, ...args] = real.cluster.sandbox.inNetwork([process.execPath, program, url]);
  const clients = spawn(file, args, { env: { PATH: SYSTEM_PATH }, stdio: ['pipe', 'pipe', 'inherit'] });
  const report = text(clients.stdout);
  const closed = once(clients, 'close');
  try {
    await story();
  } finally {
    clients.stdin.end();
    await closed;
  }
  return JSON.parse(await report) as LoadResult;
}

/** Waits until kube-proxy leads to servers that answer. */
export async function firstAnswer(real: RealCluster, url: string): Promise<void> {
  await eventually(async () => expect(await underLoad(real, url, async () => {})).toMatchObject({ failures: [] }));
}
