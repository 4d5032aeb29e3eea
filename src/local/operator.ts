// Runs the operator as a process of this machine against an embedded cluster, under the conditions of a pod: it authenticates as
// the installed ServiceAccount and has only the permissions of the manifests; the API server calls its webhooks through their
// Service and checks them against the injected CA.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import { GuardedProcess } from '../cluster/guarded-process.ts';
import { freePorts } from '../cluster/ports.ts';
import { INSTALLATION } from '../operator/names.ts';

const READY_WITHIN_MS = 60_000;

/** As the image has it, which says why. */
export const NODE_FLAGS = [
  '--max-semi-space-size=2',
  '--single-threaded-gc',
  '--heap-growing-percent=20',
  '--no-turbofan',
  '--liftoff-only',
];
/** As the image has it, which says why. */
export const ONE_HEAP = { MALLOC_ARENA_MAX: '1' };

export interface OperatorSetup {
  /** Names the log file. @default 'operator' */
  readonly name?: string;
  /** @default true */
  readonly webhooks?: boolean;
  readonly flags?: readonly string[];
  /** Where the operator reaches the API server, e.g. through a proxy. @default directly */
  readonly server?: string;
  /** How the operator authenticates. @default as a pod of the installed ServiceAccount */
  readonly kubeconfig?: string;
  /** @default those of the image */
  readonly nodeFlags?: readonly string[];
  /** @default that of the image */
  readonly malloc?: NodeJS.ProcessEnv;
  /** Runs this bundle instead of the sources. */
  readonly program?: string;
}

export interface LocalOperator {
  readonly process: GuardedProcess;
  readonly healthUrl: string;
  readonly metricsUrl: string;
  stop(): Promise<void>;
}

/** Applies the CRDs and manifests, as a user does. */
export async function installOperator(cluster: Cluster): Promise<void> {
  for (const folder of ['crds/', 'manifests/']) await kubectl(cluster, ['apply', '-f', folder]);
}

/** Starts an operator on a cluster where it is installed, and waits until it is ready. */
export async function startOperator(cluster: Cluster, setup: OperatorSetup = {}): Promise<LocalOperator> {
  const { name = 'operator', webhooks = true, flags = [], program = 'src/main.ts' } = setup;
  const { nodeFlags = NODE_FLAGS, malloc = ONE_HEAP } = setup;
  const [health, metrics, webhook] = (await freePorts(3)) as [number, number, number];
  if (webhooks) await routeWebhooks(cluster, webhook);
  const { kubeconfig } = setup;
  const operator = await GuardedProcess.start({
    name,
    file: process.execPath,
    args: [
      ...nodeFlags,
      program,
      `--health-probe-bind-address=127.0.0.1:${health}`,
      `--metrics-bind-address=127.0.0.1:${metrics}`,
      `--webhook-port=${webhook}`,
      ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
      ...flags,
    ],
    logFile: join(cluster.home, 'logs', `${name}.log`),
    env: {
      ...malloc,
      POD_NAMESPACE: INSTALLATION.namespace,
      ...(kubeconfig === undefined && (await placeOfPod(cluster, setup.server))),
      ENABLE_WEBHOOKS: String(webhooks),
    },
  });
  const healthUrl = `http://127.0.0.1:${health}`;
  await ready(operator, healthUrl);
  return {
    process: operator,
    healthUrl,
    metricsUrl: `http://127.0.0.1:${metrics}/metrics`,
    stop: () => operator.stop(10_000),
  };
}

async function ready(operator: GuardedProcess, healthUrl: string): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    if (!operator.running) throw new Error(`the operator ended:\n${operator.logTail()}`);
    // Not listening yet counts as not ready yet.
    const answer = await fetch(`${healthUrl}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    if (performance.now() > deadline) throw new Error(`the operator did not become ready, see ${operator.logFile}`);
    await delay(50);
  }
}

/** The environment variables by which the kubelet tells a pod where the API server is. */
async function placeOfPod(cluster: Cluster, server = cluster.server): Promise<NodeJS.ProcessEnv> {
  const { hostname, port } = new URL(server);
  return {
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    SERVICE_ACCOUNT_DIRECTORY: await mountServiceAccount(cluster),
  };
}

/** Token, CA and namespace in files, as the kubelet lays them out in a pod. */
async function mountServiceAccount(cluster: Cluster): Promise<string> {
  const { namespace, serviceAccount } = INSTALLATION;
  const directory = join(cluster.home, 'serviceaccount');
  await mkdir(directory, { recursive: true });
  const token = await kubectl(cluster, ['create', 'token', serviceAccount, '-n', namespace, '--duration=24h']);
  await Promise.all([
    writeFile(join(directory, 'token'), token.trim(), { mode: 0o600 }),
    writeFile(join(directory, 'ca.crt'), cluster.ca),
    writeFile(join(directory, 'namespace'), namespace),
  ]);
  return directory;
}

/** Without kube-proxy a Service does not reach a process of this machine; an ExternalName of localhost does. */
async function routeWebhooks(cluster: Cluster, port: number): Promise<void> {
  const { namespace, webhookService, mutatingWebhooks, validatingWebhooks } = INSTALLATION;
  const spec = { type: 'ExternalName', externalName: 'localhost', clusterIP: null, clusterIPs: null, selector: null };
  await patch(cluster, ['service', webhookService, '-n', namespace, '--type=merge'], { spec });
  const configurations = {
    mutatingwebhookconfiguration: mutatingWebhooks,
    validatingwebhookconfiguration: validatingWebhooks,
  };
  for (const [kind, name] of Object.entries(configurations)) {
    const webhooks = await kubectl(cluster, ['get', kind, name, '-o', 'jsonpath={range .webhooks[*]}x{end}']);
    const path = (index: number): string => `/webhooks/${index}/clientConfig/service/port`;
    const ports = [...webhooks].map((_, index) => ({ op: 'add', path: path(index), value: port }));
    await patch(cluster, [kind, name, '--type=json'], ports);
  }
}

async function patch(cluster: Cluster, what: readonly string[], body: object): Promise<void> {
  await kubectl(cluster, ['patch', ...what, '-p', JSON.stringify(body)]);
}

async function kubectl(cluster: Cluster, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cluster.kubectl(args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr.trim()}`);
  return stdout;
}
