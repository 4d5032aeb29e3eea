// The page of one MyDeployment: its revisions and pods, its counts between floor and ceiling, what the diagnosis says, its events
// and its history. Everything here is computed by the code of the terminal's commands.

import { maxTotalPods, minAvailableFor } from '../../../kinds/my-deployment/defaults.ts';
import { CHANGE_CAUSE, type RevisionRecord } from '../../../kinds/my-deployment/plan/record.ts';
import type { Rollout } from '../../../kinds/my-deployment/plan/snapshot.ts';
import type { MyDeployment } from '../../../kinds/my-deployment/types.gen.ts';
import { timeOf } from '../../../workload/pod.ts';
import { rolloutOf, type View, viewOfRollout } from '../../get/view.ts';
import { outcomeOf } from '../../policy/outcome.ts';
import { rejectionTest, standingOf } from '../../policy/standing.ts';
import { presentRevision } from '../../revisions.ts';
import { toneOf, why } from '../../why/diagnosis.ts';
import { factsOf } from '../../why/surroundings.ts';
import { offeredVerbs } from '../act/verbs.ts';
import type { Model } from '../cluster/model.ts';
import type { Rights } from '../cluster/rights.ts';
import type { CapacityRow, ContainersRow, HeadRow, HistoryRow, RevisionRow, WhyRow } from '../protocol.ts';
import { sharesWithFailures } from './attention.ts';
import { eventRows } from './events.ts';
import { podRow } from './pods.ts';
import { policyRow } from './policy.ts';
import { timelineOf } from './timeline.ts';

export interface RolloutSources {
  readonly model: Model;
  readonly rights: Rights;
}

/** The rows of the page. */
export function* rolloutRows(
  object: MyDeployment,
  { model, rights }: RolloutSources,
  now: number,
): Generator<readonly [string, unknown]> {
  const near = model.near(object);
  const rollout = rolloutOf(near, now);
  const { unread, ...around } = model.surroundings(object.metadata.namespace ?? '');
  const { policies } = around;
  const view = viewOfRollout(rollout, { ...near, policies });
  const standing = standingOf({ ...rollout, policies });
  const isRejected = rejectionTest(object, policies);
  const rejected = new Set(rollout.revisions.filter(isRejected).map(({ number }) => number));
  const facts = factsOf(rollout, near.pods, around);
  yield ['head', headOf(object, view)];
  yield ['capacity', capacityOf(rollout, view)];
  yield ['containers', containersOf(object)];
  for (const revision of view.revisions) {
    yield [`revision/${revision.number}`, revisionRow(revision, rejected)];
    for (const pod of revision.pods) yield podRow(pod, String(revision.number));
  }
  yield ['why', whyOf(why(facts), unread)];
  yield ['timeline', timelineOf(rollout, facts.pods)];
  yield ['history', historyOf(object, rollout.revisions, rejected)];
  yield* eventRows(facts.events);
  if (view.policy !== undefined && standing !== undefined) yield ['policy', policyRow(view.policy, standing)];
  yield ['verbs', offeredVerbs({ object, rollout, standing, isRejected, rights, now })];
}

function headOf({ metadata }: MyDeployment, { name, namespace, state, message, strategy }: View): HeadRow {
  const { uid, generation = 0, creationTimestamp } = metadata;
  const createdAt = timeOf(creationTimestamp) ?? 0;
  return { kind: 'MyDeployment', namespace, name, uid, generation, state, message, createdAt, facts: [strategy] };
}

function capacityOf({ spec, limits }: Rollout, view: View): CapacityRow {
  const [floor, ceiling] = [minAvailableFor(spec, limits), maxTotalPods(limits)];
  return { ...view.counts, floor, ceiling, shares: sharesWithFailures(view) };
}

function containersOf({ spec }: MyDeployment): ContainersRow {
  const { containers, initContainers = [] } = spec.template.spec;
  return [...containers, ...initContainers].map(({ name, image = '' }) => ({ name, image }));
}

function revisionRow(
  { number, isNew, images, desired, ready }: View['revisions'][number],
  rejected: ReadonlySet<number>,
): RevisionRow {
  const title = number === 0 ? 'unknown revision' : `revision ${number}`;
  return { number, title, isNew, isRejected: rejected.has(number), images, desired, ready };
}

function whyOf(causes: ReturnType<typeof why>, unread: readonly string[]): WhyRow {
  return {
    causes: causes.map(({ name, sentence, evidence, advice }) => ({
      tone: toneOf(name),
      sentence,
      evidence,
      ...(advice !== undefined && { advice }),
    })),
    unread,
  };
}

function historyOf(
  object: MyDeployment,
  revisions: readonly RevisionRecord[],
  rejected: ReadonlySet<number>,
): HistoryRow {
  const recorded = revisions.filter(({ stored }) => stored !== undefined);
  const present = presentRevision(object, recorded);
  return recorded.toReversed().map((revision) => ({
    number: revision.number,
    cause: revision.stored?.metadata.annotations?.[CHANGE_CAUSE] ?? '',
    images: revision.template?.spec.containers.flatMap(({ image }) => image ?? []) ?? [],
    createdAt: timeOf(revision.stored?.metadata.creationTimestamp) ?? 0,
    isPresent: revision === present,
    isRejected: rejected.has(revision.number),
    outcome: outcomeOf(revision, recorded.at(-1)?.number ?? 0),
  }));
}
