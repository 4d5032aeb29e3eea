// The CEL rules of a MyDeployment beyond the types of its fields: the API server refuses what it refuses for a native
// Deployment, even when the webhook is switched off. Each rule names the invalid field and its value. The API server
// estimates the cost of a rule before it accepts it: rules over labels pass because schema.ts bounds those maps, and
// only `has()` guards and `format()` keep the bounds visible to the estimate (it refuses `orValue`, `join` and `+` of
// converted numbers).

import type { ValidationRule } from '../../../runtime/custom-resource.ts';
import { HASH_LABELS } from '../../../workload/build-pod.ts';

const matchLabels = 'self.selector.matchLabels';
const matchExpressions = 'self.selector.matchExpressions';
const labels = 'self.template.metadata.labels';
const carries = (key: string): string => `has(self.template.metadata) && has(${labels}) && ${key} in ${labels}`;

const LABELS_MISS_SELECTOR = '.spec.template.metadata.labels must equal with .spec.selector.matchlabels';
const LABELS_MISS_EXPRESSIONS = '.spec.template.metadata.labels must satisfy .spec.selector.matchExpressions';
const labelsOrNone = `has(self.template.metadata) && has(${labels}) ? ${labels} : {}`;

const labelMatches = `(${carries('k')} && ${labels}[k] == ${matchLabels}[k])`;
const labelIsListed = `(${carries('r.key')} && has(r.values) && ${labels}[r.key] in r.values)`;
const requirementHolds = `(${[
  `r.operator == 'In' ? ${labelIsListed}`,
  `r.operator == 'NotIn' ? !${labelIsListed}`,
  `(r.operator == 'Exists') == (${carries('r.key')})`,
].join(' : ')})`;
const requirementText = "'%s %s %s'.format([r.key, r.operator, has(r.values) ? r.values : []])";

export const specRules: readonly ValidationRule[] = [
  {
    rule: `!has(${matchLabels}) || ${matchLabels}.all(k, ${labelMatches})`,
    message: LABELS_MISS_SELECTOR,
    messageExpression: `'%s: ${LABELS_MISS_SELECTOR}'.format([${labelsOrNone}])`,
    fieldPath: '.template.metadata.labels',
    reason: 'FieldValueInvalid',
  },
  {
    rule: `!has(${matchExpressions}) || ${matchExpressions}.all(r, ${requirementHolds})`,
    message: LABELS_MISS_EXPRESSIONS,
    messageExpression: `'%s: ${LABELS_MISS_EXPRESSIONS}: not met %s'.format([${labelsOrNone}, ${matchExpressions}.filter(r, !${requirementHolds}).map(r, ${requirementText})])`,
    fieldPath: '.template.metadata.labels',
    reason: 'FieldValueInvalid',
  },
  {
    rule: `!has(self.progressDeadlineSeconds) || self.progressDeadlineSeconds > (has(self.minReadySeconds) ? self.minReadySeconds : 0)`,
    message: 'must be greater than minReadySeconds',
    messageExpression: `'%d: must be greater than minReadySeconds'.format([self.progressDeadlineSeconds])`,
    fieldPath: '.progressDeadlineSeconds',
    reason: 'FieldValueInvalid',
  },
];

/** A selector on these labels would not match the pods, because the operator overwrites them. */
export const SELECTS_HASH = `may not be one of ${HASH_LABELS.join(', ')}: the operator sets these labels on the pods`;
const selectsHash = HASH_LABELS.map((label) => `'${label}' in self.matchLabels`).join(' || ');

export const selectorRules: readonly ValidationRule[] = [
  {
    rule: '(has(self.matchLabels) && size(self.matchLabels) > 0) || (has(self.matchExpressions) && size(self.matchExpressions) > 0)',
    message: 'empty selector is invalid for a MyDeployment: it would select every pod of the namespace',
    reason: 'FieldValueInvalid',
  },
  {
    rule: `!has(self.matchLabels) || !(${selectsHash})`,
    message: `a label ${SELECTS_HASH}`,
    messageExpression: `'%s: a label ${SELECTS_HASH}'.format([self.matchLabels])`,
    fieldPath: '.matchLabels',
    reason: 'FieldValueInvalid',
  },
  {
    rule: 'self == oldSelf',
    message: 'field is immutable',
    messageExpression: `'%s: field is immutable'.format([has(self.matchLabels) ? self.matchLabels : {}])`,
    reason: 'FieldValueInvalid',
  },
];

export const requirementRules: readonly ValidationRule[] = [
  {
    rule: "!(self.operator in ['In', 'NotIn']) || (has(self.values) && size(self.values) > 0)",
    message: "must be specified when `operator` is 'In' or 'NotIn'",
    fieldPath: '.values',
    reason: 'FieldValueRequired',
  },
  {
    rule: "!(self.operator in ['Exists', 'DoesNotExist']) || !has(self.values) || size(self.values) == 0",
    message: "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    fieldPath: '.values',
    reason: 'FieldValueForbidden',
  },
  {
    rule: `!(self.key in [${HASH_LABELS.map((label) => `'${label}'`).join(', ')}])`,
    message: SELECTS_HASH,
    messageExpression: `'"%s": ${SELECTS_HASH}'.format([self.key])`,
    fieldPath: '.key',
    reason: 'FieldValueInvalid',
  },
];

export const strategyRules: readonly ValidationRule[] = [
  {
    rule: "self.type != 'Recreate' || !has(self.rollingUpdate)",
    message: "may not be specified when strategy `type` is 'Recreate'",
    fieldPath: '.rollingUpdate',
    reason: 'FieldValueForbidden',
  },
];

const isZero = (field: string): string =>
  `(type(self.${field}) == int ? self.${field} == 0 : self.${field}.matches('^0+%$'))`;

export const rollingUpdateRules: readonly ValidationRule[] = [
  {
    rule: `!has(self.maxSurge) || !has(self.maxUnavailable) || !(${isZero('maxSurge')} && ${isZero('maxUnavailable')})`,
    message: 'may not be 0 when `maxSurge` is 0',
    messageExpression: "'%s: may not be 0 when `maxSurge` is 0'.format([self.maxUnavailable])",
    fieldPath: '.maxUnavailable',
    reason: 'FieldValueInvalid',
  },
  {
    rule: "!has(self.maxUnavailable) || type(self.maxUnavailable) == int || !self.maxUnavailable.matches('^0*[1-9][0-9]{2,}%$') || self.maxUnavailable.matches('^0*100%$')",
    message: 'must not be greater than 100%',
    messageExpression: "'%s: must not be greater than 100%%'.format([self.maxUnavailable])",
    fieldPath: '.maxUnavailable',
    reason: 'FieldValueInvalid',
  },
];

export const podSpecRules: readonly ValidationRule[] = [
  {
    // A rule instead of an enum: an empty string means the default, as in a native Deployment.
    rule: "!has(self.restartPolicy) || self.restartPolicy in ['', 'Always']",
    message: 'must be Always: a MyDeployment keeps its pods running',
    messageExpression: `'"%s": must be Always: a MyDeployment keeps its pods running'.format([self.restartPolicy])`,
    fieldPath: '.restartPolicy',
    reason: 'FieldValueInvalid',
  },
  {
    rule: '!has(self.activeDeadlineSeconds)',
    message: 'not supported: the pods of a MyDeployment run until they are replaced',
    fieldPath: '.activeDeadlineSeconds',
    reason: 'FieldValueForbidden',
  },
];
