// The names of the parts of an installation, made from the name of the operator. The operator finds its Lease, its Secret and its
// webhook configurations by these names, so the manifests and the program have to agree on them.

/** What the parts of an installation are called. */
export interface InstallationNames {
  readonly namespace: string;
  /** The Deployment, and the Lease by which its replicas choose a leader. */
  readonly manager: string;
  readonly serviceAccount: string;
  readonly webhookService: string;
  readonly metricsService: string;
  /** The Secret with the serving certificate, written by the operator or by cert-manager. */
  readonly webhookCertificates: string;
  /** With cert-manager: the CA that signs it, in a Secret that the operator does not mount. */
  readonly webhookAuthority: string;
  readonly mutatingWebhooks: string;
  readonly validatingWebhooks: string;
}

/** The names for an operator, e.g. `website` → `website-system`, `website-controller-manager`. */
export function installationNames(operator: string): InstallationNames {
  return {
    namespace: `${operator}-system`,
    manager: `${operator}-controller-manager`,
    serviceAccount: `${operator}-controller-manager`,
    webhookService: `${operator}-webhook-service`,
    metricsService: `${operator}-metrics-service`,
    webhookCertificates: `${operator}-webhook-certificates`,
    webhookAuthority: `${operator}-webhook-authority`,
    mutatingWebhooks: `${operator}-mutating-webhook-configuration`,
    validatingWebhooks: `${operator}-validating-webhook-configuration`,
  };
}
