// RolloutPolicy, as the operator installs and runs it.

import { defineKind } from '../../runtime/kind.ts';
import { permissions } from './permissions.ts';
import { parseServers, prometheusFlag } from './prometheus/flag.ts';
import { rolloutPolicy } from './schema.ts';

export const rolloutPolicyKind = defineKind({
  definition: rolloutPolicy,
  permissions,
  admission: ['mutate', 'validate'],
  warnsOnDelete: true,
  flags: [prometheusFlag],
  controller: async (operator) => {
    const { rolloutPolicyController } = await import('./controller.ts');
    const { PrometheusClient } = await import('./prometheus/client.ts');
    const servers = parseServers(operator.kindFlags[prometheusFlag.name] ?? []);
    const prometheus = new PrometheusClient({ servers, clock: operator.clock, log: operator.log });
    return rolloutPolicyController({ ...operator, prometheus });
  },
  handlers: async () => (await import('./admission/webhook.ts')).handlers,
});
