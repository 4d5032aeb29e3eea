// What happens to a StaticSite before it is stored: defaults and rules that the schema cannot express. With webhooks switched off
// neither happens, so rules that must always hold belong into schema.ts.

import { type AdmissionRequest, type FieldError, invalid, type ValidationResult } from 'mydeployment/runtime';
import type { StaticSite } from './types.gen.ts';

/** Fills in what was not said. The API server calls this before it checks the schema, so any field may be missing. */
export function withDefaults(object: StaticSite): StaticSite {
  const text = object.spec?.text;
  // Line breaks as Unix has them.
  return text?.includes('\r\n') ? { ...object, spec: { ...object.spec, text: text.replaceAll('\r\n', '\n') } } : object;
}

/** What is wrong with the object, beyond what the schema has found. */
export function problemsOf({ spec }: StaticSite): FieldError[] {
  return spec.text.includes('\0') ? [invalid('spec.text', spec.text, 'must not contain a null character')] : [];
}

export const staticSiteWebhooks = {
  mutate: withDefaults,
  validate: ({ object }: AdmissionRequest<StaticSite>): ValidationResult =>
    // An object that is being deleted passes, so that its finalizers can always be removed.
    object === null || object.metadata.deletionTimestamp !== undefined ? {} : { errors: problemsOf(object) },
};
