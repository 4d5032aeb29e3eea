// Admission of ModelBoxes: the rules of validate.ts, and the API server's validation of the containers by dry run
// (workload/template-dry-run.ts). Rules across fields are in the CRD and hold without this webhook.

import type { Client } from '../../runtime/client/client.ts';
import type { AdmissionRequest, ValidationResult } from '../../runtime/webhook/admission.ts';
import type { Validator } from '../../runtime/webhook/server.ts';
import { sameMeaning } from '../../workload/canonical.ts';
import { dryRunTemplate, isNamespaceGoing, quotaRefusal } from '../../workload/template-dry-run.ts';
import type { ModelBox } from './types.gen.ts';
import { atOrigin, validateName } from './validate.ts';
import { podTemplateOf } from './wanted.ts';

/** Used in place of a name that the API server has yet to generate. */
const UNNAMED = 'modelbox';

/** Refuses a ModelBox from which no Deployment or Service could be created. */
export function validator(client: Client): Validator<ModelBox> {
  return async (request, signal) => {
    const { object } = request;
    if (object === null || isSettled(request)) return {};
    const errors = validateName(object);
    return errors.length > 0 ? { errors } : judge(client, object, request, signal);
  };
}

async function judge(
  client: Client,
  object: ModelBox,
  { namespace = 'default' }: AdmissionRequest,
  signal: AbortSignal,
): Promise<ValidationResult> {
  const { name = UNNAMED } = object.metadata as Partial<ModelBox['metadata']>;
  const template = podTemplateOf({ ...object, metadata: { ...object.metadata, name } });
  try {
    const verdict = await dryRunTemplate(client, namespace, template, signal);
    return 'errors' in verdict ? { errors: verdict.errors.map(atOrigin) } : {};
  } catch (error) {
    if (isNamespaceGoing(error) || quotaRefusal(error) !== undefined) return {};
    const because = error instanceof Error ? error.message : String(error);
    return { denied: `the containers could not be checked by the API server, try again: ${because}` };
  }
}

/** True for changes that leave the spec alone: it was validated before. */
function isSettled({ object, oldObject }: AdmissionRequest<ModelBox>): boolean {
  if (object?.metadata.deletionTimestamp !== undefined) return true;
  return oldObject !== null && sameMeaning(oldObject.spec, object?.spec);
}
