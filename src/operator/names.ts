// The names of everything that is installed, made from the name of the operator. Those that the operator itself needs to know are in
// runtime/installation.ts.

import { type InstallationNames, installationNames } from '../runtime/installation.ts';

/** This project's own operator. */
export const OPERATOR_NAME = 'mydeployment';

export interface Names extends InstallationNames {
  readonly operator: string;
  readonly roles: Roles;
  /** On everything that is installed. */
  readonly labels: Readonly<Record<string, string>>;
  /** On the operator's pods. */
  readonly podLabels: Readonly<Record<string, string>>;
  /** The quota that admits pods of the operator's priority. */
  readonly quota: string;
}

export interface Roles {
  readonly manager: string;
  /** The manager's permissions for resources without a namespace, when it works in selected namespaces. */
  readonly managerOutside: string;
  readonly leaderElection: string;
  readonly certificates: string;
  readonly storageMigration: string;
  readonly metricsAuth: string;
  readonly metricsReader: string;
}

/** All names for an operator. */
export function namesOf(operator: string): Names {
  const labels = { 'app.kubernetes.io/name': operator };
  return {
    ...installationNames(operator),
    operator,
    roles: {
      manager: `${operator}-manager-role`,
      managerOutside: `${operator}-manager-cluster-role`,
      leaderElection: `${operator}-leader-election-role`,
      certificates: `${operator}-certificates-role`,
      storageMigration: `${operator}-storage-migration-role`,
      metricsAuth: `${operator}-metrics-auth-role`,
      metricsReader: `${operator}-metrics-reader`,
    },
    labels,
    podLabels: { ...labels, 'app.kubernetes.io/component': 'controller-manager' },
    quota: `${operator}-critical-pods`,
  };
}

const OURS = namesOf(OPERATOR_NAME);
export const INSTALLATION: InstallationNames = OURS;
export const ROLES = OURS.roles;
export const LABELS = OURS.labels;
export const POD_LABELS = OURS.podLabels;

/** The role of users who view, or edit, objects of one kind. */
export function personaRole({ operator }: Names, singular: string, persona: 'viewer' | 'editor'): string {
  return `${operator}-${singular}-${persona}-role`;
}

export const PORTS = { webhook: 9443, metrics: 8443, health: 8081 } as const;

/** Which container `kubectl logs` and `kubectl exec` mean. */
export const POD_ANNOTATIONS = { 'kubectl.kubernetes.io/default-container': 'manager' };
