// A kind that marks its pods with its own name in a label can only have names that fit into a label. The API server
// (CEL) and the webhook both apply the rule, with the same message.

import type { ValidationRule } from '../runtime/custom-resource.ts';
import type { KubeObject } from '../runtime/object.ts';
import { type FieldError, invalid } from '../runtime/webhook/field-error.ts';

const LONGEST_LABEL = 63;
const DETAIL = `must be no more than ${LONGEST_LABEL} characters, because it becomes a label of the pods`;

/**
 * For the rules of a kind's definition. The message names the field, since no rule's fieldPath may lead into metadata.
 */
export const nameFitsLabel: ValidationRule = {
  rule: `size(self.metadata.name) <= ${LONGEST_LABEL}`,
  message: `metadata.name ${DETAIL}`,
  messageExpression: `'metadata.name: "%s": ${DETAIL}'.format([self.metadata.name])`,
  reason: 'FieldValueInvalid',
};

/** What is wrong with an object's name; nothing when the API server has yet to generate it. */
export function validateNameAsLabel({ metadata: { name = '' } }: Pick<KubeObject, 'metadata'>): FieldError[] {
  return name.length <= LONGEST_LABEL ? [] : [invalid('metadata.name', name, DETAIL)];
}
