// ImoocPod, as the operator installs and runs it.

import { validatorOf } from '../../runtime/webhook/validator.ts';
import { podOwningKind } from '../../workload/pod-owning-kind.ts';
import { imoocPod, imoocPods } from './schema.ts';

const { group, plural: resource } = imoocPods;

export const imoocPodKind = podOwningKind({
  definition: imoocPod,
  // Patched to add and remove the finalizer.
  permissions: [{ group, resource, verbs: ['patch'] }],
  admission: ['validate'],
  owner: async () => (await import('./plan.ts')).imoocPodOwner,
  handlers: async () => ({ validate: validatorOf((await import('./validate.ts')).validate) }),
});
