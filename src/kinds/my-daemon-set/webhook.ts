// Defaults of MyDaemonSets at admission. An object that is being deleted is admitted as it is, so that its finalizers can
// always be removed.

import type { Defaulter } from '../../runtime/webhook/server.ts';
import { withDefaults } from './defaults.ts';
import type { MyDaemonSet } from './types.gen.ts';

/** Fills in maxUnavailable, so that the object shows it. */
export const defaulter: Defaulter<MyDaemonSet> = (object) => {
  if (isLeaving(object) || typeof object.spec !== 'object' || object.spec === null) return object;
  const { maxUnavailable } = withDefaults(object.spec);
  return { ...object, spec: { ...object.spec, maxUnavailable } };
};

function isLeaving({ metadata }: MyDaemonSet): boolean {
  return metadata.deletionTimestamp !== undefined;
}
