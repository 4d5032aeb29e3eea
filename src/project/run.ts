// `mydeployment run`: a real control plane with the operator of the project in this folder on it, installed from crds/ and manifests/
// and running from its sources with the rights that those give it. Ctrl-C stops everything.

import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Cluster } from '../cluster/cluster.ts';
import { hostOperator } from '../cluster/hosted-operator.ts';
import { programsForPeople } from '../cluster/programs.ts';
import { untilSignal } from '../cluster/until-signal.ts';
import { installationNames } from '../runtime/installation.ts';
import { install } from '../testing/install.ts';

const PROGRAM = 'src/main.ts';

/** Runs until Ctrl-C, or until the operator ends, which is an error. */
export async function runProject(operatorName: string): Promise<void> {
  if (!existsSync(PROGRAM)) throw new Error(`there is no ${PROGRAM} in this folder`);
  const stop = untilSignal();
  const programs = await programsForPeople();
  console.log('Starting a Kubernetes control plane ...');
  const cluster = await Cluster.start(programs, { name: 'run' });
  try {
    console.log(`Installing ${operatorName} and starting its operator ...`);
    await install(cluster, 'crds/', 'manifests/');
    const installation = installationNames(operatorName);
    const [operator] = await Promise.all([
      hostOperator(cluster, { program: PROGRAM, installation }),
      // The garbage collector would learn of new kinds within half a minute; a restarted one knows them at once.
      cluster.restart('kube-controller-manager'),
    ]);
    if (existsSync('samples')) await install(cluster, 'samples/');
    console.log(whatToTry(cluster, programs.kubectl, operator.process.logFile));
    await Promise.race([
      stop,
      operator.process.exited.then(() => {
        throw new Error(`the operator ended:\n${operator.process.logTail()}`);
      }),
    ]);
    console.log('\nStopping ...');
    await operator.stop();
  } finally {
    await cluster.stop();
  }
}

function whatToTry({ kubeconfig }: Cluster, kubectl: string, log: string): string {
  return `
The operator runs, and the samples are applied. In another terminal:

  export KUBECONFIG=${kubeconfig}
  export PATH=${dirname(kubectl)}:$PATH  # a ${basename(kubectl)} of the same version

  kubectl get -f samples/
  tail -f ${log}

Ctrl-C stops everything.`;
}
