// What people may set when they install with Helm: values.yaml and values.schema.json come from this table. The names and
// meanings are those of OperatorProps.

import { KINDS } from '../kinds/kinds.ts';
import { POD_ANNOTATIONS, POD_LABELS } from '../operator/names.ts';
import { CERTIFICATES } from '../operator/props.ts';
import { ownInstallation, settingsOf } from '../operator/settings.ts';
import { LABEL_PATTERN } from '../runtime/dns-label.ts';
import { IMAGE_PATTERN, LONGEST_IMAGE } from '../runtime/image.ts';
import { KEY_LENGTH, KEY_PATTERN, LABEL_VALUE_PATTERN } from '../runtime/label-syntax.ts';
import { AMOUNT_PATTERN } from '../runtime/quantity.ts';
import { MOST_SHARDS } from '../runtime/shards/range.ts';

export interface Value {
  readonly name: string;
  readonly description: string;
  readonly default: unknown;
  /** As JSON Schema has it. */
  readonly schema: object;
}

const KEYS = { pattern: KEY_PATTERN, maxLength: KEY_LENGTH };
const LABELS = {
  type: 'object',
  propertyNames: KEYS,
  additionalProperties: { type: 'string', pattern: LABEL_VALUE_PATTERN },
};
const ANNOTATIONS = { type: 'object', propertyNames: KEYS, additionalProperties: { type: 'string' } };
const QUANTITIES = {
  type: 'object',
  additionalProperties: { type: ['string', 'number'], pattern: AMOUNT_PATTERN, minimum: 0 },
};
const NAMESPACE = { type: 'string', pattern: LABEL_PATTERN };

/** All values, with the image that this version is built as. */
export function chartValues(image: string): Value[] {
  const defaults = settingsOf('values', ownInstallation('values', { image }));
  const kinds = Object.keys(KINDS);
  return [
    {
      name: 'image',
      description: "The operator's image, as the nodes can pull it.",
      default: image,
      schema: { type: 'string', pattern: IMAGE_PATTERN, maxLength: LONGEST_IMAGE },
    },
    {
      name: 'replicas',
      description: 'How many replicas run: one works, the others are warm standbys that serve webhooks.',
      default: defaults.replicas,
      schema: { type: 'integer', minimum: 1 },
    },
    {
      name: 'shards',
      description:
        'Into how many ranges the namespaces are split. With more than one, all replicas work, each on its share of them.',
      default: defaults.shards,
      schema: { type: 'integer', minimum: 1, maximum: MOST_SHARDS },
    },
    {
      name: 'resources',
      description: "What the operator's container asks for and may use at most.",
      default: defaults.resources,
      schema: {
        type: 'object',
        properties: { requests: QUANTITIES, limits: QUANTITIES },
        additionalProperties: false,
      },
    },
    {
      name: 'kinds',
      description: 'Which kinds the operator runs. It gets no rights for others.',
      default: kinds,
      schema: { type: 'array', items: { enum: kinds }, minItems: 1, uniqueItems: true },
    },
    {
      name: 'namespaces',
      description:
        'The namespaces that the operator works in. It gets no rights in others. Empty for the whole cluster.',
      default: [],
      schema: { type: 'array', items: NAMESPACE, uniqueItems: true },
    },
    {
      name: 'webhooks',
      description: "Whether objects pass the operator's webhooks. Without them, the rules of the CRDs still hold.",
      default: defaults.webhooks,
      schema: { type: 'boolean' },
    },
    {
      name: 'certificates',
      description: 'Who issues and renews the certificate of webhooks and metrics: self-managed or cert-manager.',
      default: defaults.certificates,
      schema: { enum: CERTIFICATES },
    },
    {
      name: 'serviceMonitor',
      description: 'Whether to tell the Prometheus operator about the metrics.',
      default: defaults.serviceMonitor,
      schema: { type: 'boolean' },
    },
    {
      name: 'prometheus',
      description:
        'The Prometheus servers that gates of RolloutPolicies may query: URLs by names. Users who may write policies can read from them.',
      default: {},
      schema: {
        type: 'object',
        propertyNames: { pattern: LABEL_PATTERN },
        additionalProperties: { type: 'string', pattern: '^https?://[^,?#@]+$' },
      },
    },
    {
      name: 'defaultSpread',
      description:
        'Whether pods of a MyDeployment without spread constraints get those by which a Deployment spreads its pods.',
      default: true,
      schema: { type: 'boolean' },
    },
    {
      name: 'priorityClass',
      description: "How the operator's pods rank when room is short.",
      default: defaults.priorityClass,
      schema: { type: 'string', minLength: 1 },
    },
    {
      name: 'nodeSelector',
      description: "Labels that a node must have for the operator's pods.",
      default: defaults.nodeSelector,
      schema: LABELS,
    },
    {
      name: 'tolerations',
      description: "Which taints of nodes the operator's pods tolerate.",
      default: defaults.tolerations,
      schema: { type: 'array', items: { type: 'object' } },
    },
    {
      name: 'affinity',
      description:
        "Where the operator's pods are scheduled. Empty for different nodes and zones, if there are several.",
      default: {},
      schema: { type: 'object' },
    },
    {
      name: 'podAnnotations',
      description: "Further annotations of the operator's pods.",
      default: defaults.podAnnotations,
      schema: except(ANNOTATIONS, Object.keys(POD_ANNOTATIONS)),
    },
    {
      name: 'podLabels',
      description: "Further labels of the operator's pods.",
      default: defaults.podLabels,
      schema: except(LABELS, Object.keys(POD_LABELS)),
    },
  ];
}

/** Those of any names but these, which the operator's Deployment sets itself. */
function except(schema: object, names: readonly string[]): object {
  return { ...schema, properties: Object.fromEntries(names.map((name) => [name, false])) };
}
