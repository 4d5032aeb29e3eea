// Answers that arrive after their owner is gone leave nothing behind: whatever a long-lived operator remembers belongs to
// objects that exist.

import { afterEach, describe, expect, it } from '@jest/globals';
import { imoocPodOwner } from '../../../src/kinds/imooc-pod/plan.ts';
import { FINALIZER, imoocPods } from '../../../src/kinds/imooc-pod/schema.ts';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { ApiError } from '../../../src/runtime/errors.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { podOwnerController } from '../../../src/workload/pod-owner.ts';
import { pods } from '../../../src/workload/write-context.ts';
import { imoocPod } from '../imooc-pod/fixture.ts';
import { ControllerWorld } from './controller-world.ts';
import { myDeployment } from './fixture.ts';

const OWNERS = 20;

let world: ControllerWorld;
afterEach(() => world.stop());

const kinds: readonly {
  readonly resource: Resource;
  readonly start: () => Promise<ControllerWorld>;
  readonly object: (metadata: { name: string; uid: string }) => KubeObject;
}[] = [
  {
    resource: myDeployments,
    start: () => ControllerWorld.start(),
    object: (metadata) => myDeployment({ metadata, replicas: 3 }),
  },
  {
    resource: imoocPods,
    start: () => ControllerWorld.of([imoocPods, pods], (deps) => podOwnerController(deps, imoocPodOwner)),
    // Without its finalizer the first write would be that, and nothing would be remembered of a pod.
    object: (metadata) => imoocPod({ metadata: { ...metadata, finalizers: [FINALIZER] } }),
  },
];

describe.each(kinds)('$resource.kind: owners that come and go while a write is on its way', (kind) => {
  it.each([
    { name: 'carried out', answer: () => undefined },
    { name: 'lost', answer: () => new ApiError('Connection', 'reset') },
    { name: 'refused', answer: () => new ApiError('Forbidden', 'quota') },
    { name: 'too late for a change', answer: () => new ApiError('Conflict', 'changed') },
  ])('leave nothing behind, whether that write was $name', async ({ answer }) => {
    world = await kind.start();
    for (let index = 0; index < OWNERS; index++) {
      // Every other one has the name of one before it.
      const object = kind.object({ name: `web-${index >> 1}`, uid: `uid-${index}` });
      const late = Promise.withResolvers<Error | undefined>();
      world.refuse = () => late.promise;
      world.forget();
      await world.show('ADDED', kind.resource, object);
      expect(world.requests.length).toBeGreaterThan(0);
      await world.show('DELETED', kind.resource, object);
      late.resolve(answer());
      world.refuse = answer;
      await world.settled();
      await world.clock.advance(100);
      await world.settled();
    }
    expect(world.remembered()).toBe(0);
  });
});

describe('an owner that stays', () => {
  it('is remembered until the cache shows what was written for it', async () => {
    world = await ControllerWorld.start();
    await world.show('ADDED', myDeployments, myDeployment({ replicas: 1 }));
    expect(world.remembered()).toBe(1);
  });
});
