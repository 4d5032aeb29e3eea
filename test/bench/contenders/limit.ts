// The limit: no controller at all. A bare client creates the pods, and the cluster makes them Ready as fast as it can.
// Whatever owns pods can at best come close to this. It runs in a process of its own, as the controllers do.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { Manifest } from '../../../src/runtime/object.ts';
import { collectionPath } from '../../../src/runtime/resource.ts';
import type { WatchedPod } from '../pod-tally.ts';
import { pods } from '../stopwatch.ts';
import { barePod } from '../workload.ts';

/** What the program is told once, and for each batch of pods. */
export interface Access {
  readonly server: string;
  readonly path: string;
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };
}

export interface Batch {
  readonly pod: Manifest<WatchedPod>;
  readonly count: number;
}

export const LIMIT_USER = 'bench-limit';

export class Limit {
  readonly #program: ChildProcess;
  readonly #namespace: string;
  #batches = 0;

  private constructor(program: ChildProcess, namespace: string) {
    this.#program = program;
    this.#namespace = namespace;
  }

  /** Starts the program, signed in and ready to create pods in this namespace. */
  static async start(cluster: Cluster, namespace: string): Promise<Limit> {
    const { cert, key } = await cluster.pki.issueClient(LIMIT_USER, ['system:masters']);
    // It ends when the channel closes, so it cannot outlive us.
    const program = fork(join(import.meta.dirname, 'limit-program.ts'));
    const limit = new Limit(program, namespace);
    const path = collectionPath(pods, namespace);
    await limit.#ask({ server: cluster.server, path, tls: { ca: cluster.ca, cert, key } } satisfies Access);
    return limit;
  }

  get pid(): number {
    return this.#program.pid as number;
  }

  /** Creates pods of this image; resolves when the API server has answered for the last of them. */
  async create(count: number, image: string): Promise<void> {
    const pod = barePod(this.#namespace, `bare-${++this.#batches}`, image);
    await this.#ask({ pod, count } satisfies Batch);
  }

  async stop(): Promise<void> {
    if (this.#program.exitCode !== null || !this.#program.connected) return;
    const exited = once(this.#program, 'exit');
    this.#program.disconnect();
    await exited;
  }

  async #ask(question: Access | Batch): Promise<void> {
    const answer = once(this.#program, 'message');
    this.#program.send(question);
    const ended = once(this.#program, 'exit').then(([code]) => {
      throw new Error(`the limit's program ended with code ${code}`);
    });
    await Promise.race([answer, ended]);
  }
}
