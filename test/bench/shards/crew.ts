// Who is measured: the native controllers in one process, or our operator in one or several, which then share the namespaces.

import { join } from 'node:path';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { GuardedProcess } from '../../../src/cluster/guarded-process.ts';
import { type LocalOperator, startOperator } from '../../../src/local/operator.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { leases } from '../../../src/runtime/leader-election/lease.ts';
import { range } from '../concurrently.ts';
import type { Contender } from '../contenders/contender.ts';

export interface Crew {
  readonly processes: readonly GuardedProcess[];
  stop(): Promise<void>;
}

const GRACE_MS = 10_000;

export async function nativeCrew(native: Contender): Promise<Crew> {
  const process = await native.start();
  return { processes: [process], stop: () => process.stop(GRACE_MS) };
}

/** So many processes of our operator, each with as many ranges as the others. */
export class OurCrew implements Crew {
  readonly shards: number;
  readonly #cluster: Cluster;
  #members: readonly LocalOperator[] = [];
  static #started = 0;

  private constructor(cluster: Cluster, shards: number) {
    this.#cluster = cluster;
    this.shards = shards;
  }

  static async start(cluster: Cluster, size: number): Promise<OurCrew> {
    // What former processes hold that were killed would have to run out first.
    await cluster.client.deleteCollection(leases, { namespace: INSTALLATION.namespace });
    const crew = new OurCrew(cluster, size);
    crew.#members = await Promise.all(range(size).map(() => crew.#start()));
    return crew;
  }

  get processes(): readonly GuardedProcess[] {
    return this.#members.map(({ process }) => process);
  }

  get members(): readonly LocalOperator[] {
    return this.#members;
  }

  /** One more. */
  async join(): Promise<LocalOperator> {
    const member = await this.#start();
    this.#members = [...this.#members.filter(({ process }) => process.running), member];
    return member;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.stop()));
  }

  #start(): Promise<LocalOperator> {
    const flags = ['--leader-elect', ...(this.shards > 1 ? [`--shards=${this.shards}`] : [])];
    const name = `operator-${OurCrew.#started++}`;
    return startOperator(this.#cluster, { name, program: programOf(this.#cluster), flags });
  }
}

/** Where the operator's bundle is. */
export function programOf({ home }: Cluster): string {
  return join(home, 'operator.mjs');
}
