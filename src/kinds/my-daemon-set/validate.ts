// What makes a MyDaemonSet invalid, with the API server's messages. The rules of the schema check the same (rules.ts),
// for clusters without the webhook.

import { BAD_IMAGE, isImage, LONGEST_IMAGE } from '../../runtime/image.ts';
import { type FieldError, invalid, required, tooLong } from '../../runtime/webhook/field-error.ts';
import { validateNameAsLabel } from '../../workload/name-label.ts';
import { withDefaults } from './defaults.ts';
import { BAD_MAX_UNAVAILABLE, IMAGE_REQUIRED, SHARE_PATTERN } from './rules.ts';
import type { MyDaemonSet } from './types.gen.ts';

/** All errors of an object. */
export function validate(object: Pick<MyDaemonSet, 'metadata' | 'spec'>): FieldError[] {
  const { image, maxUnavailable } = withDefaults(object.spec);
  return [...validateNameAsLabel(object), ...validateImage(image), ...validateMaxUnavailable(maxUnavailable)];
}

function validateImage(image: string): FieldError[] {
  if (image === '') return [required('spec.image', IMAGE_REQUIRED)];
  if (image.length > LONGEST_IMAGE) return [tooLong('spec.image', LONGEST_IMAGE)];
  return isImage(image) ? [] : [invalid('spec.image', image, BAD_IMAGE)];
}

function validateMaxUnavailable(value: number | string): FieldError[] {
  const isRight =
    typeof value === 'number' ? Number.isInteger(value) && value >= 1 : new RegExp(SHARE_PATTERN).test(value);
  return isRight ? [] : [invalid('spec.maxUnavailable', value, BAD_MAX_UNAVAILABLE)];
}
