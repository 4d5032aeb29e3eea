// The pod template in the schemas of kinds: every field that a native workload accepts, generated from a real API
// server (`npm run schema:refresh`), with our own descriptions for the fields that `kubectl explain` shows first.

// Imported one by one: apps that import our constructs would otherwise have to check all of client-node's declarations.
import type { V1Container } from '@kubernetes/client-node/dist/gen/models/V1Container.js';
import type { V1EnvVar } from '@kubernetes/client-node/dist/gen/models/V1EnvVar.js';
import type { V1PodSpec } from '@kubernetes/client-node/dist/gen/models/V1PodSpec.js';
import type { V1PodTemplateSpec } from '@kubernetes/client-node/dist/gen/models/V1PodTemplateSpec.js';
import type { V1Probe } from '@kubernetes/client-node/dist/gen/models/V1Probe.js';
import type { V1ResourceRequirements } from '@kubernetes/client-node/dist/gen/models/V1ResourceRequirements.js';
import { refine, type Schema } from '../runtime/custom-resource.ts';
import type { Raw } from '../runtime/object.ts';
import generated from './pod-template.schema.gen.json' with { type: 'json' };

/** A template that passed the schema: its spec is always set. */
export type PodTemplate = Raw<V1PodTemplateSpec> & { readonly spec: Raw<V1PodSpec> };
export type Container = Raw<V1Container>;
export type EnvVar = Raw<V1EnvVar>;
export type Probe = Raw<V1Probe>;
export type ResourceRequirements = Raw<V1ResourceRequirements>;

const descriptions: Readonly<Record<string, string>> = {
  metadata: 'Metadata that every pod made from this template starts with.',
  'metadata.annotations': 'Annotations of every pod. A change of them is a change of the template and rolls out.',
  'metadata.creationTimestamp': 'Ignored: the API server sets it on each pod. Present because tools write it as null.',
  'metadata.deletionGracePeriodSeconds': 'Ignored: set by the API server when a pod is deleted.',
  'metadata.deletionTimestamp': 'Ignored: set by the API server when a pod is deleted.',
  'metadata.finalizers':
    'Finalizers of every pod. A deleted pod stays until the component behind each finalizer has removed it.',
  'metadata.generateName': 'Ignored: pods are named after their owner.',
  'metadata.generation': 'Ignored: counted by the API server.',
  'metadata.labels': 'Labels of every pod. They must satisfy the selector.',
  'metadata.managedFields': 'Ignored: kept by the API server.',
  'metadata.name': 'Ignored: pods are named after their owner.',
  'metadata.namespace': 'Ignored: pods live in the namespace of their owner.',
  'metadata.ownerReferences': 'Ignored: the object that holds the template owns the pods.',
  'metadata.resourceVersion': 'Ignored: kept by the API server.',
  'metadata.selfLink': 'Ignored: no longer used by Kubernetes.',
  'metadata.uid': 'Ignored: set by the API server.',
  spec: 'What runs in every pod. The same fields as `kubectl explain pod.spec` describes.',
  'spec.containers': 'The containers of the pod; at least one.',
  'spec.initContainers': 'Containers that run, one after the other, before the others start.',
  'spec.volumes': 'Storage that containers can mount.',
};

/**
 * The API server's OpenAPI document says that a ScaleIO volume requires its secret, but the API server accepts none.
 */
const asItIs = refine(generated as Schema, 'spec.volumes[].scaleIO', { required: ['gateway', 'system'] });

/** The complete PodTemplateSpec of Kubernetes; a template without a spec is refused. */
export const podTemplateSchema: Schema = {
  ...Object.entries(descriptions).reduce(
    (schema, [path, description]) => refine(schema, path, { description }),
    asItIs,
  ),
  required: ['spec'],
};

/** A list of containers, for kinds that build the rest of the pod themselves. */
export const containersSchema = podTemplateSchema.properties?.spec?.properties?.containers as Schema;
