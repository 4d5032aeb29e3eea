// ModelBox, as the operator installs and runs it.

import { defineKind } from '../../runtime/kind.ts';
import { permissions } from './permissions.ts';
import { modelBox } from './schema.ts';

export const modelBoxKind = defineKind({
  definition: modelBox,
  permissions,
  admission: ['validate'],
  controller: async (operator) => {
    const { modelBoxController } = await import('./controller.ts');
    return modelBoxController(operator);
  },
  handlers: async (client) => {
    const { validator } = await import('./webhook.ts');
    return { validate: validator(client) };
  },
});
