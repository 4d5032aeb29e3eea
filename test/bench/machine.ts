// Where the numbers come from, so that a reader can compare them with his own; nothing that names the machine's owner.

import { availableParallelism, loadavg, totalmem } from 'node:os';
import type { Client } from '../../src/runtime/client/client.ts';

export interface Machine {
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly kubernetes: string;
  /** What else it had to do in the minute before the benchmark began, in cores. */
  readonly loadBefore: number;
}

/** Describes this machine and the cluster on it. `loadBefore` is taken before the cluster is started. */
export async function describeMachine(client: Client, loadBefore: number): Promise<Machine> {
  const { body } = await client.raw('GET', '/version');
  return {
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    kubernetes: (JSON.parse(body) as { gitVersion: string }).gitVersion,
    loadBefore,
  };
}

/** The load of the last minute. */
export function currentLoad(): number {
  return loadavg()[0] ?? 0;
}

/** The machine in a line. */
export function machineSaid({ cores, memoryGiB, loadBefore, kubernetes, node }: Machine): string {
  return `${cores} cores, ${memoryGiB} GiB, load before ${loadBefore.toFixed(1)}; Kubernetes ${kubernetes}, Node ${node}`;
}

/** What the numbers are of. */
export function roundsSaid(rounds: number): string {
  return rounds === 1 ? 'one round' : `medians of ${rounds} rounds`;
}
