// What makes an ImoocPod invalid, with the API server's messages. The schema checks the same, for clusters without webhooks.

import { type FieldError, validateCount } from '../../runtime/webhook/field-error.ts';
import { validateNameAsLabel } from '../../workload/name-label.ts';
import { DEFAULT_REPLICAS, MAX_REPLICAS } from './schema.ts';
import type { ImoocPod } from './types.gen.ts';

export function validate(object: Pick<ImoocPod, 'metadata' | 'spec'>): FieldError[] {
  const { replicas = DEFAULT_REPLICAS } = object.spec;
  return [...validateNameAsLabel(object), ...validateCount('spec.replicas', replicas, MAX_REPLICAS)];
}
