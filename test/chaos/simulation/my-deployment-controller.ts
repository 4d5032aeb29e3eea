// The controller of MyDeployments as the operator makes it, in a simulated process.

import { OnDemand } from '../../../src/kinds/my-deployment/on-demand.ts';
import { myDeploymentOwner } from '../../../src/kinds/my-deployment/owner.ts';
import { rolloutPolicies } from '../../../src/policy/resource.ts';
import type { Controller } from '../../../src/runtime/controller/controller.ts';
import type { Operator } from '../../../src/runtime/operator/operator.ts';
import { podOwnerController } from '../../../src/workload/pod-owner.ts';
import type { Chance } from './chance.ts';
import type { ProcessClock } from './virtual-time.ts';

type Deps = Parameters<typeof podOwnerController>[0];

interface Parts extends Pick<Operator, 'cache' | 'client'>, Pick<Deps, 'events' | 'controllerOptions'> {
  readonly clock: ProcessClock;
  readonly chance: Chance;
  /** Told how to ask of how many owners it remembers writes. */
  readonly remembers: (owners: () => number) => void;
}

export function myDeploymentController({ chance, remembers, ...parts }: Parts): Controller {
  const consistency = { staleSkip() {}, leaked() {}, remembers };
  const policies = parts.cache.informer(rolloutPolicies);
  const onDemand = new OnDemand(parts.cache, policies);
  const deps = {
    ...parts,
    wallNow: parts.clock.wallNow,
    random: chance.number,
    metrics: { consistency: () => consistency },
  };
  return podOwnerController(deps, myDeploymentOwner({ policies, onDemand }));
}
