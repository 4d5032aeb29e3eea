// Admission of MyDeployments: the API server defaults and validates the template in a dry run that both webhooks share
// (workload/template-judge.ts); the rest follows the rules of validate.ts. An object that is being deleted is admitted
// unchanged, so that its finalizers can always be removed.

import type { Client } from '../../../runtime/client/client.ts';
import type { AdmissionRequest, ValidationResult } from '../../../runtime/webhook/admission.ts';
import type { FieldError } from '../../../runtime/webhook/field-error.ts';
import type { Defaulter, Validator } from '../../../runtime/webhook/server.ts';
import { sameMeaning } from '../../../workload/canonical.ts';
import { isNamespaceGoing, quotaRefusal } from '../../../workload/template-dry-run.ts';
import { TemplateJudge } from '../../../workload/template-judge.ts';
import type { MyDeployment } from '../types.gen.ts';
import { validateCreate, validateUpdate } from './validate.ts';

/** The functions of both webhooks. They share the results of dry runs. */
export function handlers(client: Client) {
  const judge = new TemplateJudge(client);
  return { mutate: defaulter(judge), validate: validator(judge) };
}

type Request = AdmissionRequest<MyDeployment>;

/** Fills in the template's defaults, so that writing a default explicitly later is no change and starts no rollout. */
export function defaulter(judge: TemplateJudge): Defaulter<MyDeployment> {
  return async (object, request, signal) => {
    if (!needsLook(request) || !isJudgeable(object)) return object;
    const { template } = object.spec;
    const verdict = await judge.judge(namespaceOf(object, request), template, signal).catch(() => undefined);
    // The validator reports errors of the template, and failures of the dry run.
    if (verdict === undefined || 'errors' in verdict) return object;
    return { ...object, spec: { ...object.spec, template: verdict.template } };
  };
}

/** Refuses an object that would be refused as a Deployment. */
export function validator(judge: TemplateJudge): Validator<MyDeployment> {
  return async (request, signal) => {
    const { object, oldObject } = request;
    if (object === null || object.metadata.deletionTimestamp !== undefined) return {};
    const errors = oldObject === null ? validateCreate(object) : validateUpdate(oldObject, object);
    if (!needsLook(request)) return { errors };
    try {
      const found = await judge.errorsIn(namespaceOf(object, request), object.spec.template, signal);
      return { errors: [...errors, ...found] };
    } catch (error) {
      return withoutVerdict(errors, error);
    }
  };
}

function namespaceOf({ metadata }: MyDeployment, request: Request): string {
  return request.namespace ?? metadata.namespace ?? 'default';
}

/** Validates an object whose template the API server has not validated. */
function withoutVerdict(errors: readonly FieldError[], error: unknown): ValidationResult {
  const quota = quotaRefusal(error);
  if (quota !== undefined) return { errors, warnings: [`spec.template is stored without defaults: ${quota}`] };
  // In a terminating namespace nothing can be created, not even in a dry run, and no pod will run.
  if (errors.length > 0 || isNamespaceGoing(error)) return { errors };
  const because = error instanceof Error ? error.message : String(error);
  return { denied: `spec.template could not be checked by the API server, try again: ${because}` };
}

/** False for changes that leave the template alone: it was validated before. */
function needsLook({ object, oldObject }: Request): boolean {
  if (object === null || object.metadata.deletionTimestamp !== undefined) return false;
  return oldObject === null || !sameMeaning(oldObject.spec?.template, object.spec?.template);
}

/** Defaulting runs before schema validation, so the template may be missing. */
function isJudgeable({ spec }: MyDeployment): boolean {
  return typeof spec?.template === 'object' && spec.template !== null;
}
