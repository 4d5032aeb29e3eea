// A validator from a function that lists what is wrong with an object.

import type { KubeObject } from '../object.ts';
import type { FieldError } from './field-error.ts';
import type { Validator } from './server.ts';

/** Admits an object that is being deleted as it is, so that its finalizers can always be removed. */
export function validatorOf<T extends KubeObject>(validate: (object: T) => readonly FieldError[]): Validator<T> {
  return ({ object }) =>
    object === null || object.metadata.deletionTimestamp !== undefined ? {} : { errors: validate(object) };
}
