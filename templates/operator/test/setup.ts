// Before the first test: one cluster for all test files, with the operator installed from crds/ and manifests/, and running with the
// rights that those give it.

import { installationNames } from 'mydeployment/runtime';
import { type HostedOperator, hostOperator, install, sharedCluster } from 'mydeployment/testing';
import { globalSetup as startCluster, globalTeardown as stopCluster } from 'mydeployment/testing/setup';

let operator: HostedOperator | undefined;

export async function globalSetup(): Promise<void> {
  await startCluster();
  const cluster = await sharedCluster();
  await install(cluster, 'crds/', 'manifests/');
  operator = await hostOperator(cluster, { program: 'src/main.ts', installation: installationNames('acme') });
  await cluster.close();
}

export async function globalTeardown(): Promise<void> {
  await operator?.stop();
  await stopCluster();
}
