// Jest's globalTeardown for the cluster tests.

export { stop as default } from './shared-cluster.ts';
