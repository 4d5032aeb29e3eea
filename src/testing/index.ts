// What operators of other people test with: a real control plane, shared by the test files of a run or one test file's own. It works
// with any test runner; setup.ts is the global setup that starts the shared cluster.

export type { Programs } from '../cluster/cluster.ts';
export {
  type HostedOperator,
  type HostedSetup,
  hostOperator,
} from '../cluster/hosted-operator.ts';
export type { KubectlOptions, KubectlResult } from '../cluster/kubectl.ts';
export { BEHAVIOUR, type Behaviour, READY_AFTER, TERMINATE_AFTER } from '../cluster/kwok/pod-stages.ts';
export type { ClusterOptions } from '../cluster/options.ts';
export { eventually } from './eventually.ts';
export { install } from './install.ts';
export type { ClusterPlace } from './place.ts';
export { assertRoundTrips } from './round-trip.ts';
export { TcpProxy } from './tcp-proxy.ts';
export { type OwnCluster, sharedCluster, startCluster, type TestCluster, type User } from './test-cluster.ts';
