// MyDeployment, as the operator installs and runs it.

import { defineKind } from '../../runtime/kind.ts';
import { myDeployments } from './names.ts';
import { permissions } from './permissions.ts';
import { myDeployment } from './schema.ts';

export const myDeploymentKind = defineKind({
  definition: myDeployment,
  permissions,
  admission: ['mutate', 'validate'],
  controller: async (operator) => {
    const { myDeploymentController } = await import('./controller.ts');
    const { observeRollouts } = await import('./rollout-metrics.ts');
    const { Zones } = await import('./zones.ts');
    observeRollouts(operator.cache.informer(myDeployments), operator);
    if (operator.env.DEFAULT_SPREAD === 'false') return myDeploymentController(operator);
    const zones = new Zones(operator.client);
    await zones.look();
    return myDeploymentController({ ...operator, spread: zones.spread });
  },
  handlers: async (client) => {
    const { handlers } = await import('./webhook.ts');
    return handlers(client);
  },
});
