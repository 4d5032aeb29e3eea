// RolloutPolicy as the API server sees it. `kubectl explain rop` reads this; with the webhook switched off, it is all that
// keeps wrong objects out.

import { rolloutPolicies } from '../../policy/resource.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import { VARIABLES } from '../../policy/variables.ts';
import type { CustomResource, Schema, ValidationRule } from '../../runtime/custom-resource.ts';
import { conditionsSchema, count, observedGeneration } from '../../runtime/status-schema.ts';

export const MAX_STEPS = 20;
export const MAX_GATES = 20;
const NAME_LENGTH = 63;
/** A DNS name and a slash, neither of them required, and a name. */
const LABEL_KEY =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';
const LABEL_KEY_LENGTH = 253 + 1 + 63;
const NUMBER = '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$';

const name = (description: string): Schema => ({
  type: 'string',
  description,
  maxLength: NAME_LENGTH,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
});

const duration = (description: string): Schema => ({
  type: 'string',
  description,
  maxLength: 32,
  'x-kubernetes-validations': [
    {
      rule: "self.matches('^([0-9]+(h|m|s))+$') && duration(self) > duration('0s')",
      message: 'must be a duration above 0, such as 30s, 10m or 1h30m',
    },
  ],
});

const gracePeriod = (description: string): Schema => ({
  type: 'string',
  description,
  maxLength: 32,
  'x-kubernetes-validations': [
    {
      rule: "self.matches('^([0-9]+(h|m|s))+$') && duration(self) >= duration('0s')",
      message: 'must be a duration, such as 0s, 10s or 1m30s',
    },
  ],
});

const share = (description: string): Schema => ({
  description,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
  minimum: 1,
  maxLength: 16,
  'x-kubernetes-validations': [
    {
      rule: "type(self) == int || self.matches('^(100|[1-9][0-9]?)%$')",
      message: 'must be a number, or a percentage from 1% to 100%, such as 25%',
    },
  ],
});

const exactlyOne = (one: string, other: string): ValidationRule => ({
  rule: `has(self.${one}) != has(self.${other})`,
  message: `must have exactly one of ${one} and ${other}`,
});

const step: Schema = {
  type: 'object',
  required: ['replicas'],
  properties: {
    replicas: share(
      'How many pods of the new revision this step has: a number, or a percentage of replicas rounded up. At most replicas - 1.',
    ),
    gates: {
      type: 'array',
      description: 'Names of gates that have to pass before the rollout goes on.',
      maxItems: MAX_GATES,
      items: name('A gate of spec.gates.'),
      'x-kubernetes-list-type': 'set',
    },
    pause: {
      type: 'object',
      description: 'How long the rollout rests here once all pods of the step are available.',
      properties: {
        until: {
          type: 'string',
          enum: ['Promoted'],
          description: 'Promoted: until a user runs `kubectl md rollout promote`.',
        },
        duration: duration('For this long, such as 10m.'),
      },
      'x-kubernetes-validations': [exactlyOne('until', 'duration')],
    },
  },
};

const prometheus: Schema = {
  type: 'object',
  description: 'A query to Prometheus whose result has to stay within bounds.',
  required: ['query'],
  properties: {
    server: name('The server, by the name that the operator knows it by (its flag --prometheus). Default "default".'),
    query: {
      type: 'string',
      description:
        'A PromQL query that yields one sample or a scalar. {{namespace}}, {{pods}} and {{stablePods}} are filled in; the last two are patterns for =~ that match the names of the new and of the stable pods.',
      minLength: 1,
      maxLength: 4096,
      'x-kubernetes-validations': [
        {
          rule: `!self${VARIABLES.map((name) => `.replace('{{${name}}}', '')`).join('')}.contains('{{')`,
          message: `only ${VARIABLES.map((name) => `{{${name}}}`).join(', ')} are filled in`,
        },
      ],
    },
    min: { type: 'string', description: 'The lowest value that is good.', maxLength: 32, pattern: NUMBER },
    max: { type: 'string', description: 'The highest value that is good.', maxLength: 32, pattern: NUMBER },
  },
  'x-kubernetes-validations': [
    { rule: 'has(self.min) || has(self.max)', message: 'must have at least one of min and max' },
    {
      rule: '!has(self.min) || !has(self.max) || double(self.min) <= double(self.max)',
      message: 'min must not be above max',
    },
  ],
};

const job: Schema = {
  type: 'object',
  description: 'A Job that has to succeed. It is made from a CronJob of the namespace, which may be suspended.',
  required: ['fromCronJob'],
  properties: {
    fromCronJob: {
      type: 'string',
      description: 'The CronJob whose template the Job is made from.',
      minLength: 1,
      maxLength: 52,
    },
  },
};

const gate: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: name('By this name steps refer to the gate.'),
    prometheus,
    job,
    interval: duration('The time between two measurements; the first one is made after it. Default 30s.'),
    count: {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 1000,
      description: 'How many good measurements it takes to pass. Default 1.',
    },
    onNoData: {
      type: 'string',
      enum: ['Hold', 'Fail'],
      description:
        'What a query without a result, or with NaN, means. Hold (default): measure again. Fail: the gate fails.',
    },
  },
  'x-kubernetes-validations': [
    exactlyOne('prometheus', 'job'),
    {
      rule: '!has(self.job) || !(has(self.interval) || has(self.count) || has(self.onNoData))',
      message: 'interval, count and onNoData are for prometheus: a Job runs once',
    },
  ],
};

/** Each of these acts on single pods, and each is native where it is absent. */
const pods: Schema = {
  type: 'object',
  description: 'How single pods are replaced and removed, also outside of rollouts. What is absent is as natively.',
  properties: {
    inPlace: {
      type: 'object',
      description:
        'Whether pods get a new template without being replaced: they keep their names, addresses and nodes. Their containers stop meanwhile, so it takes a maxUnavailable of at least one pod.',
      required: ['mode'],
      properties: {
        mode: {
          type: 'string',
          enum: ['Never', 'IfPossible'],
          description:
            'Never: pods are replaced. IfPossible: container images, CPU and memory, and labels are changed in the running pod; for any other change, and for pods that cannot be changed, pods are replaced.',
        },
        gracePeriod: gracePeriod(
          'How long a pod gets no requests from its Services before its containers are restarted, such as 10s; 0s for at once. Default 10s.',
        ),
      },
    },
    podReplacementPolicy: {
      type: 'string',
      enum: ['TerminationStarted', 'TerminationComplete'],
      description:
        'When a pod that leaves makes room for another one. TerminationStarted (default): as soon as it is being deleted. TerminationComplete: when it has ended, so that there are never more than replicas + maxSurge pods, terminating ones included.',
    },
    surgeOnDrain: {
      type: 'boolean',
      description:
        'Pods on cordoned nodes get their successors before they are evicted, where a PodDisruptionBudget allows no disruption even when all replicas are healthy: as many at a time as maxSurge allows, until the node is drained or uncordoned. Without a surge nothing happens. Default false.',
    },
    scaleDown: {
      type: 'object',
      description: 'Which pods go first when there are to be fewer.',
      required: ['spreadBy'],
      properties: {
        spreadBy: {
          type: 'string',
          description:
            'The label of nodes that names their topology domain, such as topology.kubernetes.io/zone. Among pods that are equally ready and cost the same to delete, the domain with the most pods loses one first. Pods on nodes without the label count as one domain.',
          maxLength: LABEL_KEY_LENGTH,
          'x-kubernetes-validations': [
            {
              rule: `self.matches('${LABEL_KEY}')`,
              message: 'must be the key of a label, such as topology.kubernetes.io/zone',
            },
          ],
        },
      },
    },
  },
};

const isUnknown = '!has(self.gates) || !self.gates.exists(x, x.name == g)';
const UNKNOWN_GATES = 'steps refer to gates that spec.gates does not have';

const spec: Schema = {
  type: 'object',
  description: 'How the target rolls out. The spec of the target stays as its user wrote it.',
  required: ['targetRef'],
  properties: {
    targetRef: {
      type: 'object',
      description: 'The MyDeployment of the same namespace that this policy is about. It cannot change.',
      required: ['name'],
      properties: {
        kind: { type: 'string', enum: ['MyDeployment'], default: 'MyDeployment', description: 'MyDeployment.' },
        name: { type: 'string', description: 'Its name.', minLength: 1, maxLength: 253 },
      },
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'field is immutable' }],
    },
    steps: {
      type: 'array',
      description:
        'Where a rollout rests on its way, in this order. After the last step come all replicas at the pace of the strategy. Without steps a rollout has the native pace.',
      maxItems: MAX_STEPS,
      items: step,
      'x-kubernetes-list-type': 'atomic',
    },
    gates: {
      type: 'array',
      description: 'Checks that steps refer to by name.',
      maxItems: MAX_GATES,
      items: gate,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    rollback: {
      type: 'object',
      description: 'When a rollout goes back to the stable revision by itself. Absent: never.',
      properties: {
        when: {
          type: 'array',
          description: 'What makes a rollout go back. Default: all three.',
          minItems: 1,
          maxItems: 3,
          items: { type: 'string', enum: ['ProgressDeadlineExceeded', 'PodFailures', 'Gates'] },
          'x-kubernetes-list-type': 'set',
        },
        maxPodFailures: share(
          'How many failing pods of the new revision make a rollout go back: a number, or a percentage of how many the new revision should have, rounded up. Default 50%.',
        ),
      },
    },
    pods,
  },
  'x-kubernetes-validations': [
    {
      rule: `!has(self.steps) || self.steps.all(s, !has(s.gates) || !s.gates.exists(g, ${isUnknown}))`,
      message: UNKNOWN_GATES,
      messageExpression: `'${UNKNOWN_GATES}: %s'.format([self.steps.filter(s, has(s.gates)).map(s, s.gates.filter(g, ${isUnknown})).filter(u, u.size() > 0)[0]])`,
      fieldPath: '.steps',
    },
  ],
};

const time = (description: string): Schema => ({ type: 'string', format: 'date-time', description });
const number = count('The number of the attempt: the revision number of the ControllerRevision.');

const status: Schema = {
  type: 'object',
  description: 'Where the rollout stands. Written by the operator.',
  default: {},
  properties: {
    observedGeneration,
    revision: { type: 'string', description: "The ControllerRevision of the target's template." },
    number,
    stableRevision: { type: 'string', description: 'The ControllerRevision that was last rolled out completely.' },
    step: count(
      'The step that the rollout is in, from 1; one more than there are steps for the rest. Absent when nothing rolls out.',
    ),
    steps: count('How many steps the policy has.'),
    stepStartedAt: time(
      'When all pods of the step were available for the first time: its pause and its gates count from then.',
    ),
    rejected: {
      type: 'object',
      description: "Why the target's revision was rejected. Absent when it was not.",
      required: ['number', 'reason', 'message', 'at'],
      properties: {
        number,
        reason: { type: 'string', description: 'ProgressDeadlineExceeded, PodFailures, GateFailed or Aborted.' },
        message: { type: 'string', description: 'What happened, in a sentence.' },
        at: time('When it was rejected.'),
        by: { type: 'string', description: 'Who aborted it.' },
      },
    },
    gates: {
      type: 'array',
      description: 'The results of the gates of the present step.',
      maxItems: MAX_GATES,
      items: {
        type: 'object',
        required: ['name', 'number', 'step', 'state'],
        properties: {
          name: { type: 'string', description: 'The gate of spec.gates.' },
          number,
          step: count('The step that it was measured for.'),
          state: {
            type: 'string',
            enum: ['Pending', 'NoData', 'Error', 'Passed', 'Failed'],
            description:
              'Pending: being measured. NoData: the last measurement had no result. Error: it could not be measured. Passed and Failed are final for this step and number.',
          },
          successes: count('How many measurements were good.'),
          errors: count('How many measurements in a row could not be made.'),
          lastValue: { type: 'string', description: 'What was measured last.' },
          message: { type: 'string', description: 'The state in a sentence.' },
          measuredAt: time('When it was measured last.'),
          values: {
            type: 'array',
            description: 'The last values, the newest last.',
            maxItems: 20,
            items: { type: 'string' },
            'x-kubernetes-list-type': 'atomic',
          },
        },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    conditions: conditionsSchema(
      'Accepted: the policy governs its target. Reconciling while a rollout is under way, Stalled when it needs a person, Ready when neither holds.',
    ),
  },
};

export const rolloutPolicy: CustomResource<RolloutPolicy> = {
  resource: rolloutPolicies,
  singular: 'rolloutpolicy',
  shortNames: ['rop'],
  categories: ['all'],
  description: 'How a MyDeployment rolls out: in steps, through gates, and back by itself. Its spec stays untouched.',
  spec,
  status,
  columns: [
    { name: 'target', type: 'string', jsonPath: '.spec.targetRef.name' },
    { name: 'step', type: 'integer', jsonPath: '.status.step', description: 'The step that the rollout is in' },
    { name: 'of', type: 'integer', jsonPath: '.status.steps', description: 'How many steps there are' },
    {
      name: 'waiting',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Reconciling")].reason',
      description: 'What the rollout waits for',
    },
    {
      name: 'stalled',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Stalled")].reason',
      description: 'Why a person is needed',
    },
    { name: 'age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'revision', type: 'string', jsonPath: '.status.revision', priority: 1 },
    { name: 'stable', type: 'string', jsonPath: '.status.stableRevision', priority: 1 },
    {
      name: 'accepted',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Accepted")].reason',
      priority: 1,
    },
  ],
};
