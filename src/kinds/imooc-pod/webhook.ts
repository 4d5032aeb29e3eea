// Admission of ImoocPods by the rules of validate.ts. An object that is being deleted passes as it is, so that its
// finalizers can always be removed.

import type { Validator, WebhookServer } from '../../runtime/webhook/server.ts';
import type { ImoocPod } from './types.gen.ts';
import { validate } from './validate.ts';

export const VALIDATE_PATH = '/validate-batch-tutorial-kubebuilder-io-v1alpha1-imoocpod';

/** Serves the webhook of the kind. */
export function serveImoocPod(server: WebhookServer): void {
  server.validator(VALIDATE_PATH, validator);
}

/** Refuses replicas that cannot be, or that nobody can want. */
export const validator: Validator<ImoocPod> = ({ object }) =>
  object === null || object.metadata.deletionTimestamp !== undefined ? {} : { errors: validate(object) };
