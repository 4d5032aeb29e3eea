// `make run`: a real control plane with MyDeployment on it, to try things out. It starts the cluster, installs the CRDs and
// manifests, runs the operator, applies the sample and builds `kubectl md`. Ctrl-C stops everything. With --node real, pods have
// containers, and the operator runs as pods. With --kubeconfig it runs the operator here for that cluster, where it applies the
// CRDs and nothing else.

import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPlugin } from './build/plugin.ts';
import { Cluster } from './cluster/cluster.ts';
import { NODE_PACKAGES, nodeSupport } from './cluster/node/requirements.ts';
import { nodeProgramsForPeople, programsForPeople } from './cluster/programs.ts';
import { untilSignal } from './cluster/until-signal.ts';
import { prepareExistingCluster, writeWebhookCertificates } from './local/existing-cluster.ts';
import { installOperator, startOperator } from './local/operator.ts';
import { installShippedOperator } from './local/shipped-operator.ts';

const SAMPLES = 'samples/';
const CERTIFICATES = '.cluster/webhook-certificates';

async function runEmbedded(): Promise<void> {
  const stop = untilSignal();
  const programs = await programsForPeople();
  console.log('Starting a Kubernetes control plane ...');
  const cluster = await Cluster.start(programs, { name: 'run' });
  try {
    console.log('Installing MyDeployment and starting its operator ...');
    await installOperator(cluster);
    const operator = await startOperator(cluster, { flags: ['--leader-elect'] });
    await applySamples((args) => cluster.kubectl(args));
    const path = [await installPlugin(cluster.home), resolve(programs.kubectl, '..')];
    console.log(whatToTry(cluster, path));
    await Promise.race([
      stop,
      operator.process.exited.then(() =>
        Promise.reject(new Error(`the operator ended:\n${operator.process.logTail()}`)),
      ),
    ]);
    console.log('\nStopping ...');
    await operator.stop();
  } finally {
    await cluster.stop();
  }
}

/** The same with a real node. The operator restarts by itself there, as on any cluster. */
async function runReal(): Promise<void> {
  const support = nodeSupport();
  if (!support.ok) throw new Error(`${support.because}; in all it uses ${NODE_PACKAGES.join(', ')}`);
  const stop = untilSignal();
  const programs = await programsForPeople();
  const realNode = await nodeProgramsForPeople();
  console.log('Starting a Kubernetes control plane and a node in namespaces of their own ...');
  const cluster = await Cluster.start(programs, { name: 'run', realNode });
  try {
    console.log('Putting the image together and installing MyDeployment ...');
    await installShippedOperator(cluster);
    await applySamples((args) => cluster.kubectl(args));
    const path = [await installPlugin(cluster.home), resolve(programs.kubectl, '..')];
    console.log(whatToTry(cluster, path));
    console.log('\nThe node reaches no registry of the internet: busybox stands in for nginx.');
    await stop;
    console.log('\nStopping ...');
  } finally {
    await cluster.stop();
  }
}

/**
 * The operator on this machine, for a cluster that a person has. It takes the place of this process, so that the terminal, signals
 * and the exit code are its own.
 */
async function runOn(kubeconfig: string, flags: readonly string[]): Promise<void> {
  const path = resolve(kubeconfig);
  const { server, crds } = await prepareExistingCluster(path);
  console.log(`Applied ${crds.length} CRDs at ${server}; nothing else is installed there.`);
  const defaults = ['--kubeconfig', path, '--health-probe-bind-address', '127.0.0.1:8081'];
  if (process.env.ENABLE_WEBHOOKS !== 'false') {
    await writeWebhookCertificates(CERTIFICATES);
    defaults.push('--webhook-cert-dir', CERTIFICATES);
    console.log(
      `Webhooks are served at port 9443, and nothing in the cluster calls them. Their CA is ${CERTIFICATES}/ca.crt.`,
    );
  }
  console.log(
    `The operator works with the rights of ${path} until Ctrl-C. Try: kubectl apply -f samples/mydeployment.yaml\n`,
  );
  process.execve?.(process.execPath, [process.execPath, 'src/main.ts', ...defaults, ...flags]);
  throw new Error('this system cannot replace a process by another');
}

type Kubectl = (args: readonly string[]) => Promise<{ readonly code: number; readonly stderr: string }>;

async function applySamples(kubectl: Kubectl): Promise<void> {
  const { code, stderr } = await kubectl(['apply', '-f', SAMPLES]);
  if (code !== 0) throw new Error(`kubectl apply -f ${SAMPLES}: ${stderr.trim()}`);
}

/** Puts `kubectl md` into a folder for the PATH. It runs on the Node of this process: the user's own may be older. */
async function installPlugin(home: string): Promise<string> {
  const folder = resolve(home, 'bin');
  await mkdir(folder, { recursive: true });
  await buildPlugin(join(folder, 'plugin'));
  const script = (words = ''): string =>
    `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'plugin', 'main.js')}' ${words}"$@"\n`;
  await writeFile(join(folder, 'kubectl-md'), script(), { mode: 0o755 });
  await writeFile(join(folder, 'kubectl_complete-md'), script('__complete '), { mode: 0o755 });
  return folder;
}

function whatToTry(cluster: Cluster, path: readonly string[]): string {
  return `
Kubernetes runs at ${cluster.server}, the operator beside it. Logs: ${cluster.home}/logs

In another terminal:

  export KUBECONFIG=${cluster.kubeconfig}
  export PATH=${path.join(':')}:$PATH  # a kubectl of the same version, and kubectl md

  kubectl md get mydeployment-sample -w         # a live view, while you try the rest
  kubectl scale md mydeployment-sample --replicas=5
  kubectl md set image mydeployment-sample nginx=nginx:1.28
  kubectl md rollout promote mydeployment-sample # its RolloutPolicy stops at one new pod and asks
  kubectl md rollout undo mydeployment-sample
  kubectl get pods,controllerrevisions          # no ReplicaSet in between
  kubectl delete pod -l app=mydeployment-sample # they come back
  kubectl describe md mydeployment-sample

Ctrl-C stops everything.`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { kubeconfig: { type: 'string' }, node: { type: 'string' } },
    allowPositionals: true,
  });
  if (values.kubeconfig !== undefined) return runOn(values.kubeconfig, positionals);
  if (positionals.length > 0)
    throw new Error(`ARGS: only with KUBECONFIG, got ${JSON.stringify(positionals.join(' '))}`);
  switch (values.node) {
    case undefined:
    case 'kwok':
      return runEmbedded();
    case 'real':
      return runReal();
    default:
      throw new Error(`NODE: expected kwok or real, got ${JSON.stringify(values.node)}`);
  }
}

try {
  await main();
} catch (error) {
  console.error(`run: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
