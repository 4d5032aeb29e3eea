// MyDaemonSet, as the operator installs and runs it.

import { validatorOf } from '../../runtime/webhook/validator.ts';
import { podOwningKind } from '../../workload/pod-owning-kind.ts';
import { myDaemonSet } from './schema.ts';

export const myDaemonSetKind = podOwningKind({
  definition: myDaemonSet,
  permissions: [{ group: '', resource: 'nodes', verbs: ['list', 'watch'] }],
  admission: ['mutate', 'validate'],
  owner: async (operator) => (await import('./owner.ts')).myDaemonSetOwner(operator),
  handlers: async () => {
    const { defaulter } = await import('./webhook.ts');
    const { validate } = await import('./validate.ts');
    return { mutate: defaulter, validate: validatorOf(validate) };
  },
});
