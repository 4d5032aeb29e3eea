// Collector, as the operator installs and runs it.

import { defineKind } from '../../runtime/kind.ts';
import { permissions } from './permissions.ts';
import { collector } from './schema.ts';

export const collectorKind = defineKind({
  definition: collector,
  permissions,
  admission: [],
  controller: async (operator) => {
    const { collectorController } = await import('./controller.ts');
    return collectorController(operator);
  },
  handlers: async () => ({}),
});
