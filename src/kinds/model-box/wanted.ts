// The Deployment and the Service that a ModelBox wants: exactly the fields that it specifies, and so the fields that it
// owns at the API server. All other fields belong to other clients or to Kubernetes' defaults.

import type { KubeObject, Manifest, ObjectMeta } from '../../runtime/object.ts';
import { asOwner, controllerReference } from '../../runtime/owner.ts';
import { canonicalJson } from '../../workload/canonical.ts';
import { fnv1 } from '../../workload/hash.ts';
import type { Container, PodTemplate } from '../../workload/template-schema.ts';
import type { Deployment, Service } from './children.ts';
import { mainContainer } from './container.ts';
import { ANNOTATIONS, LABEL, modelBoxes } from './names.ts';
import type { ModelBox, ModelBoxSpec } from './types.gen.ts';

/** The defaults of the CRD, for objects that were stored before the CRD had them. */
const DEFAULTS = { rollingUpdate: '25%', minReadySeconds: 3 };
/** The clusterIP of a Service that has none. */
export const HEADLESS = 'None';

/** Both of them. */
export interface Wanted {
  readonly deployment: Manifest<Deployment>;
  readonly service: Manifest<Service>;
}

export function wantedBy(object: ModelBox): Wanted {
  return { deployment: wantedDeployment(object), service: wantedService(object) };
}

function wantedDeployment(object: ModelBox): Manifest<Deployment> {
  const { replicas, rollingUpdate = DEFAULTS.rollingUpdate, minReadySeconds = DEFAULTS.minReadySeconds } = object.spec;
  const decided = replicas !== undefined;
  return signed({
    metadata: metadataOf(object, decided ? { [ANNOTATIONS.replicas]: 'decided' } : {}),
    spec: {
      ...(decided && { replicas }),
      minReadySeconds,
      selector: { matchLabels: labelsOf(object) },
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: rollingUpdate, maxUnavailable: rollingUpdate },
      },
      template: podTemplateOf(object),
    },
  });
}

/** The template of every pod. */
export function podTemplateOf(object: ModelBox): PodTemplate {
  // A quantity may be a number; client-node's types know texts only.
  const { containers = [], initContainers = [] } = object.spec as {
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
  };
  return {
    metadata: { labels: labelsOf(object) },
    spec: {
      containers: [mainContainer(object), ...containers],
      ...(initContainers.length > 0 && { initContainers }),
    },
  };
}

function wantedService(object: ModelBox): Manifest<Service> {
  const type = serviceTypeOf(object.spec);
  return signed({
    metadata: metadataOf(object),
    spec: {
      type: type === 'Headless' ? 'ClusterIP' : type,
      ...(type === 'Headless' && { clusterIP: HEADLESS }),
      selector: labelsOf(object),
      ports: object.spec.ports,
    },
  });
}

/** A port with a nodePort implies the type NodePort. */
function serviceTypeOf({ serviceType, ports }: ModelBoxSpec): NonNullable<ModelBoxSpec['serviceType']> {
  return serviceType ?? (ports.some(({ nodePort }) => nodePort !== undefined) ? 'NodePort' : 'ClusterIP');
}

/** The labels of the pods, which the Deployment and the Service select. */
export function labelsOf({ metadata: { name } }: KubeObject): Readonly<Record<string, string>> {
  return { [LABEL]: name };
}

function metadataOf(object: ModelBox, annotations: Readonly<Record<string, string>> = {}): Partial<ObjectMeta> {
  const { name, namespace = '' } = object.metadata;
  return {
    name,
    namespace,
    labels: labelsOf(object),
    annotations,
    ownerReferences: [controllerReference(asOwner(object, modelBoxes))],
  };
}

/** The manifest with its own hash as an annotation, which shows what was applied last. */
function signed<T extends Manifest<KubeObject>>(manifest: T): T {
  const hash = fnv1(canonicalJson(manifest)).toString(16);
  const annotations = { ...manifest.metadata.annotations, [ANNOTATIONS.applied]: hash };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}
