// What a test has of a cluster: a client and kubectl as administrator, namespaces of its own, users with fewer rights, and a
// network that fails on demand. It is the same for the cluster that all test files share and for one that a test file has started
// for itself; only the latter can be broken.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Cluster } from '../cluster/cluster.ts';
import { type Credentials, writeKubeconfig } from '../cluster/kubeconfig.ts';
import { type KubectlOptions, type KubectlResult, runKubectl } from '../cluster/kubectl.ts';
import type { ClusterOptions } from '../cluster/options.ts';
import { issuerIn } from '../cluster/pki.ts';
import { programsForPeople } from '../cluster/programs.ts';
import { type Access, readKubeconfig } from '../runtime/client/access.ts';
import { type Client, createClient } from '../runtime/client/client.ts';
import { Connection } from '../runtime/client/connection.ts';
import { createNamespace, podsAreWelcome, requestToken } from './namespace.ts';
import { announced, type ClusterPlace, RUN } from './place.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** A user of the API server: a client, a kubeconfig and kubectl with the same rights. */
export interface User {
  readonly client: Client;
  /** The path of a kubeconfig, for programs that the test starts. */
  readonly kubeconfig: string;
  /** Runs kubectl. A failure is a result, not an exception. */
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
}

/** A cluster, as its administrator has it. */
export interface TestCluster extends User {
  /** Where the API server is, e.g. `https://127.0.0.1:12345`. */
  readonly server: string;
  /** PEM of the CA behind the API server's certificate. */
  readonly ca: string;
  /** The cluster's own directory; its logs are in `logs`. */
  readonly home: string;
  readonly place: ClusterPlace;
  /** A namespace that no other test uses, in which pods can be created. It goes with the cluster. */
  namespace(): Promise<string>;
  /** A token of that ServiceAccount, as the kubelet would mount it. */
  token(namespace: string, serviceAccount: string): Promise<string>;
  /** A pod of this ServiceAccount, as far as its rights go. */
  serviceAccount(namespace: string, name: string): Promise<User>;
  /** A person who has signed in with a certificate, and has the rights that RBAC gives to this name and to these groups. */
  user(name: string, groups?: readonly string[]): Promise<User>;
  /** The administrator behind a network that a test can cut, stall, delay and heal. */
  throughNetwork(): Promise<User & { readonly network: TcpProxy }>;
  /** Closes what the test has opened, and stops a cluster that is the test's own. */
  close(): Promise<void>;
}

/** A cluster of the test's own, which it may break. */
export interface OwnCluster extends TestCluster {
  /** Its components, which can be stopped, restarted and frozen. */
  readonly cluster: Cluster;
}

/** What a test has of the cluster at this place. */
async function testCluster(place: ClusterPlace): Promise<TestCluster> {
  const access = await readKubeconfig([place.kubeconfig]);
  const users = new Users(place, access);
  const { client, kubeconfig, kubectl } = users.at(access, place.kubeconfig);
  const token = (namespace: string, serviceAccount: string) => requestToken(client, namespace, serviceAccount);
  return {
    client,
    kubeconfig,
    kubectl,
    server: access.cluster.server,
    ca: decode(access.cluster.caData),
    home: place.home,
    place,
    token,
    namespace: async () => {
      const name = `test-${randomBytes(4).toString('hex')}`;
      await createNamespace(client, name);
      await podsAreWelcome(client, name);
      return name;
    },
    serviceAccount: async (namespace, name) =>
      users.signIn(`${namespace}.${name}`, { token: await token(namespace, name) }),
    user: async (name, groups = []) => {
      const issueClient = await issuerIn(join(place.home, 'pki'));
      return users.signIn(name, await issueClient(name, groups));
    },
    throughNetwork: () => users.signInThroughNetwork(),
    close: () => users.close(),
  };
}

/** All users that have signed in from this process. */
class Users {
  readonly #place: ClusterPlace;
  readonly #admin: Access;
  readonly #opened: { close(): Promise<void> }[] = [];

  constructor(place: ClusterPlace, admin: Access) {
    this.#place = place;
    this.#admin = admin;
  }

  at(access: Access, kubeconfig: string): User {
    const connection = new Connection(access);
    this.#opened.push(connection);
    const program = this.#place.programs.kubectl;
    return {
      client: createClient(connection),
      kubeconfig,
      kubectl: (args, options) => runKubectl(program, args, { kubeconfig, ...options }),
    };
  }

  async signIn(user: string, credentials: Credentials, server = this.#admin.cluster.server): Promise<User> {
    const file = `user-${user.replaceAll(/[^A-Za-z0-9.-]/g, '-')}.kubeconfig`;
    const kubeconfig = join(this.#place.home, file);
    await writeKubeconfig(kubeconfig, { server, ca: decode(this.#admin.cluster.caData), user, credentials });
    return this.at(await readKubeconfig([kubeconfig]), kubeconfig);
  }

  async signInThroughNetwork(): Promise<User & { readonly network: TcpProxy }> {
    const network = await TcpProxy.to(this.#admin.cluster.server);
    this.#opened.push(network);
    const { certData, keyData } = this.#admin.user;
    const credentials = { cert: decode(certData), key: decode(keyData) };
    return { ...(await this.signIn(`through-${new URL(network.url).port}`, credentials, network.url)), network };
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((each) => each.close()));
  }
}

const NO_CLUSTER =
  "no shared cluster: name mydeployment/testing/setup as the test runner's global setup (docs/testing.md has the line for " +
  'jest, vitest and node:test), or start a cluster of your own with startCluster()';

/** The cluster that all test files of this run share. */
export async function sharedCluster(): Promise<TestCluster> {
  const place = announced();
  if (place === undefined) throw new Error(NO_CLUSTER);
  return testCluster(place);
}

let started = 0;

/** Starts a cluster for the caller alone. On a machine that has none of the programs yet, getting them takes a while. */
export async function startCluster(options: ClusterOptions = {}): Promise<OwnCluster> {
  const shared = announced();
  const programs = shared?.programs ?? (await programsForPeople());
  // Begins with the name of the run, so that its logs are removed with those of the run.
  const { name = String(++started) } = options;
  const run = shared?.name ?? `${RUN}${process.pid}`;
  const cluster = await Cluster.start(programs, { ...options, name: `${run}-${name}` });
  const { home, kubeconfig } = cluster;
  const own = await testCluster({ name: cluster.name, home, kubeconfig, programs });
  const close = async (): Promise<void> => {
    await own.close();
    await cluster.stop();
  };
  return { ...own, cluster, close };
}

function decode(data: string | undefined): string {
  return Buffer.from(data ?? '', 'base64').toString();
}
