// The way to the cluster that the flags, the environment and the kubeconfig together name, as kubectl finds it: --kubeconfig,
// else the files of KUBECONFIG that exist, else ~/.kube/config, else the ServiceAccount of the pod we run in.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Access, readInCluster, readKubeconfig } from '../runtime/client/access.ts';
import { type Client, createClient } from '../runtime/client/client.ts';
import { Connection } from '../runtime/client/connection.ts';
import { type Flags, UsageError } from './arguments.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Session {
  readonly client: Client;
  /** Where the commands work. */
  readonly namespace: string;
  /** As kubectl names it: host and port. */
  readonly server: string;
  close(): Promise<void>;
}

/** The user waits at the terminal, so an API server that cannot be reached is reported within about a second. */
const RETRY = { attempts: 3, firstDelayMs: 100, longestDelayMs: 500, longestRetryAfterMs: 5_000 };

/** Signs in. Nothing is sent yet. */
export async function openSession(flags: Flags, env: Environment): Promise<Session> {
  const access = await findAccess(flags, env);
  const connection = new Connection(actingAs(access, flags), { userAgent: 'kubectl-md' });
  return {
    client: createClient(connection, { fieldManager: 'kubectl-md', retry: RETRY }),
    namespace: flags.text('namespace') ?? access.namespace ?? 'default',
    server: connection.server.host,
    close: () => connection.close(),
  };
}

async function findAccess(flags: Flags, env: Environment): Promise<Access> {
  const named = flags.text('kubeconfig');
  if (named !== undefined && !existsSync(named)) throw new UsageError(`kubeconfig ${named} does not exist`);
  const files = (named === undefined ? kubeconfigFiles(env) : [named]).filter((file) => existsSync(file));
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (files.length > 0) return readKubeconfig(files, flags.text('context'));
  if (host !== undefined && port !== undefined) return readInCluster({ host, port });
  throw new UsageError(`no kubeconfig at ${kubeconfigFiles(env).join(', ')}: set KUBECONFIG or pass --kubeconfig`);
}

/** Where kubectl looks without --kubeconfig. */
export function kubeconfigFiles(env: Environment): string[] {
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter(Boolean);
  return listed.length > 0 ? listed : [join(env.HOME ?? '', '.kube', 'config')];
}

function actingAs(access: Access, flags: Flags): Access {
  const user = flags.text('as');
  const groups = flags.all('as-group');
  if (user === undefined && groups.length === 0) return access;
  if (user === undefined)
    throw new UsageError('--as-group needs --as: the API server impersonates groups only together with a user');
  return { ...access, user: { ...access.user, impersonateUser: user }, impersonateGroups: groups };
}
