// What operators of other people test with: a real control plane, shared by the test files of a run or one test file's own. It works
// with any test runner; setup.ts is the global setup that starts the shared cluster.

export { nodeManifest } from '../cluster/bring-up.ts';
export type { Cluster, Programs } from '../cluster/cluster.ts';
export { GuardedProcess, type ProgramSpec } from '../cluster/guarded-process.ts';
export {
  type HostedOperator,
  type HostedSetup,
  hostOperator,
} from '../cluster/hosted-operator.ts';
export { type KubectlOptions, type KubectlResult, runKubectl } from '../cluster/kubectl.ts';
export {
  BEHAVIOUR,
  type Behaviour,
  MISSING_TAG,
  READY_AFTER,
  RESIZE,
  TERMINATE_AFTER,
} from '../cluster/kwok/pod-stages.ts';
export type { ClusterOptions, NodeShape } from '../cluster/options.ts';
export { freePorts } from '../cluster/ports.ts';
export { eventually } from './eventually.ts';
export { install } from './install.ts';
export type { ClusterPlace } from './place.ts';
export { assertRoundTrips } from './round-trip.ts';
export { type Random, randomFrom } from './sample.ts';
export { TcpProxy } from './tcp-proxy.ts';
export { type OwnCluster, sharedCluster, startCluster, type TestCluster, type User } from './test-cluster.ts';
