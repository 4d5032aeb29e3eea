// What a person may decide about an installation of the operator, and what the author of another operator decides about its own.

import type { k8s } from 'cdk8s-plus-27';
import type { KindName } from '../kinds/kind-name.ts';
import type { InstalledKind } from '../runtime/installed-kind.ts';

/** How this project's operator is installed. */
export interface OperatorProps {
  /** The operator's image, as the nodes can pull it. */
  readonly image: string;

  /**
   * How many replicas run: one works, the others are warm standbys that serve webhooks.
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Into how many ranges the namespaces are split. With more than one, all replicas work: each holds its share of the ranges, and
   * keeps only the objects of their namespaces in memory.
   * @default 1
   */
  readonly shards?: number;

  /**
   * Which kinds the operator runs.
   * @default - all there are
   */
  readonly kinds?: readonly KindName[];

  /**
   * The namespaces that the operator works in. It gets no rights in others.
   * @default - all of the cluster
   */
  readonly namespaces?: readonly string[];

  /**
   * Where the operator itself is installed.
   * @default 'mydeployment-system'
   */
  readonly namespace?: string;

  /**
   * What the operator's container asks for and may use at most.
   * @default - requests 100m CPU and 128Mi, may use 1 CPU and 512Mi
   */
  readonly resources?: Resources;

  /**
   * Whether objects pass the operator's webhooks. Without them, the rules of the CRDs still hold.
   * @default true
   */
  readonly webhooks?: boolean;

  /**
   * Who issues and renews the certificate of webhooks and metrics: the operator itself, or cert-manager.
   * @default 'self-managed'
   */
  readonly certificates?: Certificates;

  /**
   * A ConfigMap in the operator's namespace whose `ca.crt` is the CA of callers: requests to the webhooks without a
   * certificate of this CA are refused. The API servers have to be configured to show one.
   * @default - every caller is answered
   */
  readonly webhookClientCa?: string;

  /**
   * From where the webhooks may be called: the addresses of the API servers.
   * @default - from everywhere
   */
  readonly webhookSources?: readonly Source[];

  /**
   * From where metrics may be scraped.
   * @default - from everywhere
   */
  readonly metricsSources?: readonly Source[];

  /**
   * Whether pods of a MyDeployment whose template has no `topologySpreadConstraints` get those by which the scheduler
   * spreads pods of a Deployment. Say false where the scheduler is configured with default constraints of another sort.
   * @default true
   */
  readonly defaultSpread?: boolean;

  /**
   * Whether to tell the Prometheus operator about the metrics.
   * @default false
   */
  readonly serviceMonitor?: boolean;

  /**
   * The Prometheus servers that gates of RolloutPolicies may query: their URLs, by the names that policies use. A user who may
   * write policies can read from them.
   * @default - none
   */
  readonly prometheus?: Readonly<Record<string, string>>;

  /**
   * How the operator's pods rank when room is short.
   * @default 'system-cluster-critical'
   */
  readonly priorityClass?: string;

  /**
   * Labels that a node must have for the operator's pods.
   * @default - any node
   */
  readonly nodeSelector?: Readonly<Record<string, string>>;

  /**
   * Which taints of nodes the operator's pods tolerate.
   * @default - none
   */
  readonly tolerations?: readonly k8s.Toleration[];

  /**
   * Where the operator's pods are scheduled.
   * @default - on different nodes and in different zones, if there are several
   */
  readonly affinity?: k8s.Affinity;

  /**
   * Further annotations of the operator's pods.
   * @default - none
   */
  readonly podAnnotations?: Readonly<Record<string, string>>;

  /**
   * Further labels of the operator's pods.
   * @default - none
   */
  readonly podLabels?: Readonly<Record<string, string>>;

  /**
   * Whether the CRDs come with the operator. Deleting what was installed then deletes them too, and with them every
   * object of their kinds.
   * @default false - they are installed apart, from the package's `crds/`
   */
  readonly includeCrds?: boolean;
}

/** Another operator: the same, with kinds of its own. */
export interface InstallationProps extends Omit<OperatorProps, 'kinds' | 'defaultSpread' | 'prometheus'> {
  /** The name of the operator, from which all names of the installation are made. */
  readonly name: string;

  /** The kinds that it runs. */
  readonly kinds: readonly InstalledKind[];

  /**
   * Further flags of the operator, such as those of its kinds.
   * @default - none
   */
  readonly flags?: readonly string[];

  /**
   * Further environment variables of the operator.
   * @default - none
   */
  readonly env?: Readonly<Record<string, string>>;
}

/** A range of addresses, such as `192.0.2.0/24`, or the pods of a namespace. */
export type Source = { readonly cidr: string } | { readonly namespace: string };

export const CERTIFICATES = ['self-managed', 'cert-manager'] as const;
/** Who issues the certificate of the webhooks. */
export type Certificates = (typeof CERTIFICATES)[number];

/** Quantities of cpu, memory and the like. */
export interface Resources {
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}
