// Sizes that are not on their way to the update alone: a step holds the update at a number and leaves the rest to the
// stable revision, and a rejection takes everything back to the stable one. Each revision has a target; pods move towards
// the targets within the same limits as in a rolling update, those that leave first in front.
//
//   10 replicas, surge 1, none may be missing, a step with 1 pod             stable  new  total
//   at first: 10 available, 10 required, so none may go; room for 1          10       1    11
//   the new pod is available: 11 are, so one may go                           9       1    10
//   rejected: the new pod leaves, but it serves: first the other one comes    10       1    11
//   that one is available: 11 are, so the rejected one may go                 10       0    10
//
// A target may ask for pods again that were to go a moment ago, and some of them may still be there: they stay, instead of others
// that would have to be created.

import { limitsOf, maxTotalPods, minAvailable } from '../defaults.ts';
import { deferStep } from './batching.ts';
import { isRejected, leavingOrder } from './course.ts';
import type { Sizes } from './history.ts';
import type { RollingStep } from './rolling.ts';
import { type Revision, type Rollout, sum } from './snapshot.ts';

interface Size {
  readonly revision: Revision;
  readonly target: number;
  readonly desired: number;
  readonly available: number;
}

/** The next sizes on the way to these targets. A revision that is not included leaves altogether. */
export function hold(rollout: Rollout, targets: Sizes): RollingStep {
  const { limits } = rollout;
  const recorded = leavingOrder(rollout).map((revision) => sizeNow(revision, targets.get(revision) ?? 0));
  // Changes in place need less surge than the spec allows, but what is there may have all of it.
  const sizes = keepWanted(recorded, maxTotalPods(limitsOf(rollout.spec)));
  const healthy = take(sizes, maxUnhealthy(sizes, minAvailable(limits)), (size) =>
    Math.min(surplus(size), size.desired - size.available),
  );
  const spare = Math.max(0, sum(healthy, ({ available }) => available) - minAvailable(limits));
  const waitUntil = deferStep(rollout, {
    spare,
    old: sum(healthy, surplus),
    underway: sum(healthy, ({ desired, available, target }) => (desired <= target ? desired - available : 0)),
  });
  const shrunk = waitUntil === undefined ? take(healthy, spare, surplus) : healthy;
  const grown = grow(shrunk, maxTotalPods(limits), (size) => (size.revision.template === undefined ? 0 : lack(size)));
  return { sizes: new Map(grown.map(({ revision, desired }) => [revision, desired])), waitUntil };
}

interface Standing {
  /** Takes what the others leave; undefined when no revision may. */
  readonly base: Revision | undefined;
  /** The most pods of the update. */
  readonly count: number;
}

/**
 * The sizes under which nothing moves, except that the replicas may change. A rejected revision leaves first when there are
 * fewer. The pod of a single replica stays beside its canary.
 */
export function whereItStands(rollout: Rollout, { base, count }: Standing): Sizes {
  const { revisions, update, limits } = rollout;
  let left = limits.replicas;
  const keep = (revision: Revision, most: number): readonly [Revision, number] => {
    const size = Math.min(revision.desired, most, Math.max(0, left));
    left -= size;
    return [revision, size];
  };
  const isLast = (revision: Revision): boolean => isRejected(rollout, revision);
  const others = revisions.filter((revision) => revision !== base).toReversed();
  const kept = others.filter((each) => !isLast(each)).map((each) => keep(each, each === update ? count : Infinity));
  if (base !== undefined && others.some(isLast)) kept.push(keep(base, Infinity));
  const rest = others.filter(isLast).map((each) => keep(each, Infinity));
  const sizes = new Map([...kept, ...rest]);
  if (base === undefined) return sizes;
  const present = limits.replicas === 1 ? Math.min(1, base.desired) : 0;
  return sizes.set(base, Math.max(present, shareOf(base, rollout, sizes), (sizes.get(base) ?? 0) + left));
}

/** What the update leaves to this revision, as far as it has it and there is room beside revisions that are on their way out. */
function shareOf(base: Revision, { update, limits }: Rollout, sizes: Sizes): number {
  const others = [...sizes].filter(([revision]) => revision !== base);
  const room = maxTotalPods(limits) - sum(others, ([, size]) => size);
  const ofUpdate = update === undefined || update === base ? 0 : (sizes.get(update) ?? 0);
  return Math.min(base.desired, limits.replicas - ofUpdate, room);
}

function sizeNow(revision: Revision, target: number): Size {
  return sized({ revision, target }, revision.desired);
}

function sized({ revision, target }: Pick<Size, 'revision' | 'target'>, desired: number): Size {
  return { revision, target, desired, available: Math.min(desired, revision.available) };
}

/** Counts that keep the pods which were to go and are wanted again. Where room is lacking, counts without pods give it. */
function keepWanted(sizes: readonly Size[], most: number): Size[] {
  const wanted = (size: Size): number => Math.min(lack(size), Math.max(0, size.revision.active.length - size.desired));
  const lacking = Math.max(0, sum(sizes, wanted) - roomBeside(sizes, most));
  const freed = take(sizes, lacking, ({ revision, desired }) => Math.max(0, desired - revision.active.length));
  return grow(freed, most, wanted);
}

/**
 * How many unavailable pods may be deleted. Of revisions that stay, only available pods count: otherwise a template that
 * never becomes available would replace the others one by one.
 */
function maxUnhealthy(sizes: readonly Size[], required: number): number {
  const counted = sum(sizes, (size) => (surplus(size) > 0 ? size.desired : size.available));
  return Math.max(0, counted - required);
}

function take(sizes: readonly Size[], most: number, takeable: (size: Size) => number): Size[] {
  let left = most;
  return sizes.map((size) => {
    const taken = Math.min(left, takeable(size));
    left -= taken;
    return sized(size, size.desired - taken);
  });
}

/** The stable revision grows first: its pods are known to serve. */
function grow(sizes: readonly Size[], most: number, growth: (size: Size) => number): Size[] {
  let left = roomBeside(sizes, most);
  return sizes.map((size) => {
    const added = Math.min(left, growth(size));
    left -= added;
    return sized(size, size.desired + added);
  });
}

function roomBeside(sizes: readonly Size[], most: number): number {
  return Math.max(0, most - sum(sizes, ({ desired }) => desired));
}

function surplus({ desired, target }: Size): number {
  return Math.max(0, desired - target);
}

function lack({ desired, target }: Size): number {
  return Math.max(0, target - desired);
}
