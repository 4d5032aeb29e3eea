// Admission of ImoocPods by the rules of validate.ts. An object that is being deleted passes as it is, so that its
// finalizers can always be removed.

import type { Validator } from '../../runtime/webhook/server.ts';
import type { ImoocPod } from './types.gen.ts';
import { validate } from './validate.ts';

/** Refuses replicas that cannot be, or that nobody can want. */
export const validator: Validator<ImoocPod> = ({ object }) =>
  object === null || object.metadata.deletionTimestamp !== undefined ? {} : { errors: validate(object) };
