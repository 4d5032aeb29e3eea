// ModelBox as the API server sees it: one container with its ports, size and probes, and the Deployment and Service
// made from it. Containers, probes and variables have the full schema of a pod's. `kubectl explain modelbox` reads
// this.

import type { CustomResource, Schema } from '../../runtime/custom-resource.ts';
import { conditionsSchema, count, observedGeneration, scaleByReplicas } from '../../runtime/status-schema.ts';
import { containersSchema } from '../../workload/template-schema.ts';
import { categories, modelBoxes, shortNames, singular } from './names.ts';
import { portsRules, rollingUpdateRules, specRules, targetPortRules } from './rules.ts';
import { describeSize } from './sizes.ts';
import type { ModelBox } from './types.gen.ts';

const portNumber = (description: string): Schema => ({
  type: 'integer',
  format: 'int32',
  minimum: 1,
  maximum: 65_535,
  description,
});

/** A field of a container, as the pod template has it. */
function ofContainer(field: string, description: string): Schema {
  return { ...(containersSchema.items?.properties?.[field] as Schema), description };
}

const ports: Schema = {
  type: 'array',
  description: 'What the Service offers and the container listens on; at least one.',
  minItems: 1,
  maxItems: 64,
  items: {
    type: 'object',
    required: ['port'],
    properties: {
      name: {
        type: 'string',
        description: 'Names the port; needed when there are several.',
        maxLength: 63,
        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
      },
      protocol: {
        type: 'string',
        description: 'TCP (default), UDP or SCTP.',
        enum: ['TCP', 'UDP', 'SCTP'],
        default: 'TCP',
      },
      port: portNumber('Where the Service listens.'),
      targetPort: {
        description:
          'Where the container listens: a number, or a name. A name that no additional container gives to a port of its own stands for `port`. Default: the same as `port`.',
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        'x-kubernetes-int-or-string': true,
        maxLength: 15,
        'x-kubernetes-validations': targetPortRules,
      },
      nodePort: portNumber(
        'Where every node listens. Only with serviceType NodePort. Chosen by Kubernetes and then kept when left out.',
      ),
      appProtocol: {
        type: 'string',
        description: 'What is spoken on this port, for proxies that want to know, such as http or kubernetes.io/h2c.',
        maxLength: 316,
      },
    },
  },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['port', 'protocol'],
  'x-kubernetes-validations': portsRules,
};

const spec: Schema = {
  type: 'object',
  description: 'What should run, and how it is reached.',
  required: ['image', 'ports'],
  properties: {
    name: {
      type: 'string',
      description:
        'What people call this service. Only shown: Deployment, Service and container are named after the object.',
      maxLength: 253,
    },
    image: { type: 'string', description: 'The image of the container.', pattern: '^\\S+$' },
    replicas: count(
      'How many pods should run. Left out, the ModelBox does not decide: a new Deployment starts with 1, and an autoscaler of the Deployment may do as it sees fit.',
    ),
    ports,
    size: {
      type: 'string',
      description: `How much the container gets. small: ${describeSize('small')}. medium: ${describeSize('medium')}. large: ${describeSize('large')}. custom (default): what \`resources\` says.`,
      enum: ['small', 'medium', 'large', 'custom'],
    },
    resources: ofContainer(
      'resources',
      'Requests and limits of the container. Not together with another size than custom.',
    ),
    envs: ofContainer('env', 'Environment variables of the container.'),
    rollingUpdate: {
      type: 'string',
      description:
        'How many pods an update may add and take away at a time, as a percentage of replicas above 0% and up to 100%. Default 25%.',
      default: '25%',
      maxLength: 32,
      'x-kubernetes-validations': rollingUpdateRules,
    },
    minReadySeconds: {
      ...count('How many seconds a pod must be ready before it counts as available. Default 3.'),
      default: 3,
    },
    serviceType: {
      type: 'string',
      description:
        'How the Service is reached. ClusterIP: at an address inside the cluster. NodePort: also at a port of every node. Headless: its name resolves to the pods themselves. Default: NodePort when a port names a nodePort, else ClusterIP. A change from or to Headless replaces the Service.',
      enum: ['ClusterIP', 'NodePort', 'Headless'],
    },
    defaultProbes: {
      type: 'boolean',
      description:
        'Whether the container gets a liveness and a readiness probe where none is given: both connect to its first TCP port. Default true.',
      default: true,
    },
    livenessProbe: ofContainer('livenessProbe', 'When to restart the container, instead of the default probe.'),
    readinessProbe: ofContainer('readinessProbe', 'When the container can serve, instead of the default probe.'),
    containers: { ...containersSchema, description: 'More containers for every pod.' },
    initContainers: {
      ...containersSchema,
      description: 'Containers that run, one after the other, before the others start.',
    },
  },
  'x-kubernetes-validations': specRules,
};

const status: Schema = {
  type: 'object',
  description: 'What was last seen of the Deployment and the Service. Written by the operator.',
  default: {},
  properties: {
    observedGeneration,
    ready: { type: 'string', description: 'Ready pods of those that should run, such as 3/4.' },
    replicas: count('How many pods exist.'),
    readyReplicas: count('How many pods are ready.'),
    updatedReplicas: count('How many pods are as the spec says.'),
    availableReplicas: count('How many pods have been ready for minReadySeconds.'),
    selector: { type: 'string', description: 'The labels of the pods as text, for HorizontalPodAutoscaler.' },
    endpoints: {
      type: 'array',
      description: 'Where the service is reached, one for each port.',
      items: {
        type: 'object',
        required: ['address', 'protocol'],
        properties: {
          name: { type: 'string', description: 'The name of the port.' },
          protocol: { type: 'string', description: 'TCP, UDP or SCTP.' },
          address: { type: 'string', description: 'Host and port inside the cluster.' },
          nodePort: { type: 'integer', format: 'int32', description: 'The port on every node.' },
        },
      },
      'x-kubernetes-list-type': 'atomic',
    },
    conditions: conditionsSchema(
      'Available and Progressing of the Deployment; Ready: everything is there and as the spec says; Stalled while only the user can help.',
    ),
  },
};

export const modelBox: CustomResource<ModelBox> = {
  resource: modelBoxes,
  singular,
  shortNames,
  categories,
  description: 'One container to run and to reach: a Deployment and a Service, made, owned and kept as the spec says.',
  spec,
  status,
  scale: scaleByReplicas,
  columns: [
    { name: 'ready', type: 'string', jsonPath: '.status.ready', description: 'Ready pods of those that should run' },
    { name: 'up-to-date', type: 'integer', jsonPath: '.status.updatedReplicas' },
    { name: 'available', type: 'integer', jsonPath: '.status.availableReplicas' },
    { name: 'age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'service', type: 'string', jsonPath: '.spec.name', priority: 1 },
    { name: 'image', type: 'string', jsonPath: '.spec.image', priority: 1 },
    { name: 'size', type: 'string', jsonPath: '.spec.size', priority: 1 },
    { name: 'endpoint', type: 'string', jsonPath: '.status.endpoints[0].address', priority: 1 },
    { name: 'node-port', type: 'integer', jsonPath: '.status.endpoints[0].nodePort', priority: 1 },
  ],
};
