// Which changes of a policy wake its MyDeployment: those that a plan reads.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { myDeploymentOwner } from '../../../src/kinds/my-deployment/owner.ts';
import { rolloutPolicies } from '../../../src/policy/resource.ts';
import type { RolloutPolicy, RolloutPolicyStatusGate } from '../../../src/policy/types.gen.ts';
import { podOwnerController } from '../../../src/workload/pod-owner.ts';
import { controllerRevisions, pods } from '../../../src/workload/write-context.ts';
import { ControllerWorld } from './controller-world.ts';
import { myDeployment } from './fixture.ts';

const KINDS = [myDeployments, pods, controllerRevisions, rolloutPolicies];
const web = myDeployment({ metadata: { name: 'web' }, replicas: 0, paused: true });
const gate: RolloutPolicyStatusGate = { name: 'errors', number: 2, step: 1, state: 'Passed', measuredAt: 'then' };

function policy(change: Partial<RolloutPolicy> = {}): RolloutPolicy {
  const metadata = { name: 'slow', namespace: 'default', uid: 'policy', resourceVersion: '1' };
  return {
    metadata,
    spec: { targetRef: { name: 'web' }, steps: [{ replicas: 1 }] },
    status: { gates: [gate] },
    ...change,
  };
}

const measured = (change: Partial<RolloutPolicyStatusGate>) => policy({ status: { gates: [{ ...gate, ...change }] } });

let world: ControllerWorld;

beforeEach(async () => {
  world = await ControllerWorld.of(
    KINDS,
    (deps) => podOwnerController(deps, myDeploymentOwner({ policies: deps.cache.informer(rolloutPolicies) })),
    [myDeployments, web],
  );
});

afterEach(() => world.stop());

describe('a policy wakes its target', () => {
  it.each([
    { name: 'when its spec changes', after: policy({ spec: { targetRef: { name: 'web' } } }), wakes: true },
    { name: 'when somebody asks for something', after: asking(), wakes: true },
    { name: 'when a gate has another state', after: measured({ state: 'Failed' }), wakes: true },
    { name: 'when a result of another step comes', after: measured({ step: 2 }), wakes: true },
    {
      name: 'when a gate passes for the second time, for a clock that began since',
      after: measured({ measuredAt: 'now' }),
      wakes: true,
    },
    { name: 'but not when its words change', after: measured({ message: 'fine' }), wakes: false },
    {
      name: 'but not when its status says where the rollout stands',
      after: policy({ status: { gates: [gate], step: 1 } }),
      wakes: false,
    },
  ])('$name', async ({ after, wakes }) => {
    await world.show('ADDED', rolloutPolicies, policy());
    world.forget();
    await world.show('MODIFIED', rolloutPolicies, after);
    expect(world.woken).toEqual(wakes ? ['default/web'] : []);
  });

  it('but not when a gate that is pending was measured once more', async () => {
    await world.show('ADDED', rolloutPolicies, measured({ state: 'Pending' }));
    world.forget();
    await world.show('MODIFIED', rolloutPolicies, measured({ state: 'Pending', measuredAt: 'now' }));
    expect(world.woken).toEqual([]);
  });
});

function asking(): RolloutPolicy {
  const { metadata, ...rest } = policy();
  return {
    ...rest,
    metadata: { ...metadata, annotations: { 'rolloutpolicy.kubebuilder.zq.com/abort': '{"number":2}' } },
  };
}
