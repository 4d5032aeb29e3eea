// What makes an ImoocPod invalid, in the words of the API server. The schema says the same, for clusters without webhooks.

import { type FieldError, invalid } from '../../runtime/webhook/field-error.ts';
import { validateNameAsLabel } from '../../workload/name-label.ts';
import { DEFAULT_REPLICAS, MAX_REPLICAS } from './schema.ts';
import type { ImoocPod } from './types.gen.ts';

export function validate(object: Pick<ImoocPod, 'metadata' | 'spec'>): FieldError[] {
  const { replicas = DEFAULT_REPLICAS } = object.spec;
  const refuse = (detail: string): FieldError[] => [invalid('spec.replicas', replicas, detail)];
  const errors = validateNameAsLabel(object);
  if (!Number.isInteger(replicas)) return [...errors, ...refuse('must be a whole number')];
  if (replicas < 0) return [...errors, ...refuse('must be greater than or equal to 0')];
  return replicas > MAX_REPLICAS ? [...errors, ...refuse(`must be less than or equal to ${MAX_REPLICAS}`)] : errors;
}
