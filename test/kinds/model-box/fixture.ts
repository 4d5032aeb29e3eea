// ModelBoxes in a few words, for tables and for clusters.

import type { Deployment, Service } from '../../../src/kinds/model-box/children.ts';
import type { ModelBox, ModelBoxSpec } from '../../../src/kinds/model-box/types.gen.ts';
import type { KubeObject, Manifest, ObjectMeta } from '../../../src/runtime/object.ts';

export const NOW = Date.UTC(2026, 0, 1, 12);

export const SPEC: ModelBoxSpec = { image: 'web:1', replicas: 2, ports: [{ port: 80, protocol: 'TCP' }] };

/** A ModelBox "web" as the API server would have stored it. */
export function modelBox(spec: Partial<ModelBoxSpec> = {}, more: Partial<Omit<ModelBox, 'spec'>> = {}): ModelBox {
  const metadata: ObjectMeta = {
    name: 'web',
    namespace: 'default',
    uid: 'web-uid',
    resourceVersion: '1',
    generation: 1,
    ...more.metadata,
  };
  return { ...more, metadata, spec: { ...SPEC, ...spec } };
}

/** What the API server would store of a manifest that was applied, before any default. */
export function stored<T extends KubeObject>(manifest: Manifest<T>, metadata: Partial<ObjectMeta> = {}): T {
  return {
    ...manifest,
    metadata: { name: 'web', uid: 'child-uid', resourceVersion: '7', generation: 1, ...manifest.metadata, ...metadata },
  } as unknown as T;
}

/** A Deployment that is through with its rollout. */
export function rolledOut(deployment: Deployment): Deployment {
  const replicas = deployment.spec.replicas ?? 1;
  const { generation = 1 } = deployment.metadata;
  return {
    ...deployment,
    status: {
      observedGeneration: generation,
      replicas,
      readyReplicas: replicas,
      updatedReplicas: replicas,
      availableReplicas: replicas,
      conditions: [
        { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'Enough.' },
        { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message: 'Done.' },
      ],
    },
  };
}

/** A Service to which the API server has given an address. */
export function addressed(service: Service): Service {
  return { ...service, spec: { clusterIP: '10.96.0.7', ...service.spec } };
}
