// ImoocPod, as the operator installs and runs it.

import { defineKind } from '../../runtime/kind.ts';
import { permissions } from './permissions.ts';
import { imoocPod } from './schema.ts';

export const imoocPodKind = defineKind({
  definition: imoocPod,
  permissions,
  admission: ['validate'],
  controller: async (operator) => {
    const { imoocPodController } = await import('./controller.ts');
    return imoocPodController(operator);
  },
  handlers: async () => {
    const { validator } = await import('./webhook.ts');
    return { validate: validator };
  },
});
