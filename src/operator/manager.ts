// The operator's Deployment, with a disruption budget and a network policy. It meets the Pod Security standard "restricted" and
// stays available while a node is lost or drained.

import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { managerContainer, managerVolumes } from './manager-container.ts';
import { type Names, POD_ANNOTATIONS } from './names.ts';
import { ingressRules } from './network-policy.ts';
import type { Settings } from './settings.ts';

const { k8s } = kplus;

/** The manager gives its parts 30 s to stop; then the process ends by itself. */
const GRACE_SECONDS = 35;

const NON_ROOT = 65_532;

export class Manager extends Construct {
  constructor(scope: Construct, id: string, settings: Settings, account: kplus.ServiceAccount) {
    super(scope, id);
    const { namespace, replicas, names } = settings;
    const metadata = { name: names.manager, namespace };
    const selector = { matchLabels: names.podLabels };
    new k8s.KubeDeployment(this, 'deployment', {
      metadata,
      spec: {
        replicas,
        selector,
        revisionHistoryLimit: 3,
        template: {
          metadata: {
            labels: { ...settings.podLabels, ...names.podLabels },
            annotations: { ...settings.podAnnotations, ...POD_ANNOTATIONS },
          },
          spec: podSpec(settings, account.name),
        },
      },
    });
    new k8s.KubePodDisruptionBudget(this, 'disruption-budget', {
      metadata,
      spec: { selector, maxUnavailable: k8s.IntOrString.fromNumber(1), unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    });
    new k8s.KubeNetworkPolicy(this, 'network-policy', {
      metadata,
      spec: { podSelector: selector, policyTypes: ['Ingress'], ingress: ingressRules(settings) },
    });
  }
}

function podSpec(settings: Settings, serviceAccountName: string): kplus.k8s.PodSpec {
  return {
    serviceAccountName,
    automountServiceAccountToken: true,
    priorityClassName: settings.priorityClass,
    terminationGracePeriodSeconds: GRACE_SECONDS,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: NON_ROOT,
      runAsGroup: NON_ROOT,
      fsGroup: NON_ROOT,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(Object.keys(settings.nodeSelector).length > 0 && { nodeSelector: settings.nodeSelector }),
    ...(settings.tolerations.length > 0 && { tolerations: [...settings.tolerations] }),
    affinity: settings.affinity ?? apartFromEachOther(settings.names),
    containers: [managerContainer(settings)],
    ...managerVolumes(settings),
  };
}

/** Prefers different nodes and different zones; all replicas may run on one node if there is no other. */
function apartFromEachOther({ podLabels }: Names): kplus.k8s.Affinity {
  const term = (topologyKey: string, weight: number): kplus.k8s.WeightedPodAffinityTerm => {
    return { weight, podAffinityTerm: { topologyKey, labelSelector: { matchLabels: podLabels } } };
  };
  return {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        term('kubernetes.io/hostname', 100),
        term('topology.kubernetes.io/zone', 50),
      ],
    },
  };
}
