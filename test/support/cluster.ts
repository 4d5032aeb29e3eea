// What a cluster test works with, as any user of `mydeployment/testing` has it, closed when the calling test file is done.

import { afterAll } from '@jest/globals';
import type { ClusterOptions } from '../../src/testing/index.ts';
import { type OwnCluster, sharedCluster, startCluster, type TestCluster } from '../../src/testing/index.ts';

export type { TestCluster } from '../../src/testing/index.ts';

/** The cluster that all tests of this run share. */
export async function useSharedCluster(): Promise<TestCluster> {
  const cluster = await sharedCluster();
  afterAll(() => cluster.close());
  return cluster;
}

/** A cluster of this test file's own, stopped when the file is done. */
export async function useOwnCluster(options: ClusterOptions & { readonly name: string }): Promise<OwnCluster> {
  const own = await startCluster(options);
  afterAll(() => own.close());
  return own;
}
