// Runs an operator as a process of this machine against an embedded cluster, under the conditions of a pod: it authenticates as
// the installed ServiceAccount and has only the permissions of the manifests; the API server calls its webhooks through their
// Service and checks them against the injected CA.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { InstallationNames } from '../runtime/installation.ts';
import type { Cluster } from './cluster.ts';
import { GuardedProcess } from './guarded-process.ts';
import { kubectlOrThrow } from './kubectl.ts';
import { freePorts } from './ports.ts';
import { routeWebhooks } from './route-webhooks.ts';

const READY_WITHIN_MS = 60_000;

/** The part of a cluster that hosting an operator needs. */
export type Host = Pick<Cluster, 'home' | 'server' | 'ca' | 'kubectl'>;

/** Which operator to run, and how. */
export interface HostedSetup {
  /** What Node runs. */
  readonly program: string;
  /** The namespace, ServiceAccount and Services that the manifests have created. */
  readonly installation: Pick<InstallationNames, 'namespace' | 'serviceAccount' | 'webhookService'>;
  /** Names the log file. @default 'operator' */
  readonly name?: string;
  /** @default true */
  readonly webhooks?: boolean;
  readonly flags?: readonly string[];
  /** Where the operator reaches the API server, e.g. through a network that fails. @default directly */
  readonly server?: string;
  /** How the operator authenticates. @default as a pod of the installed ServiceAccount */
  readonly kubeconfig?: string;
  /** @default none */
  readonly nodeFlags?: readonly string[];
  /** Further environment variables. */
  readonly env?: NodeJS.ProcessEnv;
}

/** An operator that runs on an embedded cluster. */
export interface HostedOperator {
  readonly process: GuardedProcess;
  readonly healthUrl: string;
  readonly metricsUrl: string;
  stop(): Promise<void>;
}

/** Starts an operator on a cluster where it is installed, and waits until it is ready. */
export async function hostOperator(host: Host, setup: HostedSetup): Promise<HostedOperator> {
  const { name = 'operator', webhooks = true, flags = [], nodeFlags = [], program, installation, kubeconfig } = setup;
  const [health, metrics, webhook] = (await freePorts(3)) as [number, number, number];
  if (webhooks) await routeWebhooks(host, installation, webhook);
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
    logFile: join(host.home, 'logs', `${name}.log`),
    env: {
      ...setup.env,
      POD_NAMESPACE: installation.namespace,
      ...(kubeconfig === undefined && (await placeOfPod(host, setup))),
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
async function placeOfPod(host: Host, { server = host.server, installation }: HostedSetup): Promise<NodeJS.ProcessEnv> {
  const { hostname, port } = new URL(server);
  return {
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    SERVICE_ACCOUNT_DIRECTORY: await mountServiceAccount(host, installation),
  };
}

/** Token, CA and namespace in files, as the kubelet lays them out in a pod. */
async function mountServiceAccount(
  host: Host,
  { namespace, serviceAccount }: HostedSetup['installation'],
): Promise<string> {
  const directory = join(host.home, 'serviceaccount');
  await mkdir(directory, { recursive: true });
  const token = await kubectlOrThrow(host, ['create', 'token', serviceAccount, '-n', namespace, '--duration=24h']);
  await Promise.all([
    writeFile(join(directory, 'token'), token.trim(), { mode: 0o600 }),
    writeFile(join(directory, 'ca.crt'), host.ca),
    writeFile(join(directory, 'namespace'), namespace),
  ]);
  return directory;
}
