// What makes a ModelBox invalid beyond its schema and rules: its name, which its Service and container share, and its
// containers, which the API server validates as part of a pod template. Errors are reported with the field of the
// ModelBox that the template's field came from.

import { type FieldError, invalid } from '../../runtime/webhook/field-error.ts';
import type { ModelBox } from './types.gen.ts';

const SERVICE_NAME = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** What is wrong with the name; nothing when the API server has yet to generate it. */
export function validateName({ metadata }: { readonly metadata: Partial<ModelBox['metadata']> }): FieldError[] {
  const { name } = metadata;
  if (name === undefined || SERVICE_NAME.test(name)) return [];
  const detail = 'must be at most 63 of a-z, 0-9 and dashes and begin with a letter: the Service bears the same name';
  return [invalid('metadata.name', name, detail)];
}

/** Where the fields of the pod template come from; the first container is the ModelBox's own. */
const ORIGINS: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  [/^containers\[0\]\.env\b(.*)$/, (rest) => `spec.envs${rest}`],
  [/^containers\[0\]\.ports\b/, () => 'spec.ports'],
  [/^containers\[0\]\.name$/, () => 'metadata.name'],
  [/^containers\[0\]\.(.*)$/, (rest) => `spec.${rest}`],
  [/^containers\[(\d+)\](.*)$/, (index, rest) => `spec.containers[${Number(index) - 1}]${rest}`],
  [/^initContainers\b(.*)$/, (rest) => `spec.initContainers${rest}`],
];

/** The error, with the field path of the ModelBox. */
export function atOrigin(error: FieldError): FieldError {
  const path = error.field.replace(/^spec\.template\.spec\./, '');
  for (const [pattern, origin] of ORIGINS) {
    const match = pattern.exec(path);
    if (match) return { ...error, field: origin(...match.slice(1)) };
  }
  return error;
}
