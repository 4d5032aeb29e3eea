// What a cluster test works with: the shared cluster's client and kubectl, a namespace of its own, tokens for
// ServiceAccounts, and clusters of its own for tests that break things.

import { randomBytes } from 'node:crypto';
import { afterAll } from '@jest/globals';
import { Cluster } from '../../src/cluster/cluster.ts';
import { type KubectlOptions, type KubectlResult, runKubectl } from '../../src/cluster/kubectl.ts';
import type { ClusterOptions } from '../../src/cluster/options.ts';
import { readKubeconfig } from '../../src/runtime/client/access.ts';
import { type Client, createClient } from '../../src/runtime/client/client.ts';
import { Connection } from '../../src/runtime/client/connection.ts';
import { createNamespace, requestToken } from './namespace.ts';
import { sharedCluster } from './shared-cluster.ts';

export interface TestCluster {
  /** Signed in as administrator. */
  readonly client: Client;
  readonly kubeconfig: string;
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  /** A namespace that nobody else uses; it goes with the cluster. */
  namespace(): Promise<string>;
  /** A token of that ServiceAccount, as the kubelet would mount it. */
  token(namespace: string, serviceAccount: string): Promise<string>;
}

/** The cluster that all tests of this run share. */
export async function useSharedCluster(): Promise<TestCluster> {
  const { kubeconfig, programs } = sharedCluster();
  const connection = new Connection(await readKubeconfig([kubeconfig]));
  afterAll(() => connection.close());
  return testCluster(createClient(connection), kubeconfig, programs.kubectl);
}

/** A cluster of this test file's own, stopped when the file is done. */
export async function useOwnCluster(
  options: ClusterOptions & { readonly name: string },
): Promise<TestCluster & { cluster: Cluster }> {
  const { name, programs } = sharedCluster();
  const cluster = await Cluster.start(programs, { ...options, name: `${name}-${options.name}` });
  afterAll(() => cluster.stop());
  return { ...testCluster(cluster.client, cluster.kubeconfig, programs.kubectl), cluster };
}

function testCluster(client: Client, kubeconfig: string, program: string): TestCluster {
  return {
    client,
    kubeconfig,
    kubectl: (args, options) => runKubectl(program, args, { kubeconfig, ...options }),
    namespace: async () => {
      const name = `test-${randomBytes(4).toString('hex')}`;
      await createNamespace(client, name);
      return name;
    },
    token: (namespace, name) => requestToken(client, namespace, name),
  };
}
