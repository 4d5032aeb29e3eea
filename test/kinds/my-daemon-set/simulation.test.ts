// MyDaemonSets from beginning to end in a model world, with every interleaving that fast-check thinks of: nodes come and
// go, get tainted and cordoned, pods die, are relabelled and orphaned, the operator crashes and looks at an old cache.
// The promises are checked after every single write, not when things have calmed down.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { unavailableLimit, withDefaults } from '../../../src/kinds/my-daemon-set/defaults.ts';
import { type Backoffs, noteFailedPods, waitsOf } from '../../../src/kinds/my-daemon-set/failed-pod-backoff.ts';
import { type MyDaemonSetPlan, plan } from '../../../src/kinds/my-daemon-set/plan.ts';
import { isServed, isUpdated, observe, type Snapshot, wantedNodes } from '../../../src/kinds/my-daemon-set/snapshot.ts';
import type { MyDaemonSet } from '../../../src/kinds/my-daemon-set/types.gen.ts';
import { withUsedName } from '../../../src/kinds/my-daemon-set/used-names.ts';
import { toInstant } from '../../../src/runtime/instant.ts';
import { controllerOf } from '../../../src/runtime/object.ts';
import type { Action } from '../../../src/workload/action.ts';
import { sameMeaning } from '../../../src/workload/canonical.ts';
import type { Node } from '../../../src/workload/node.ts';
import { targetNode } from '../../../src/workload/node-affinity.ts';
import { isReady } from '../../../src/workload/pod.ts';
import { oneByOne, PodWorld, picked } from '../../support/pod-world.ts';
import { myDaemonSet, node, podOn } from './fixture.ts';

const TAINTS = [
  [],
  ['NoSchedule'],
  ['NoExecute'],
  ['node.kubernetes.io/unschedulable:NoSchedule'],
  ['node.kubernetes.io/not-ready:NoSchedule', 'node.kubernetes.io/not-ready:NoExecute'],
];
const POD_EVENTS = ['arrive', 'delete', 'leave', 'end', 'fail', 'unready'] as const;
const MEDDLING = ['relabel', 'orphan', 'stranger'] as const;

type Step =
  | { readonly step: 'progress' | 'collectGarbage' }
  | { readonly step: 'join' | 'part'; readonly node: number }
  | { readonly step: 'taint'; readonly node: number; readonly taints: number }
  | { readonly step: 'image'; readonly version: number }
  /** An operator sees the world as it was so many steps ago, and dies after so many writes, if it comes that far. */
  | { readonly step: 'reconcile'; readonly writes: number; readonly late: number; readonly by: number }
  | { readonly step: (typeof POD_EVENTS)[number] | (typeof MEDDLING)[number]; readonly pick: number };

const NODES = 5;
const bounds = fc.constantFrom<number | string>(1, 2, '50%', '100%');
const aNode = fc.nat(NODES - 1);

interface Life {
  /** By how many steps the caches of operators may be late. */
  readonly late: number;
  readonly meddling: boolean;
  readonly operators: number;
}

const ORDINARY: Life = { late: 0, meddling: true, operators: 1 };

function stepsOf({ late, meddling, operators }: Life): fc.Arbitrary<readonly Step[]> {
  const podSteps = meddling ? [...POD_EVENTS, ...MEDDLING] : POD_EVENTS;
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.constantFrom({ step: 'progress' } as const, { step: 'collectGarbage' } as const),
    fc.record({ step: fc.constantFrom('join' as const, 'part' as const), node: aNode }),
    fc.record({ step: fc.constant('taint' as const), node: aNode, taints: fc.nat(TAINTS.length - 1) }),
    fc.record({ step: fc.constant('image' as const), version: fc.nat(3) }),
    {
      weight: 3,
      arbitrary: fc.record({
        step: fc.constant('reconcile' as const),
        writes: fc.constantFrom(0, 1, 2, 100),
        late: fc.nat(late),
        by: fc.nat(operators - 1),
      }),
    },
    fc.record({ step: fc.constantFrom(...podSteps), pick: fc.nat(20) }),
  );
  return fc.array(step, { maxLength: 60 });
}

type Seen = Pick<Snapshot, 'object' | 'nodes' | 'pods'>;

/** One operator: how far its cache has come, and what it remembers. */
class Operator {
  memory: Pick<Snapshot, 'usedNames'> & { backoffs: Backoffs } = { backoffs: new Map(), usedNames: new Map() };
  #seen: Seen | undefined;
  #position = -1;
  /** The first moment that shows its own last write. */
  #wroteAt = 0;

  /** What its cache shows: never older than what it showed before, and never older than our own last write. */
  catchUp(history: readonly Seen[], late: number, now: number): Snapshot {
    const newest = history.length - 1;
    const position = Math.min(newest, Math.max(this.#position, this.#wroteAt, newest - late));
    for (const seen of history.slice(this.#position + 1, position + 1)) this.#look(seen);
    this.#position = position;
    return this.view(history[position] as Seen, now);
  }

  view(seen: Seen, now: number): Snapshot {
    const { backoffs, usedNames } = this.memory;
    return { ...seen, waits: waitsOf(backoffs, toInstant(now)), usedNames };
  }

  wrote(history: readonly Seen[]): void {
    this.#wroteAt = history.length;
  }

  #look(seen: Seen): void {
    const uids = new Set(seen.pods.map(({ metadata }) => metadata.uid));
    const nodeNames = new Set(seen.nodes.map(({ metadata }) => metadata.name));
    for (const pod of this.#seen?.pods ?? []) {
      const isOurs = controllerOf(pod)?.uid === 'agent-uid';
      const matters = isOurs && !uids.has(pod.metadata.uid) && nodeNames.has(targetNode(pod) ?? '');
      if (matters) this.memory = { ...this.memory, usedNames: withUsedName(this.memory.usedNames, 'agent', pod) };
    }
    this.#seen = seen;
  }
}

class World extends PodWorld {
  object: MyDaemonSet;
  readonly nodes = new Map<string, Node>();
  readonly #operators = [new Operator(), new Operator()];
  readonly #history: Seen[] = [];

  constructor(maxUnavailable: number | string = 1) {
    const object = myDaemonSet({ maxUnavailable });
    super(object);
    this.object = object;
    for (let index = 0; index < NODES; index++) this.join(index);
  }

  view(operator = 0): Snapshot {
    return (this.#operators[operator] as Operator).view(this.#now(), this.now);
  }

  /** What an operator with an up-to-date cache would do. */
  plan(): MyDaemonSetPlan {
    this.#history.push(this.#now());
    return plan((this.#operators[0] as Operator).catchUp(this.#history, 0, this.now), this.now);
  }

  reconcile(how: Partial<Extract<Step, { step: 'reconcile' }>> = {}, look: (action: Action) => void = () => {}): void {
    const { writes = 100, late = 0, by = 0 } = how;
    const operator = this.#operators[by] as Operator;
    this.#history.push(this.#now());
    const { actions, status, failedOn } = plan(operator.catchUp(this.#history, late, this.now), this.now);
    const { memory } = operator;
    operator.memory = { ...memory, backoffs: noteFailedPods(memory.backoffs, failedOn, toInstant(this.now)) };
    const single = actions.flatMap(oneByOne);
    for (const action of single.slice(0, writes)) {
      this.apply(action);
      look(action);
      operator.wrote(this.#history);
    }
    if (status && writes >= single.length) this.object = { ...this.object, status };
  }

  #now(): Seen {
    return { object: this.object, nodes: [...this.nodes.values()], pods: this.snapshot() };
  }

  join(index: number): void {
    const name = `node-${index}`;
    if (!this.nodes.has(name)) this.nodes.set(name, node(name));
  }

  take(what: Step, look?: (action: Action) => void): void {
    this.#history.push(this.#now());
    this.now += 700;
    switch (what.step) {
      case 'reconcile':
        this.reconcile(what, look);
        break;
      case 'progress':
        this.progress();
        break;
      case 'collectGarbage':
        for (const pod of this.owned) if (pod.spec?.nodeName && !this.nodes.has(pod.spec.nodeName)) this.remove(pod);
        break;
      case 'join':
        this.join(what.node);
        break;
      case 'part':
        this.nodes.delete(`node-${what.node}`);
        break;
      case 'taint':
        this.#taint(`node-${what.node}`, TAINTS[what.taints] as string[]);
        break;
      case 'image':
        this.object = { ...this.object, spec: { ...this.object.spec, image: `agent:v${what.version}` } };
        break;
      default:
        this.#disturb(what);
    }
  }

  /** Pods are brought up where their node is; those for a node that is gone stay where they are. */
  override progress(): boolean {
    const leaving = this.leaving;
    for (const pod of leaving) this.remove(pod);
    const starting = this.active.filter((pod) => !isReady(pod) && this.nodes.has(targetNode(pod) ?? ''));
    for (const pod of starting) {
      this.bind(pod);
      this.setStatus(pod, 'Running', 'True');
    }
    return leaving.length + starting.length > 0;
  }

  #taint(name: string, taints: readonly string[]): void {
    if (this.nodes.has(name)) this.nodes.set(name, node(name, ...taints));
  }

  #disturb({ step: what, pick }: Extract<Step, { readonly pick: number }>): void {
    if (what === 'stranger') this.#addStranger(pick);
    const pod = picked(this.active, pick);
    if (what === 'leave') for (const gone of this.leaving.slice(0, 1)) this.remove(gone);
    if (pod === undefined) return;
    if (what === 'arrive') this.bind(pod);
    if (what === 'delete') this.terminate(pod);
    if (what === 'end') this.setStatus(pod, 'Succeeded', 'False');
    if (what === 'fail') this.setStatus(pod, 'Failed', 'False');
    if (what === 'unready') this.setStatus(pod, 'Running', 'False');
    if (what === 'relabel') this.patch(pod, { labels: {} });
    if (what === 'orphan') this.patch(pod, { ownerReferences: [] });
  }

  /** Somebody's pod on a node, some with our label, some with a name that we would give. */
  #addStranger(pick: number): void {
    const nodeName = `node-${pick % NODES}`;
    const { metadata } = podOn(nodeName, { owner: 'nobody', ...(pick % 2 === 0 && { labels: {} }) });
    const name = pick % 3 === 0 ? metadata.name : `stranger-${pick}`;
    this.add({ name, labels: metadata.labels ?? {} }, { nodeName });
  }

  runToRest(): void {
    for (let round = 0; round < 200; round++) {
      const { actions, status, checkAgainAt } = this.plan();
      this.take({ step: 'collectGarbage' });
      if (actions.length === 0 && sameMeaning(status, this.object.status) && !this.progress()) {
        if (checkAgainAt === undefined) return;
        this.now = checkAgainAt;
      }
      this.reconcile();
    }
    throw new Error('no rest after 200 rounds');
  }
}

/** Never two on a node: whatever they look like, terminating and ended ones included. */
function expectOnePerNode({ owned }: World): void {
  if (new Set(owned.map(targetNode)).size === owned.length) return;
  throw new Error(`two pods on one node: ${JSON.stringify(owned, undefined, 1)}`);
}

/** Exactly one right pod on each node that should have one, ready; nothing left to do, now or later. */
function expectAtRest(world: World): void {
  expectOnePerNode(world);
  const state = observe(world.view(), world.now);
  for (const node of state.nodeStates) {
    if (node.eligibility === 'leave') expect(node.pods).toEqual([]);
    if (node.eligibility !== 'run') continue;
    expect(node.current && isUpdated(state, node.current) && isServed(node)).toBe(true);
  }
  const wanted = wantedNodes(state).length;
  expect(world.object.status).toMatchObject({ desiredNumberScheduled: wanted, updatedNumberScheduled: wanted });
  world.now += 3_600_000;
  expect(world.plan()).toMatchObject({ actions: [], events: [], checkAgainAt: undefined, status: world.object.status });
}

function unserved(world: World): number {
  return wantedNodes(observe(world.view(), world.now)).filter((state) => !isServed(state)).length;
}

function limitOf(world: World): number {
  return unavailableLimit(withDefaults(world.object.spec), wantedNodes(observe(world.view(), world.now)).length);
}

/** Without the order of actions, and of the names in events, which the cache decides. */
function inAnyOrder({ actions, events, ...rest }: MyDaemonSetPlan) {
  const writes = actions.flatMap(oneByOne).map((action) => JSON.stringify(action));
  return { ...rest, writes: writes.sort(), told: events.map(({ reason }) => reason) };
}

describe('whatever happens', () => {
  it.each<{ name: string; life: Life }>([
    { name: 'in an ordinary life', life: ORDINARY },
    { name: 'although its cache is late', life: { late: 8, meddling: true, operators: 1 } },
    { name: 'although two operators work at once', life: { late: 2, meddling: false, operators: 2 } },
  ])('never puts two pods on a node and ends with one right pod on each, $name', ({ life }) => {
    fc.assert(
      fc.property(stepsOf(life), (steps) => {
        const world = new World();
        for (const step of steps) world.take(step, () => expectOnePerNode(world));
        world.runToRest();
        expectAtRest(world);
      }),
      { numRuns: 200 },
    );
  });

  it('plans the same in whatever order the cache lists nodes and pods', () => {
    fc.assert(
      fc.property(stepsOf(ORDINARY), (steps) => {
        const world = new World();
        for (const step of steps) world.take(step);
        const view = world.view();
        const reversed = { ...view, nodes: view.nodes.toReversed(), pods: view.pods.toReversed() };
        expect(inAnyOrder(plan(reversed, world.now))).toEqual(inAnyOrder(plan(view, world.now)));
      }),
      { numRuns: 100 },
    );
  });
});

describe('an image that rolls out', () => {
  it('takes no more nodes than the bound allows, at every write', () => {
    fc.assert(
      fc.property(bounds, stepsOf(ORDINARY), (maxUnavailable, steps) => {
        const world = new World(maxUnavailable);
        world.runToRest();
        for (const step of steps) {
          // What others have taken away stays taken; we take nothing beyond the bound.
          const most = Math.max(unserved(world), limitOf(world));
          world.take(step, () => expect(unserved(world)).toBeLessThanOrEqual(most));
        }
      }),
      { numRuns: 200 },
    );
  });
});
