// The command lines of the control plane: a pure function from where things are to the flags of each component.
// Loopback only, RBAC on, every admission plugin that is on by default, etcd without fsync (the data is thrown away).

import { join } from 'node:path';
import { NODE_ADDRESS } from './node/network.ts';
import type { ResolvedOptions } from './options.ts';
import type { PkiFiles } from './pki.ts';

export type ComponentName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kwok';

/** Where Services have their addresses; the API server's own is the first one. */
export const SERVICE_RANGE = '10.96.0.0/16';

export interface Ports {
  readonly etcdClient: number;
  readonly etcdPeer: number;
  readonly api: number;
}

/** Where one cluster keeps its files. */
export interface Places {
  readonly home: string;
  readonly pki: PkiFiles;
  readonly kubeconfigs: Readonly<
    Record<'kube-controller-manager' | 'kube-scheduler' | 'kwok' | 'kubelet' | 'kube-proxy', string>
  >;
  readonly kwokConfig: string;
  readonly auditPolicy: string;
}

/** The flags of one component; the caller's own come last, so they win. */
export function argsOf(component: ComponentName, options: ResolvedOptions, places: Places, ports: Ports): string[] {
  return [...ownArgs(component, options, places, ports), ...(options.flags[component] ?? [])];
}

function ownArgs(component: ComponentName, options: ResolvedOptions, places: Places, ports: Ports): string[] {
  switch (component) {
    case 'etcd':
      return etcdArgs(places, ports);
    case 'kube-apiserver':
      return [
        ...apiServerArgs(places, ports),
        ...featureGateArgs(options),
        ...(options.audit ? auditArgs(places) : []),
        ...(options.realNode === undefined ? [] : realNodeArgs(places)),
      ];
    case 'kube-controller-manager':
      return controllerManagerArgs(options, places);
    case 'kube-scheduler':
      return [...clientArgs(places.kubeconfigs['kube-scheduler']), ...HUNDREDS_PER_SECOND];
    case 'kwok':
      return kwokArgs(places);
    default:
      return component satisfies never;
  }
}

function etcdArgs(places: Places, ports: Ports): string[] {
  const client = `http://127.0.0.1:${ports.etcdClient}`;
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  return [
    `--data-dir=${join(places.home, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
    '--quota-backend-bytes=4294967296',
    '--log-level=warn',
  ];
}

function apiServerArgs({ home, pki }: Places, ports: Ports): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcdClient}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${ports.api}`,
    `--cert-dir=${join(home, 'pki')}`,
    `--tls-cert-file=${pki.servingCert}`,
    `--tls-private-key-file=${pki.servingKey}`,
    `--client-ca-file=${pki.ca}`,
    `--service-account-key-file=${pki.tokenPublicKey}`,
    `--service-account-signing-key-file=${pki.tokenSigningKey}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    '--authorization-mode=Node,RBAC',
    '--allow-privileged=true',
    // One endpoint object, and no lease to wait for when a single server starts or stops.
    '--endpoint-reconciler-type=none',
    // The data of a stopped cluster is removed, so a graceful shutdown would only take time.
    '--shutdown-delay-duration=0s',
  ];
}

function featureGateArgs({ featureGates }: ResolvedOptions): string[] {
  const gates = Object.entries(featureGates).map(([name, isOn]) => `${name}=${isOn}`);
  return gates.length === 0 ? [] : [`--feature-gates=${gates.join(',')}`];
}

/** Pods of a real node reach the API server at the node's address, and the API server reaches the kubelet. */
function realNodeArgs({ pki }: Places): string[] {
  return [
    '--bind-address=0.0.0.0',
    `--advertise-address=${NODE_ADDRESS}`,
    '--endpoint-reconciler-type=lease',
    '--enable-admission-plugins=NodeRestriction',
    '--kubelet-preferred-address-types=InternalIP',
    `--kubelet-client-certificate=${pki.kubeletClientCert}`,
    `--kubelet-client-key=${pki.kubeletClientKey}`,
  ];
}

function auditArgs(places: Places): string[] {
  return [`--audit-policy-file=${places.auditPolicy}`, `--audit-log-path=${join(places.home, 'logs', 'audit.log')}`];
}

function controllerManagerArgs(options: ResolvedOptions, places: Places): string[] {
  return [
    ...clientArgs(places.kubeconfigs['kube-controller-manager']),
    `--controllers=${options.controllers.join(',')}`,
    `--service-account-private-key-file=${places.pki.tokenSigningKey}`,
    `--root-ca-file=${places.pki.ca}`,
    '--use-service-account-credentials=true',
    // Quota usage follows pods within seconds, so tests of a full quota need not wait five minutes for the resync.
    '--concurrent-resource-quota-syncs=5',
    ...HUNDREDS_PER_SECOND,
  ];
}

/** The default of 20 to 50 requests a second would make the client-side limit the thing that tests measure. */
const HUNDREDS_PER_SECOND = ['--kube-api-qps=1000', '--kube-api-burst=2000'];

function clientArgs(kubeconfig: string): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    // No port of its own: nothing probes it, and one port fewer can be taken.
    '--secure-port=0',
  ];
}

function kwokArgs(places: Places): string[] {
  return [
    `--kubeconfig=${places.kubeconfigs.kwok}`,
    `--config=${places.kwokConfig}`,
    '--manage-all-nodes=true',
    '--node-ip=127.0.0.1',
    '--cidr=10.244.0.0/16',
    '--node-lease-duration-seconds=40',
  ];
}
