// What makes an ImoocPod wrong, in the words of the API server. The schema says the same (schema.ts), so that it holds
// with the webhook switched off, too.

import { type FieldError, invalid } from '../../runtime/webhook/field-error.ts';
import { validateNameAsLabel } from '../../workload/name-label.ts';
import { MAX_REPLICAS, withDefaults } from './defaults.ts';
import type { ImoocPod } from './types.gen.ts';

/** Everything wrong with an object. */
export function validate(object: Pick<ImoocPod, 'metadata' | 'spec'>): FieldError[] {
  return [...validateNameAsLabel(object), ...validateReplicas(withDefaults(object.spec).replicas)];
}

function validateReplicas(replicas: number): FieldError[] {
  const refuse = (detail: string): FieldError[] => [invalid('spec.replicas', replicas, detail)];
  if (!Number.isInteger(replicas)) return refuse('must be a whole number');
  if (replicas < 0) return refuse('must be greater than or equal to 0');
  return replicas > MAX_REPLICAS ? refuse(`must be less than or equal to ${MAX_REPLICAS}`) : [];
}
