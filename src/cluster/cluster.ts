// A real Kubernetes control plane that this process starts and stops: etcd, kube-apiserver, controller-manager, scheduler and
// kwok nodes or a real one. `Cluster.start` resolves when pods can be created and will become Ready; `stop` leaves nothing running.
// Whatever ends this process ends the cluster too (see guarded-process.ts).

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readKubeconfig } from '../runtime/client/access.ts';
import { type Client, createClient } from '../runtime/client/client.ts';
import { Connection } from '../runtime/client/connection.ts';
import type { NodeBinaries } from './binaries/binaries.ts';
import { readyCluster, readyServer } from './bring-up.ts';
import { argsOf, type ComponentName, type Places, type Ports } from './components.ts';
import { GuardedProcess } from './guarded-process.ts';
import { claimHome, releaseHome } from './home.ts';
import { type Credentials, writeKubeconfig } from './kubeconfig.ts';
import { type KubectlOptions, type KubectlResult, runKubectl } from './kubectl.ts';
import { nodeStages } from './kwok/node-stages.ts';
import { podStages } from './kwok/pod-stages.ts';
import { NODE_NAME } from './node/network.ts';
import { PortForward } from './node/port-forward.ts';
import { type NodeProgram, RealNode } from './node/real-node.ts';
import { type Command, Sandbox, SYSTEM_PATH } from './node/sandbox.ts';
import { type ClusterOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import { createPki, type Pki } from './pki.ts';
import { freePorts } from './ports.ts';

/** Paths of the programs, from `binaries()`. */
export type Programs = Readonly<Record<ComponentName | 'kubectl', string>>;

/** The users of the kubeconfigs: Kubernetes' own for its components, and an administrator for this process. */
const USERS = {
  admin: { user: 'embedded-admin', groups: ['system:masters'] },
  'kube-controller-manager': { user: 'system:kube-controller-manager', groups: [] },
  'kube-scheduler': { user: 'system:kube-scheduler', groups: [] },
  kwok: { user: 'kwok', groups: ['system:masters'] },
  kubelet: { user: `system:node:${NODE_NAME}`, groups: ['system:nodes'] },
  'kube-proxy': { user: 'system:kube-proxy', groups: [] },
} as const;

const STOP_GRACE_MS = 1500;
const START_ATTEMPTS = 3;

/** A Kubernetes control plane of real programs on this machine. */
export class Cluster {
  readonly name: string;
  readonly home: string;
  /** An administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly server: string;
  /** PEM of the CA behind the API server's certificate. */
  readonly ca: string;
  readonly pki: Pki;
  /** Signed in as administrator. */
  readonly client: Client;
  readonly #connection: Connection;
  readonly #programs: Programs;
  readonly #args: (component: ComponentName) => string[];
  readonly #processes = new Map<ComponentName, GuardedProcess>();
  readonly #places: Places;
  readonly #ports: Ports;
  #sandbox: Sandbox | undefined;
  #portForward: PortForward | undefined;
  #realNode: RealNode | undefined;

  private constructor(options: ResolvedOptions, programs: Programs, laid: LaidOut) {
    this.name = options.name;
    this.home = options.home;
    this.kubeconfig = join(options.home, 'kubeconfig');
    this.server = laid.server;
    this.ca = laid.pki.ca;
    this.pki = laid.pki;
    this.client = createClient(laid.connection);
    this.#connection = laid.connection;
    this.#programs = programs;
    this.#places = laid.places;
    this.#ports = laid.ports;
    this.#args = (component) => argsOf(component, options, laid.places, laid.ports);
  }

  /** Starts a cluster. If another process takes a port between choosing and binding, it tries again with other ports. */
  static async start(programs: Programs, options: ClusterOptions = {}): Promise<Cluster> {
    const resolved = resolveOptions(options);
    for (let attempt = 1; ; attempt++) {
      await claimHome(resolved.home);
      const cluster = new Cluster(resolved, programs, await layOut(resolved));
      try {
        await cluster.#bringUp(resolved);
        return cluster;
      } catch (error) {
        const portTaken = cluster.#logsMention('address already in use');
        await cluster.stop();
        if (!portTaken || attempt === START_ATTEMPTS) throw error;
      }
    }
  }

  /** Runs kubectl against this cluster, by default as administrator. */
  kubectl(args: readonly string[], options: KubectlOptions = {}): Promise<KubectlResult> {
    return runKubectl(this.#programs.kubectl, args, { kubeconfig: this.kubeconfig, ...options });
  }

  /** The real node, for images and commands inside of it. */
  get realNode(): RealNode {
    if (this.#realNode === undefined) throw new Error(`cluster ${this.name} has no real node`);
    return this.#realNode;
  }

  /** The namespaces of the real node. */
  get sandbox(): Sandbox {
    if (this.#sandbox === undefined) throw new Error(`cluster ${this.name} has no real node`);
    return this.#sandbox;
  }

  /** The running process of a component: its pid, its log, signals for it. */
  process(component: ComponentName | NodeProgram): GuardedProcess {
    const running = new Map(this.#all()).get(component);
    if (running === undefined) throw new Error(`${component} was never started in cluster ${this.name}`);
    return running;
  }

  /** Starts a component again with the flags it had, and with these, after stopping it if need be. */
  async restart(component: ComponentName, moreFlags: readonly string[] = []): Promise<void> {
    await this.process(component).stop(STOP_GRACE_MS);
    await this.#spawn(component, moreFlags);
    if (component === 'kube-apiserver' || component === 'etcd') await readyServer(this.client, this.#watchOver());
  }

  /** Writes a kubeconfig for another user of this API server, and returns its path. */
  async signIn(user: string, credentials: Credentials, server = this.server): Promise<string> {
    const path = join(this.home, `${user.replaceAll(/[^A-Za-z0-9.-]/g, '-')}.kubeconfig`);
    await writeKubeconfig(path, { server, ca: this.ca, user, credentials });
    return path;
  }

  /** Ends every process; etcd last, since the API server may still write while it shuts down. Safe to call twice. */
  async stop(): Promise<void> {
    const processes = this.#all();
    await Promise.all(processes.filter(([name]) => name !== 'etcd').map(([, each]) => each.stop(STOP_GRACE_MS)));
    await Promise.all(processes.map(([, each]) => each.stop(STOP_GRACE_MS)));
    await this.#portForward?.stop();
    await this.#sandbox?.close();
    await this.#connection.close();
    await releaseHome(this.home);
  }

  async #bringUp(options: ResolvedOptions): Promise<void> {
    if (options.realNode !== undefined) await this.#makeSandbox();
    await Promise.all([this.#spawn('etcd'), this.#spawn('kube-apiserver')]);
    const node = options.realNode === undefined ? undefined : await this.#startContainerd(options.realNode);
    await readyServer(this.client, this.#watchOver());
    const join = node === undefined ? this.#spawn('kwok') : node.join();
    await Promise.all([this.#spawn('kube-controller-manager'), this.#spawn('kube-scheduler'), join]);
    await readyCluster(this.client, options, this.#watchOver());
  }

  /** A real node's network is not the machine's: its control plane runs in there, and we reach it through one port. */
  async #makeSandbox(): Promise<void> {
    const name = `mydeployment-${this.name}-${process.pid}`;
    this.#sandbox = await Sandbox.create(name, join(this.home, 'logs', 'sandbox.log'));
    this.#portForward = await PortForward.start(this.#sandbox, this.#ports.api);
  }

  async #startContainerd(programs: NodeBinaries): Promise<RealNode> {
    const { home } = this;
    const { kubeconfigs, pki } = this.#places;
    this.#realNode = new RealNode({ home, sandbox: this.sandbox, programs, kubeconfigs, clientCa: pki.ca });
    await this.#realNode.startContainerd();
    return this.#realNode;
  }

  async #spawn(name: ComponentName, moreFlags: readonly string[] = []): Promise<void> {
    const logFile = join(this.home, 'logs', `${name}.log`);
    const command: Command = [this.#programs[name], ...this.#args(name), ...moreFlags];
    const [file, ...args] = this.#sandbox?.inNetwork(command) ?? command;
    // A person's proxy, Go and Kubernetes settings must not change what the tests see.
    const started = await GuardedProcess.start({ name, file, args, logFile, env: { PATH: SYSTEM_PATH } });
    this.#processes.set(name, started);
  }

  /** Throws as soon as a component has ended, so that the start does not wait for a server that is gone. */
  #watchOver(): () => void {
    return () => {
      for (const [name, each] of this.#all()) {
        if (!each.running) throw new Error(`${name} ended; the end of ${each.logFile}:\n${each.logTail()}`);
      }
    };
  }

  #all(): [ComponentName | NodeProgram, GuardedProcess][] {
    return [...this.#processes, ...(this.#realNode?.processes ?? [])];
  }

  #logsMention(text: string): boolean {
    return [...this.#processes.values()].some((each) => each.logTail(200).includes(text));
  }
}

interface LaidOut {
  readonly places: Places;
  readonly ports: Ports;
  readonly pki: Pki;
  readonly server: string;
  readonly connection: Connection;
}

/** Writes every file that the components read, and signs an administrator in. */
async function layOut(options: ResolvedOptions): Promise<LaidOut> {
  const { home } = options;
  const [etcdClient, etcdPeer, api] = (await freePorts(3)) as [number, number, number];
  const server = `https://127.0.0.1:${api}`;
  const pki = await createPki(join(home, 'pki'));
  const places: Places = {
    home,
    pki: pki.files,
    kubeconfigs: {
      'kube-controller-manager': join(home, 'kube-controller-manager.kubeconfig'),
      'kube-scheduler': join(home, 'kube-scheduler.kubeconfig'),
      kwok: join(home, 'kwok.kubeconfig'),
      kubelet: join(home, 'kubelet.kubeconfig'),
      'kube-proxy': join(home, 'kube-proxy.kubeconfig'),
    },
    kwokConfig: join(home, 'kwok.yaml'),
    auditPolicy: join(home, 'audit-policy.yaml'),
  };
  const admin = join(home, 'kubeconfig');
  await Promise.all([
    ...Object.entries({ ...places.kubeconfigs, admin }).map(async ([name, path]) => {
      const { user, groups } = USERS[name as keyof typeof USERS];
      await writeKubeconfig(path, { server, ca: pki.ca, user, credentials: await pki.issueClient(user, groups) });
    }),
    writeFile(places.kwokConfig, [...podStages, ...nodeStages].map((stage) => stringify(stage)).join('---\n')),
    writeFile(places.auditPolicy, stringify(AUDIT_POLICY)),
  ]);
  const connection = new Connection(await readKubeconfig([admin]));
  return { places, ports: { etcdClient, etcdPeer, api }, pki, server, connection };
}

/** Every request once, when it is answered, with who asked for what but without bodies. */
const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};
