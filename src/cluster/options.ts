// What a caller may choose about an embedded cluster, and what it gets otherwise.

import { resolve } from 'node:path';
import type { NodeBinaries } from './binaries/binaries.ts';

/** How much a node has. */
export interface NodeShape {
  readonly cpu: string;
  readonly memory: string;
  readonly pods: number;
}

/** What a cluster should be like. */
export interface ClusterOptions {
  /** Data, logs and kubeconfig live in `<directory>/<name>`. @default 'default' */
  readonly name?: string;
  /** @default '.cluster' in the current directory */
  readonly directory?: string;
  /** How many kwok nodes. @default 3 */
  readonly nodes?: number;
  /**
   * The programs of a real node, whose pods have containers. The cluster then has this node instead of kwok's, and runs in
   * a network namespace of its own. `nodeSupport()` says whether the machine can. @default kwok's nodes
   */
  readonly realNode?: NodeBinaries;
  /** What each node can hold. @default 32 CPUs, 256Gi, 2000 pods */
  readonly nodeShape?: Partial<NodeShape>;
  /**
   * The controllers of the controller-manager, in its own notation. Benchmarks leave out node-lifecycle: under load it
   * sees late leases and marks nodes NotReady. @default ['*']
   */
  readonly controllers?: readonly string[];
  /** Writes an audit log of every request to `logs/audit.log`. @default false */
  readonly audit?: boolean;
  /** Feature gates of the API server that are not as it has them by itself, e.g. `{ ShardedListAndWatch: true }`. @default none */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** More flags for a component. They win over ours. */
  readonly flags?: Readonly<Partial<Record<'etcd' | ControlPlaneComponent | 'kwok', readonly string[]>>>;
}

export type ControlPlaneComponent = 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler';

export interface ResolvedOptions {
  readonly name: string;
  /** The cluster's own directory. */
  readonly home: string;
  readonly nodes: number;
  readonly realNode?: NodeBinaries;
  readonly nodeShape: NodeShape;
  readonly controllers: readonly string[];
  readonly audit: boolean;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly flags: NonNullable<ClusterOptions['flags']>;
}

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Fills in what was not chosen; refuses what cannot work. */
export function resolveOptions(options: ClusterOptions): ResolvedOptions {
  const name = options.name ?? 'default';
  const nodes = options.nodes ?? 3;
  if (!NAME.test(name)) throw new Error(`cluster name ${JSON.stringify(name)} must be a lower-case DNS label`);
  if (!Number.isInteger(nodes) || nodes < 0) throw new Error(`nodes must be a whole number from 0, got ${nodes}`);
  return {
    name,
    home: resolve(options.directory ?? '.cluster', name),
    ...(options.realNode === undefined ? { nodes } : { nodes: 1, realNode: options.realNode }),
    nodeShape: { cpu: '32', memory: '256Gi', pods: 2000, ...options.nodeShape },
    controllers: options.controllers ?? ['*'],
    audit: options.audit ?? false,
    featureGates: options.featureGates ?? {},
    flags: options.flags ?? {},
  };
}
