// What makes a MyDeployment invalid beyond the types of its fields: the rules and messages of an apps/v1 Deployment,
// except for template labels that do not match the selector, which have a message of their own. The API server
// validates the fields of the template in a dry run.

import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  validateCount,
} from '../../../runtime/webhook/field-error.ts';
import { HASH_LABELS } from '../../../workload/build-pod.ts';
import { sameMeaning } from '../../../workload/canonical.ts';
import { type LabelSelectorRequirement, selectorMatches, selectsEverything } from '../../../workload/selector.ts';
import { withDefaults } from '../defaults.ts';
import type { MyDeployment, MyDeploymentSpec, MyDeploymentSpecStrategy } from '../types.gen.ts';
import { SELECTS_HASH } from './rules.ts';

/** All errors of a new object. */
export function validateCreate(object: Pick<MyDeployment, 'spec'>): FieldError[] {
  return [...validateSpec(object), ...validateSelectedKeys(object.spec)];
}

function validateSpec({ spec }: Pick<MyDeployment, 'spec'>): FieldError[] {
  return [
    ...validateSelector(spec),
    ...validateLabels(spec),
    ...validatePodSpec(spec),
    ...validateStrategy(withDefaults(spec).strategy),
    ...validateNumbers(spec),
  ];
}

/** All errors of a change. A stored selector is immutable, so rules that were added later do not apply to it. */
export function validateUpdate(before: Pick<MyDeployment, 'spec'>, after: Pick<MyDeployment, 'spec'>): FieldError[] {
  const moved = !sameMeaning(before.spec.selector, after.spec.selector);
  return [
    ...(moved ? validateCreate(after) : validateSpec(after)),
    ...(moved ? [invalid('spec.selector', after.spec.selector, 'field is immutable')] : []),
  ];
}

/** A selector on a label that the operator sets would not match the pods. */
function validateSelectedKeys({ selector = {} }: MyDeploymentSpec): FieldError[] {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const path = 'spec.selector';
  const labels = HASH_LABELS.filter((label) => Object.hasOwn(matchLabels, label));
  return [
    ...labels.map((label) => invalid(`${path}.matchLabels[${label}]`, matchLabels[label], `a label ${SELECTS_HASH}`)),
    ...matchExpressions.flatMap(({ key }, index) =>
      HASH_LABELS.includes(key) ? [invalid(`${path}.matchExpressions[${index}].key`, key, SELECTS_HASH)] : [],
    ),
  ];
}

function validateSelector({ selector }: MyDeploymentSpec): FieldError[] {
  if (selector === undefined) return [required('spec.selector')];
  if (selectsEverything(selector)) {
    return [invalid('spec.selector', selector, 'empty selector is invalid for deployment')];
  }
  return (selector.matchExpressions ?? []).flatMap((requirement, index) =>
    validateRequirement(requirement, `spec.selector.matchExpressions[${index}]`),
  );
}

function validateRequirement({ operator, values = [] }: LabelSelectorRequirement, path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return unknownOperator(operator, path);
  }
}

function unknownOperator(operator: never, path: string): FieldError[] {
  return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
}

function validateLabels(spec: MyDeploymentSpec): FieldError[] {
  const { matchLabels = {}, matchExpressions = [] } = spec.selector ?? {};
  const labels = spec.template.metadata?.labels ?? {};
  if (!selectorMatches({ matchLabels }, labels)) {
    const detail = '.spec.template.metadata.labels must equal with .spec.selector.matchlabels';
    return [invalid('.spec.template.metadata.labels', labels, detail)];
  }
  // An invalid expression has been reported already.
  const sound = matchExpressions.filter((requirement) => validateRequirement(requirement, '').length === 0);
  if (selectorMatches({ matchExpressions: sound }, labels)) return [];
  return [invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')];
}

function validatePodSpec({ template: { spec } }: MyDeploymentSpec): FieldError[] {
  const path = 'spec.template.spec';
  const { activeDeadlineSeconds } = spec;
  const restartPolicy = spec.restartPolicy || 'Always';
  return [
    ...(restartPolicy === 'Always' ? [] : [notSupported(`${path}.restartPolicy`, restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [forbidden(`${path}.activeDeadlineSeconds`, 'activeDeadlineSeconds in MyDeployment is not Supported')]),
  ];
}

function validateStrategy({ type, rollingUpdate }: MyDeploymentSpecStrategy): FieldError[] {
  const path = 'spec.strategy.rollingUpdate';
  if (type === 'Recreate') {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return rollingUpdate === undefined ? [] : [forbidden(path, detail)];
  }
  if (type !== 'RollingUpdate') return [notSupported('spec.strategy', type, ['Recreate', 'RollingUpdate'])];
  const { maxSurge = 0, maxUnavailable = 0 } = rollingUpdate ?? {};
  const bothZero = Number.parseInt(`${maxSurge}`, 10) === 0 && Number.parseInt(`${maxUnavailable}`, 10) === 0;
  return [
    ...validateShare(`${path}.maxUnavailable`, maxUnavailable),
    ...validateShare(`${path}.maxSurge`, maxSurge),
    ...(bothZero ? [invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...(typeof maxUnavailable === 'string' && Number.parseInt(maxUnavailable, 10) > 100
      ? [invalid(`${path}.maxUnavailable`, maxUnavailable, 'must not be greater than 100%')]
      : []),
  ];
}

function validateShare(path: string, value: number | string): FieldError[] {
  if (typeof value === 'number') return validateCount(path, value);
  if (/^\d+%$/.test(value)) return [];
  return [invalid(path, value, "a valid percent string must be digits followed by '%' (e.g. '1%' or '93%')")];
}

function validateNumbers(spec: MyDeploymentSpec): FieldError[] {
  const { minReadySeconds, progressDeadlineSeconds } = withDefaults(spec);
  const names = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'] as const;
  const tooShort = progressDeadlineSeconds <= minReadySeconds;
  return [
    ...names.flatMap((name) => validateCount(`spec.${name}`, spec[name] ?? 0)),
    ...(tooShort
      ? [invalid('spec.progressDeadlineSeconds', progressDeadlineSeconds, 'must be greater than minReadySeconds')]
      : []),
  ];
}
