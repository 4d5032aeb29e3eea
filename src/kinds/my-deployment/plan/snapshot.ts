// Everything that a plan needs to know about one MyDeployment: its spec, its revisions and its pods, counted. A
// revision corresponds to a Deployment's ReplicaSet: it has a template, a desired number of pods, and pods.

import { readAttempt } from '../../../policy/attempt.ts';
import type { RolloutPolicy } from '../../../policy/types.gen.ts';
import { NO_REFUSALS, type Refusals } from '../../../runtime/consistency/refusals.ts';
import { asOwner, type Owner } from '../../../runtime/owner.ts';
import type { Claim } from '../../../workload/claim.ts';
import type { DisruptionBudget } from '../../../workload/disruption-budget.ts';
import type { Node } from '../../../workload/node.ts';
import { isActive, isAvailable, isReady, isTerminal, type Pod } from '../../../workload/pod.ts';
import type { ControllerRevision } from '../../../workload/revision.ts';
import { type Limits, limitsOf, type ResolvedSpec, withDefaults } from '../defaults.ts';
import { myDeployments } from '../names.ts';
import type { MyDeployment } from '../types.gen.ts';
import { type Course, courseOf, policyOf, withoutLost } from './course.ts';
import { type Near, ownershipOf, recordFinder } from './ownership.ts';
import type { RevisionRecord } from './record.ts';
import type { Spread } from './spread.ts';

export interface Snapshot extends Near {
  readonly object: MyDeployment;
  /** The topologies over which new pods are spread when their template has no constraints. @default 'none' */
  readonly spread?: Spread;
  /** The policies of its namespace. @default none */
  readonly policies?: readonly RolloutPolicy[];
  /** The nodes of its pods, where its policy asks for something that depends on them. @default none */
  readonly nodes?: readonly Node[];
  /** The disruption budgets of its namespace, where its policy asks for something that depends on them. @default none */
  readonly budgets?: readonly DisruptionBudget[];
  /** Every pod of its namespace, where there are such budgets. @default none */
  readonly neighbours?: readonly Pod[];
}

export interface Revision extends RevisionRecord {
  /** How many pods it should have. */
  readonly desired: number;
  /** Its pods that have not ended, terminating ones included. */
  readonly living: readonly Pod[];
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly available: number;
}

export interface Rollout {
  readonly object: MyDeployment & Owner;
  readonly spec: ResolvedSpec;
  readonly limits: Limits;
  readonly now: number;
  readonly spread: Spread;
  /** The nodes of its pods, as far as the policy needs and the operator knows them. */
  readonly nodes: readonly Node[];
  /** The disruption budgets of its namespace, as far as the policy needs them. */
  readonly budgets: readonly DisruptionBudget[];
  /** Other pods of the namespace, which such a budget may be about as well. */
  readonly neighbours: readonly Pod[];
  /** From old to new. */
  readonly revisions: readonly Revision[];
  /** The revision of the spec's template; undefined while there is none. */
  readonly update: Revision | undefined;
  /** How many hash collisions new revisions have to avoid. */
  readonly collisionCount: number;
  readonly pods: Claim<Pod>;
  readonly orphanRevisions: readonly ControllerRevision[];
  /** What the API server refused a moment ago. */
  readonly refusals: Refusals;
  readonly course: Course;
  /** True when the update gets the next number although it has the highest one. */
  readonly isRetried?: boolean;
}

/** Pods whose revision is unknown: they count as the oldest, and none are created. */
const STRAYS: RevisionRecord = {
  name: '(unknown)',
  hash: '',
  aliases: [],
  number: 0,
  template: undefined,
  recorded: {},
  attempt: readAttempt(),
  stored: undefined,
};

/** Determines what belongs to the MyDeployment and counts it. */
export function observe(
  { object: stored, spread = 'none', policies = [], nodes = [], budgets = [], neighbours = [], ...near }: Snapshot,
  now: number,
): Rollout {
  const object = asOwner(stored, myDeployments);
  const { records, update, pods, orphanRevisions } = ownershipOf(object, near);
  const spec = withDefaults(object.spec);
  const limits = limitsOf(spec);
  const revisions = countPods(records, pods.owned, { ...spec, now });
  const counted = { revisions, update: update && revisions.find(({ name }) => name === update.name) };
  return withoutLost({
    object,
    spec,
    limits,
    now,
    spread,
    nodes,
    budgets,
    neighbours,
    ...counted,
    course: courseOf(object, policyOf(object, policies), { ...counted, number: updateNumber(counted) }),
    collisionCount: object.status?.collisionCount ?? 0,
    pods,
    orphanRevisions,
    refusals: near.refusals ?? NO_REFUSALS,
  });
}

/** The revisions other than the update's, from old to new. */
export function oldRevisions({ revisions, update }: Pick<Rollout, 'revisions' | 'update'>): readonly Revision[] {
  return revisions.filter((revision) => revision !== update);
}

/** The number that the update's revision should have: above all others, and never lower than it is. */
export function updateNumber(rollout: Pick<Rollout, 'revisions' | 'update' | 'isRetried'>): number {
  const highest = Math.max(0, ...oldRevisions(rollout).map(({ number }) => number));
  const { number = 0 } = rollout.update ?? {};
  return Math.max(rollout.isRetried ? number + 1 : number, highest + 1);
}

/** The revisions of these records with their pods, preceded by pods of unknown revisions if there are any. */
export function countPods(
  records: readonly RevisionRecord[],
  pods: readonly Pod[],
  availability: Availability,
): readonly Revision[] {
  const find = recordFinder(records);
  const living = Map.groupBy(
    pods.filter((pod) => !isTerminal(pod)),
    (pod) => find(pod) ?? STRAYS,
  );
  const all = living.has(STRAYS) ? [STRAYS, ...records] : records;
  return all.map((record) => countRevision(record, living.get(record) ?? [], availability));
}

interface Availability {
  readonly minReadySeconds: number;
  readonly now: number;
}

function countRevision(
  record: RevisionRecord,
  living: readonly Pod[],
  { minReadySeconds, now }: Availability,
): Revision {
  const active = living.filter(isActive);
  const ready = active.filter(isReady);
  return {
    ...record,
    // A revision without a recorded count should have the pods that it has.
    desired: record.recorded.desired ?? active.length,
    living,
    active,
    ready: ready.length,
    available: ready.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
  };
}

/** The sum of a number of each. */
export function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
