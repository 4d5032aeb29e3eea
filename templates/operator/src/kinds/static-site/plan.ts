// What there should be for a StaticSite, and what its status says. Nothing here talks to the cluster, so that a test needs none.

import { type ConfigMap, type Deployment, setCondition, type Wanted } from 'mydeployment/runtime';
import type { StaticSite, StaticSiteStatus } from './types.gen.ts';

export interface Plan {
  readonly configMap: Wanted<ConfigMap>;
  readonly deployment: Wanted<Deployment>;
  readonly status: StaticSiteStatus;
}

/** `deployment` is the one there is, if there is one; `now` is in milliseconds since the epoch. */
export function plan(object: StaticSite, deployment: Deployment | undefined, now: number): Plan {
  const { name } = object.metadata;
  const { text } = object.spec;
  return {
    configMap: { metadata: { name }, data: { 'index.html': text } },
    deployment: wantedDeployment(object),
    status: statusOf(object, deployment, now),
  };
}

function wantedDeployment({ metadata: { name }, spec: { replicas = 1 } }: StaticSite): Wanted<Deployment> {
  const labels = { 'app.kubernetes.io/name': 'staticsite', 'app.kubernetes.io/instance': name };
  return {
    metadata: { name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'server',
              image: 'busybox:1.36',
              command: ['httpd', '-f', '-p', '8080', '-h', '/pages'],
              ports: [{ name: 'http', containerPort: 8080 }],
              volumeMounts: [{ name: 'pages', mountPath: '/pages' }],
            },
          ],
          volumes: [{ name: 'pages', configMap: { name } }],
        },
      },
    },
  };
}

function statusOf(object: StaticSite, deployment: Deployment | undefined, now: number): StaticSiteStatus {
  const { generation = 0 } = object.metadata;
  const { replicas = 1 } = object.spec;
  const readyReplicas = deployment?.status?.readyReplicas ?? 0;
  const isReady = readyReplicas >= replicas;
  const ready = {
    type: 'Ready',
    status: isReady ? 'True' : 'False',
    reason: isReady ? 'AllPodsReady' : 'PodsNotReady',
    message: `${readyReplicas} of ${replicas} pods are ready`,
    observedGeneration: generation,
  } as const;
  return {
    observedGeneration: generation,
    readyReplicas,
    conditions: setCondition(object.status?.conditions, ready, now),
  };
}
