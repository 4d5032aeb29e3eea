// The access to an API server: one cluster and one user, taken from kubeconfig files, from the files of a pod's
// ServiceAccount, or from a KubeConfig of client-node. Entries are read by client-node's own parser, imported from the
// one small module that holds it: `@kubernetes/client-node/dist/config.js` pulls in every generated API (0.9 s and
// 83 MB when not bundled), `config_types.js` costs 13 ms and 3 MB.

import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { dirname, resolve } from 'node:path';
import {
  type Cluster,
  type Context,
  newClusters,
  newContexts,
  newUsers,
  type User,
} from '@kubernetes/client-node/dist/config_types.js';

/** An API server, and who signs in there. */
export interface Access {
  readonly cluster: Cluster;
  readonly user: User;
  /** The namespace of requests that name none. */
  readonly namespace?: string;
  /** Groups to act as, together with the user's `impersonateUser`. */
  readonly impersonateGroups?: readonly string[];
}

interface Entries {
  readonly clusters: readonly Cluster[];
  readonly contexts: readonly Context[];
  readonly users: readonly User[];
  readonly currentContext: string | undefined;
}

/** Reads kubeconfig files as kubectl does: of entries with the same name the first one counts. */
export async function readKubeconfig(files: readonly string[], context?: string): Promise<Access> {
  const parsed: Entries[] = [];
  // One after the other, so that of several broken files it is always the first that is named.
  for (const file of files) parsed.push(await readEntries(file));
  return choose(parsed, `kubeconfig ${files.join(', ')}`, context);
}

async function readEntries(file: string): Promise<Entries> {
  try {
    return await entriesOf(await readFile(file, 'utf8'), dirname(file));
  } catch (error) {
    throw new Error(`kubeconfig ${file}: ${withoutExcerpt((error as Error).message)}`, { cause: error });
  }
}

/** The parser of YAML quotes the lines where it stops, and those of a kubeconfig may be credentials. */
function withoutExcerpt(message: string): string {
  return (message.split('\n')[0] as string).replace(/:$/, '');
}

/** Reads the text of one kubeconfig; its relative paths start at `directory`. */
export async function parseKubeconfig(text: string, directory: string, context?: string): Promise<Access> {
  return choose([await entriesOf(text, directory)], 'kubeconfig', context);
}

/** What is asked of client-node's KubeConfig, whose own declaration needs types that client-node does not bring. */
export interface KubeConfig {
  getCurrentCluster(): Cluster | null;
  getCurrentUser(): User | null;
  getCurrentContext(): string;
  getContextObject(name: string): Context | null;
}

/** The access a KubeConfig of client-node has in its current context. */
export function accessOf(config: KubeConfig): Access {
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  const context = config.getContextObject(config.getCurrentContext());
  if (cluster === null) throw new Error(`context "${config.getCurrentContext()}" names no known cluster`);
  return {
    cluster,
    user: user ?? { name: '' },
    ...(context?.namespace === undefined ? {} : { namespace: context.namespace }),
  };
}

/** Where a pod finds the API server and its ServiceAccount. */
export interface InCluster {
  /** KUBERNETES_SERVICE_HOST of the pod. */
  readonly host: string;
  /** KUBERNETES_SERVICE_PORT of the pod. */
  readonly port: string;
  /** @default '/var/run/secrets/kubernetes.io/serviceaccount' */
  readonly directory?: string;
}

/** The access of a pod through its ServiceAccount's mounted token, CA and namespace. */
export async function readInCluster(pod: InCluster): Promise<Access> {
  const directory = pod.directory ?? '/var/run/secrets/kubernetes.io/serviceaccount';
  const namespace = (await readFile(`${directory}/namespace`, 'utf8')).trim();
  const host = isIPv6(pod.host) ? `[${pod.host}]` : pod.host;
  return {
    cluster: {
      name: 'in-cluster',
      server: `https://${host}:${pod.port}`,
      caFile: `${directory}/ca.crt`,
      skipTLSVerify: false,
    },
    user: withTokenFile({ name: 'in-cluster' }, `${directory}/token`),
    namespace,
  };
}

/** The file this user's token is read from, again and again. */
export function tokenFileOf(user: User): string | undefined {
  return user.authProvider?.config?.tokenFile;
}

/** client-node has no field for a token file; its own in-cluster user carries one in this place. */
function withTokenFile(user: User, tokenFile: string): User {
  const { token: _stale, ...rest } = user;
  return { ...rest, authProvider: { name: 'tokenFile', config: { tokenFile } } };
}

async function entriesOf(text: string, directory: string): Promise<Entries> {
  const { parse } = await import('yaml'); // a pod has no kubeconfig, and needs no parser for it
  const config = parse(text) ?? {};
  if (typeof config !== 'object') {
    throw new Error(`it holds a ${typeof config}, not an object with clusters, users and contexts`);
  }
  for (const list of ['clusters', 'users', 'contexts']) {
    if (!Array.isArray(config[list] ?? [])) throw new Error(`${list} is not a list`);
  }
  const absolute = (file: string | undefined): string | undefined => (file ? resolve(directory, file) : undefined);
  const tokenFiles = new Map<string, string | undefined>(
    (config.users ?? []).map((entry: { name: string; user?: { tokenFile?: string } }) => [
      entry.name,
      absolute(entry.user?.tokenFile),
    ]),
  );
  return {
    clusters: newClusters(config.clusters).map((cluster) => withFiles(cluster, { caFile: absolute(cluster.caFile) })),
    contexts: newContexts(config.contexts),
    users: newUsers(config.users).map((user) => {
      const files = { certFile: absolute(user.certFile), keyFile: absolute(user.keyFile) };
      const tokenFile = tokenFiles.get(user.name);
      return tokenFile === undefined ? withFiles(user, files) : withTokenFile(withFiles(user, files), tokenFile);
    }),
    currentContext: config['current-context'],
  };
}

function withFiles<T extends object>(entry: T, files: Readonly<Record<string, string | undefined>>): T {
  const known = Object.entries(files).filter(([, file]) => file !== undefined);
  return { ...entry, ...Object.fromEntries(known) };
}

/** `source` names the files in messages. */
function choose(configs: readonly Entries[], source: string, wanted?: string): Access {
  const name = wanted ?? configs.find((config) => config.currentContext)?.currentContext;
  const contexts = configs.flatMap((config) => config.contexts);
  const context = named(contexts, name);
  if (context === undefined) {
    if (contexts.length === 0) throw new Error(`${source} has no contexts`);
    const missing = name === undefined ? 'current-context' : `context "${name}"`;
    throw new Error(`${source} has no ${missing}; it has ${contexts.map((each) => each.name).join(', ')}`);
  }
  const cluster = named(
    configs.flatMap((config) => config.clusters),
    context.cluster,
  );
  if (cluster === undefined)
    throw new Error(`context "${context.name}": ${source} has no cluster "${context.cluster}"`);
  if (!URL.canParse(cluster.server)) {
    throw new Error(`${source}: the server of cluster "${cluster.name}" is no URL: "${cluster.server}"`);
  }
  const user =
    context.user === undefined
      ? { name: '' }
      : named(
          configs.flatMap((config) => config.users),
          context.user,
        );
  if (user === undefined) throw new Error(`context "${context.name}": ${source} has no user "${context.user}"`);
  return { cluster, user, ...(context.namespace === undefined ? {} : { namespace: context.namespace }) };
}

function named<T extends { readonly name: string }>(entries: readonly T[], name: string | undefined): T | undefined {
  return entries.find((entry) => entry.name === name);
}
