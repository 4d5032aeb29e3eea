// What must hold after every single write of the controller, whatever else goes on. Each check compares the cluster
// before and after one write, so a failure names the write that broke the promise.

import { expect } from '@jest/globals';
import { isScalingEvent } from '../../src/kinds/my-deployment/plan/scale.ts';
import { observe, oldRevisions, type Rollout } from '../../src/kinds/my-deployment/plan/snapshot.ts';
import type { MyDeploymentSpec } from '../../src/kinds/my-deployment/types.gen.ts';
import { type Action, stageOf } from '../../src/workload/action.ts';
import type { ModelCluster } from './model-cluster.ts';

/** The most pods and the fewest available ones that a spec allows, worked out apart from the code under test. */
export function boundsOf({ replicas = 1, strategy }: MyDeploymentSpec): { ceiling: number; floor: number } {
  const { maxSurge, maxUnavailable } = strategy?.rollingUpdate ?? { maxSurge: 0, maxUnavailable: 0 };
  return {
    ceiling: replicas === 0 ? 0 : replicas + Number(maxSurge),
    floor: Math.max(0, replicas - Number(maxUnavailable)),
  };
}

/** Watches the writes of one plan. */
export class Watch {
  readonly #cluster: ModelCluster;
  readonly #strangers: string;
  readonly #isRolling: boolean;
  readonly #isWaiting: boolean;
  #before: Rollout;

  constructor(cluster: ModelCluster) {
    this.#cluster = cluster;
    this.#strangers = strangersOf(cluster);
    this.#before = observe(cluster.snapshot(), cluster.now);
    const { spec } = this.#before;
    const oldPods = oldRevisions(this.#before).some(({ living }) => living.length > 0);
    this.#isWaiting = spec.strategy.type === 'Recreate' && !spec.paused && oldPods;
    this.#isRolling = spec.strategy.type === 'RollingUpdate' && !spec.paused && !isScalingEvent(this.#before);
  }

  /** To be called after each write. */
  readonly look = (action: Action): void => {
    const before = this.#before;
    const after = observe(this.#cluster.snapshot(), this.#cluster.now);
    this.#before = after;
    expect(strangersOf(this.#cluster)).toBe(this.#strangers);
    if (stageOf(action) === 'claim') return;
    const bounds = boundsOf(after.spec);
    const allowed = Math.max(bounds.ceiling, meant(before));
    const floor = Math.min(bounds.floor, reliedUpon(before));
    // Pods of an unknown revision have no record that is lowered first: deleting them is the decision.
    const decides = isRecord(action) || (action.do === 'deletePod' && action.revision === '(unknown)');
    if (decides && this.#isRolling) expect(reliedUpon(after)).toBeGreaterThanOrEqual(floor);
    if (!decides) expect(reliedUpon(after)).toBe(reliedUpon(before));
    expect(meant(after)).toBeLessThanOrEqual(allowed);
    if (action.do === 'createPods') expect(active(after)).toBeLessThanOrEqual(allowed);
    expect(highestNumber(after)).toBeGreaterThanOrEqual(highestNumber(before));
    if (action.do === 'updateRevision' && this.#isWaiting) expect(newOnes(after)).toBeLessThanOrEqual(newOnes(before));
    if (action.do === 'deleteRevision') expect(inUse(before, action.name)).toBe(false);
  };
}

function isRecord(action: Action): boolean {
  return action.do === 'createRevision' || action.do === 'updateRevision';
}

/** How many pods all recorded revisions together are meant to have. */
function meant({ revisions }: Rollout): number {
  return revisions.reduce((sum, { desired, stored }) => sum + (stored === undefined ? 0 : desired), 0);
}

function active({ revisions }: Rollout): number {
  return revisions.reduce((sum, revision) => sum + revision.active.length, 0);
}

/** Available pods that are there to stay: those above a revision's count are about to go. */
function reliedUpon({ revisions }: Rollout): number {
  return revisions.reduce((sum, { desired, available }) => sum + Math.min(desired, available), 0);
}

/** How many pods the new revision is meant to have. */
function newOnes({ update }: Rollout): number {
  return update?.desired ?? 0;
}

function inUse({ revisions }: Rollout, name: string): boolean {
  return revisions.some((revision) => revision.name === name && revision.living.length + revision.desired > 0);
}

function highestNumber({ revisions }: Rollout): number {
  return Math.max(0, ...revisions.map(({ number }) => number));
}

/** Pods that belong to others or that users made, as they are: no plan may touch them. */
function strangersOf(cluster: ModelCluster): string {
  return JSON.stringify([...cluster.pods.values()].filter(({ metadata }) => /^(?:stranger|bare)/.test(metadata.name)));
}
