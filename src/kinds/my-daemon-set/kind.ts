// MyDaemonSet, as the operator installs and runs it.

import { defineKind } from '../../runtime/kind.ts';
import { permissions } from './permissions.ts';
import { myDaemonSet } from './schema.ts';

export const myDaemonSetKind = defineKind({
  definition: myDaemonSet,
  permissions,
  admission: ['mutate', 'validate'],
  controller: async (operator) => {
    const { myDaemonSetController } = await import('./controller.ts');
    return myDaemonSetController(operator);
  },
  handlers: async () => {
    const { defaulter, validator } = await import('./webhook.ts');
    return { mutate: defaulter, validate: validator };
  },
});
