// RolloutPolicy, as the operator installs and runs it.

import { defineKind } from '../../runtime/kind.ts';
import type { Operator } from '../../runtime/operator/operator.ts';
import { permissions } from './permissions.ts';
import { type PrometheusServer, parseServers, prometheusFlag } from './prometheus/flag.ts';
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
    const servers = serversOf(operator.kindFlags);
    const prometheus = new PrometheusClient({ servers, clock: operator.clock, log: operator.log });
    return rolloutPolicyController({ ...operator, prometheus });
  },
  handlers: async (_, kindFlags) => (await import('./admission/webhook.ts')).handlers(serversOf(kindFlags)),
});

function serversOf(kindFlags: Operator['kindFlags']): ReadonlyMap<string, PrometheusServer> {
  return parseServers(kindFlags[prometheusFlag.name] ?? []);
}
