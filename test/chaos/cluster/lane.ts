// Where one run plays while others play beside it on the same cluster: operators that see nothing but the namespaces of
// this lane, reach the API server through a network and a proxy of its own, and sign in with a token of its own. So a
// fault in one lane is none in another.

import { randomBytes } from 'node:crypto';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { type LocalOperator, type OperatorSetup, startOperator } from '../../../src/local/operator.ts';
import { createNamespace, podsAreWelcome } from '../../support/namespace.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { SignIn } from './sign-in.ts';
import { WriteProxy } from './write-proxy.ts';

/** What all lanes share. */
export interface Field {
  readonly cluster: Cluster;
  /** The bundle of the operator. */
  readonly program: string;
}

/** Which operators work in a lane. */
export interface Crew {
  readonly size: number;
  readonly flags: readonly string[];
  readonly webhooks: boolean;
}

const ALONE: Crew = { size: 1, flags: [], webhooks: false };

export class Lane {
  readonly cluster: Cluster;
  readonly proxy: WriteProxy;
  readonly network: TcpProxy;
  readonly signIn: SignIn;
  /** Of the present run. */
  namespace = '';
  readonly #program: string;
  readonly #name: string;
  /** Each with the namespaces that it sees. */
  readonly #operators = new Map<LocalOperator, readonly string[]>();
  #crew = ALONE;
  #ahead: string | undefined;
  /** The namespace before this one, and how much had been written about it by the time it was left. */
  #left = { namespace: '', writes: 0 };
  #starting: Promise<void> = Promise.resolve();

  private constructor({ cluster, program }: Field, name: string, ways: Pick<Lane, 'proxy' | 'network' | 'signIn'>) {
    this.cluster = cluster;
    this.proxy = ways.proxy;
    this.network = ways.network;
    this.signIn = ways.signIn;
    this.#program = program;
    this.#name = name;
  }

  static async open(field: Field, name: string): Promise<Lane> {
    const proxy = await WriteProxy.to(field.cluster);
    const network = await TcpProxy.to(proxy.url);
    return new Lane(field, name, { proxy, network, signIn: await SignIn.at(network.url, field.cluster, name) });
  }

  /** Those that are running, the longest-serving first. */
  get operators(): readonly LocalOperator[] {
    return [...this.#operators.keys()].filter(({ process }) => process.running);
  }

  /** How many writes there were about the namespace before this one, since it was left. */
  get lateWrites(): number {
    return this.proxy.writesAbout(this.#left.namespace) - this.#left.writes;
  }

  /** Moves on to a namespace in which nothing has happened yet, with these operators at work. */
  async enter(crew: Crew = ALONE): Promise<string> {
    this.#left = { namespace: this.namespace, writes: this.proxy.writesAbout(this.namespace) };
    this.namespace = this.#ahead ?? (await this.#freshNamespace());
    // The operator that survives this run is to see the next one's namespace, too.
    this.#ahead = await this.#freshNamespace();
    await podsAreWelcome(this.cluster.client, this.namespace);
    const isOfUse = (operator: LocalOperator): boolean =>
      crew === this.#crew && this.#operators.get(operator)?.includes(this.namespace) === true;
    await kill(this.operators.filter((operator) => !isOfUse(operator)));
    this.#crew = crew;
    await this.ensure();
    return this.namespace;
  }

  /** Starts operators until there are as many as there should be. */
  async ensure(): Promise<void> {
    const starting = this.#starting.catch(() => {}).then(() => this.#fill());
    this.#starting = starting;
    await starting;
  }

  async killAll(): Promise<void> {
    await kill(this.operators);
  }

  async close(): Promise<void> {
    await this.killAll();
    await this.network.close();
    await this.proxy.close();
  }

  async #fill(): Promise<void> {
    const { size, flags, webhooks } = this.#crew;
    const sees = [this.namespace, this.#ahead as string];
    const { kubeconfig } = this.signIn;
    const confined = [`--namespaces=${sees.join(',')}`, ...flags];
    const setup = { name: this.#name, program: this.#program, kubeconfig, webhooks, flags: confined };
    while (this.operators.length < size) this.#operators.set(await this.#start(setup), sees);
  }

  /** Another lane may take a port between its choice and its use. */
  async #start(setup: OperatorSetup, attempts = 3): Promise<LocalOperator> {
    try {
      return await startOperator(this.cluster, setup);
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes('EADDRINUSE');
      if (!isTaken || attempts === 1) throw error;
      return this.#start(setup, attempts - 1);
    }
  }

  async #freshNamespace(): Promise<string> {
    const name = `${this.#name}-${randomBytes(4).toString('hex')}`;
    await createNamespace(this.cluster.client, name);
    return name;
  }
}

async function kill(operators: readonly LocalOperator[]): Promise<void> {
  await Promise.all(operators.map(({ process }) => process.kill()));
}
