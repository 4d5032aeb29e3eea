// Admission of MyDaemonSets: what was not said is filled in, and what is wrong is refused by the rules of validate.ts. An
// object that is being deleted passes as it is, so that its finalizers can always be removed.

import type { Defaulter, Validator } from '../../runtime/webhook/server.ts';
import { withDefaults } from './defaults.ts';
import type { MyDaemonSet } from './types.gen.ts';
import { validate } from './validate.ts';

/** Writes down how many nodes may be unavailable, so that the object shows it. An image nobody can guess. */
export const defaulter: Defaulter<MyDaemonSet> = (object) => {
  if (isLeaving(object) || typeof object.spec !== 'object' || object.spec === null) return object;
  const { maxUnavailable } = withDefaults(object.spec);
  return { ...object, spec: { ...object.spec, maxUnavailable } };
};

/** Refuses an object without an image, with something else in its place, or with an impossible bound. */
export const validator: Validator<MyDaemonSet> = ({ object }) =>
  object === null || isLeaving(object) ? {} : { errors: validate(object) };

function isLeaving({ metadata }: MyDaemonSet): boolean {
  return metadata.deletionTimestamp !== undefined;
}
