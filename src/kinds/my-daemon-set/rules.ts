// The CEL rules of a MyDaemonSet beyond the types of its fields: the API server refuses what the webhook refuses, with
// the same messages, even when the webhook is switched off.

import type { ValidationRule } from '../../runtime/custom-resource.ts';
import { BAD_IMAGE, IMAGE_PATTERN } from '../../runtime/image.ts';

export const IMAGE_REQUIRED = 'image is required';
export const BAD_MAX_UNAVAILABLE = 'must be a number of nodes from 1, or a percentage of them from 1% to 100%';
export const SHARE_PATTERN = '^([1-9][0-9]?|100)%$';

/** CEL's `format` treats a percent sign as the beginning of a verb. */
const escaped = (words: string): string => words.replaceAll('%', '%%');

export const specRules: readonly ValidationRule[] = [
  {
    rule: "has(self.image) && self.image != ''",
    message: IMAGE_REQUIRED,
    fieldPath: '.image',
    reason: 'FieldValueRequired',
  },
  {
    rule: `!has(self.image) || self.image == '' || self.image.matches(r'${IMAGE_PATTERN}')`,
    message: BAD_IMAGE,
    messageExpression: `'"%s": ${BAD_IMAGE}'.format([self.image])`,
    fieldPath: '.image',
    reason: 'FieldValueInvalid',
  },
  {
    rule: `!has(self.maxUnavailable) || (type(self.maxUnavailable) == int ? self.maxUnavailable >= 1 : self.maxUnavailable.matches('${SHARE_PATTERN}'))`,
    message: BAD_MAX_UNAVAILABLE,
    messageExpression: `'%s: ${escaped(BAD_MAX_UNAVAILABLE)}'.format([self.maxUnavailable])`,
    fieldPath: '.maxUnavailable',
    reason: 'FieldValueInvalid',
  },
];
