// MyDeployment, as the operator installs and runs it.

import { rolloutPolicies } from '../../policy/resource.ts';
import { podOwningKind } from '../../workload/pod-owning-kind.ts';
import { myDeployments } from './names.ts';
import { myDeployment } from './schema.ts';

const { group, plural: resource } = myDeployments;

export const myDeploymentKind = podOwningKind({
  definition: myDeployment,
  permissions: [
    // Patched to roll back, and to remove the annotation that asked for it.
    { group, resource, verbs: ['patch'] },
    { group: 'apps', resource: 'controllerrevisions', verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
    // Changes in place, for policies that ask for them.
    { group: '', resource: 'pods/status', verbs: ['patch'] },
    { group: '', resource: 'pods/resize', verbs: ['patch'] },
    // Only as a dry run: the API server validates and defaults a template.
    { group: '', resource: 'podtemplates', verbs: ['create'] },
    // Policies are read, and the requests of people that were answered are removed from them.
    { group, resource: rolloutPolicies.plural, verbs: ['list', 'watch', 'patch'] },
    // Whether nodes are in zones, over which pods are then spread; watched for policies that spread scale-downs or wait for drains.
    { group: '', resource: 'nodes', verbs: ['list', 'watch'] },
    // Which pods no drain can evict, for policies that give those a surplus pod.
    { group: 'policy', resource: 'poddisruptionbudgets', verbs: ['list', 'watch'] },
  ],
  admission: ['mutate', 'validate'],
  owner: async (operator) => {
    const { myDeploymentOwner } = await import('./owner.ts');
    const { observeRollouts } = await import('./rollout-metrics.ts');
    const { OnDemand } = await import('./on-demand.ts');
    const { Zones } = await import('./zones.ts');
    observeRollouts(operator.cache.informer(myDeployments), operator);
    const policies = operator.runs('rolloutpolicy') ? operator.cache.informer(rolloutPolicies) : undefined;
    const governed = policies && { policies, onDemand: new OnDemand(operator.cache, policies) };
    if (operator.env.DEFAULT_SPREAD === 'false') return myDeploymentOwner(governed);
    const zones = new Zones(operator.client);
    await zones.look();
    return myDeploymentOwner({ spread: zones.spread, ...governed });
  },
  handlers: async (client) => (await import('./admission/webhook.ts')).handlers(client),
});
