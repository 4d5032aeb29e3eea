// The names of the parts of an installation. The operator finds its Lease, its Secret and its webhook configurations by these
// names, so the manifests and the program share them.

export const INSTALLATION = {
  namespace: 'mydeployment-system',
  /** The Deployment, and the Lease by which its replicas choose a leader. */
  manager: 'mydeployment-controller-manager',
  serviceAccount: 'mydeployment-controller-manager',
  webhookService: 'mydeployment-webhook-service',
  metricsService: 'mydeployment-metrics-service',
  /** The Secret with the serving certificate, written by the operator or by cert-manager. */
  webhookCertificates: 'mydeployment-webhook-certificates',
  /** With cert-manager: the CA that signs it, in a Secret that the operator does not mount. */
  webhookAuthority: 'mydeployment-webhook-authority',
  mutatingWebhooks: 'mydeployment-mutating-webhook-configuration',
  validatingWebhooks: 'mydeployment-validating-webhook-configuration',
} as const;

export const ROLES = {
  manager: 'mydeployment-manager-role',
  /** The manager's permissions for resources without a namespace, when it works in selected namespaces. */
  managerOutside: 'mydeployment-manager-cluster-role',
  leaderElection: 'mydeployment-leader-election-role',
  certificates: 'mydeployment-certificates-role',
  metricsAuth: 'mydeployment-metrics-auth-role',
  metricsReader: 'mydeployment-metrics-reader',
} as const;

/** The role of users who view, or edit, objects of one kind. */
export function personaRole(singular: string, persona: 'viewer' | 'editor'): string {
  return `mydeployment-${singular}-${persona}-role`;
}

export const PORTS = { webhook: 9443, metrics: 8443, health: 8081 } as const;

/** On everything that is installed. */
export const LABELS = { 'app.kubernetes.io/name': 'mydeployment' };

/** On the operator's pods. */
export const POD_LABELS = { ...LABELS, 'app.kubernetes.io/component': 'controller-manager' };

/** Which container `kubectl logs` and `kubectl exec` mean. */
export const POD_ANNOTATIONS = { 'kubectl.kubernetes.io/default-container': 'manager' };
