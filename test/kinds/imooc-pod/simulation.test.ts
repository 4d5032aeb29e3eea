// ImoocPods from beginning to end in a model world, with every interleaving that fast-check thinks of.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { imoocPodOwner } from '../../../src/kinds/imooc-pod/plan.ts';
import type { ImoocPod } from '../../../src/kinds/imooc-pod/types.gen.ts';
import { sameMeaning } from '../../../src/workload/canonical.ts';
import { isReady } from '../../../src/workload/pod.ts';
import type { ReplicasPlan } from '../../../src/workload/replicas-owner.ts';
import { oneByOne, PodWorld, picked } from '../../support/pod-world.ts';
import { imoocPod } from './fixture.ts';

const { plan } = imoocPodOwner;
const DISTURBANCES = ['delete', 'end', 'evict', 'unready', 'relabel', 'orphan', 'stranger'] as const;

type Step =
  | { readonly step: 'progress' }
  | { readonly step: 'scale'; readonly replicas: number }
  /** The operator dies after so many writes, if it comes that far. */
  | { readonly step: 'reconcile'; readonly writes: number }
  | { readonly step: (typeof DISTURBANCES)[number]; readonly pick: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ step: 'progress' } as const),
  fc.record({ step: fc.constant('scale' as const), replicas: fc.nat(8) }),
  fc.record({ step: fc.constant('reconcile' as const), writes: fc.constantFrom(0, 1, 2, 3, 100) }),
  fc.record({ step: fc.constantFrom(...DISTURBANCES), pick: fc.nat(20) }),
);
const steps = fc.array(step, { maxLength: 60 });

class World extends PodWorld {
  object: ImoocPod;

  constructor() {
    const object = imoocPod({ replicas: 3 });
    super(object);
    this.object = object;
  }

  plan(): ReplicasPlan {
    return plan({ object: this.object, pods: this.snapshot() }, this.now);
  }

  /** Carries a plan out, or the first writes of it, and looks at each. */
  reconcile(writes = 100, look: (created: boolean) => void = () => {}): void {
    const { actions, status } = this.plan();
    const single = actions.flatMap(oneByOne);
    for (const action of single.slice(0, writes)) {
      this.apply(action);
      look(action.do === 'createPods');
    }
    if (status && writes >= single.length) this.object = { ...this.object, status };
  }

  take(what: Step, look?: (created: boolean) => void): void {
    this.now += 1000;
    if (what.step === 'reconcile') this.reconcile(what.writes, look);
    else if (what.step === 'progress') this.progress();
    else if (what.step === 'scale') this.object = { ...this.object, spec: { replicas: what.replicas } };
    else this.#disturb(what);
  }

  #disturb({ step: what, pick }: Extract<Step, { readonly pick: number }>): void {
    if (what === 'stranger') this.add({ name: `stranger-${pick}`, labels: { app: pick % 2 ? 'nap' : 'other' } });
    const pod = picked(this.active, pick);
    if (pod === undefined) return;
    if (what === 'delete') this.terminate(pod);
    if (what === 'end') this.setStatus(pod, 'Succeeded', 'False');
    if (what === 'evict') this.setStatus(pod, 'Failed', 'False');
    if (what === 'unready') this.setStatus(pod, 'Running', 'False');
    if (what === 'relabel') this.patch(pod, { labels: { app: 'elsewhere' } });
    if (what === 'orphan') this.patch(pod, { ownerReferences: [] });
  }

  runToRest(): void {
    for (let round = 0; round < 100; round++) {
      const { actions, status } = this.plan();
      if (actions.length === 0 && sameMeaning(status, this.object.status) && !this.progress()) return;
      this.reconcile();
    }
    throw new Error('no rest after 100 rounds');
  }

  /** Deletion was asked for: until it may go, everybody does what there is to do. */
  runToEnd(): void {
    for (let round = 0; round < 100 && !this.plan().isCleanedUp; round++) {
      this.reconcile();
      for (const pod of this.leaving) this.remove(pod);
    }
  }
}

/** Without the order of actions, which the cache decides. */
function inAnyOrder({ actions, ...rest }: ReplicasPlan) {
  return { ...rest, actions: actions.map((action) => JSON.stringify(action)).sort() };
}

describe('whatever happens', () => {
  it('creates no pod too many, comes to rest with exactly the pods asked for, and then does nothing', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const world = new World();
        const look = (created: boolean): void => {
          if (created) expect(world.active.length).toBeLessThanOrEqual(world.object.spec.replicas as number);
        };
        for (const each of all) world.take(each, look);
        world.runToRest();
        const { replicas = 0 } = world.object.spec;
        expect(world.owned).toHaveLength(replicas);
        expect(world.active.filter(isReady)).toHaveLength(replicas);
        expect(world.object.status).toMatchObject({ replicas, readyReplicas: replicas });
        expect(world.object.status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
        world.now += 3_600_000;
        expect(world.plan()).toMatchObject({ actions: [], events: [], status: world.object.status });
      }),
      { numRuns: 500 },
    );
  });

  it('plans the same in whatever order the cache lists pods', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const world = new World();
        for (const each of all) world.take(each);
        const { object, now } = world;
        const pods = world.snapshot();
        expect(inAnyOrder(plan({ object, pods: pods.toReversed() }, now))).toEqual(
          inAnyOrder(plan({ object, pods }, now)),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('once deletion was asked for', () => {
  it('sees off every pod of its own, whatever happens meanwhile, touches no other, and may go', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const world = new World();
        for (const each of before) world.take(each);
        const { metadata } = world.object;
        world.object = { ...world.object, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
        for (const each of after) world.take(each);
        const strangers = strangersOf(world);
        world.runToEnd();
        expect(world.plan()).toMatchObject({ isCleanedUp: true, actions: [] });
        // Those that lost the label are left to the garbage collector, which goes by the owner.
        expect(world.owned.filter(({ metadata: { labels } }) => labels?.app === 'nap')).toEqual([]);
        expect(strangersOf(world)).toEqual(strangers);
      }),
      { numRuns: 300 },
    );
  });
});

/** Pods that are not its own: no plan may touch them. */
function strangersOf(world: World): string[] {
  const owned = new Set(world.owned.map(({ metadata }) => metadata.uid));
  return [...world.pods.values()].map(({ metadata }) => metadata.uid).filter((uid) => !owned.has(uid));
}
