// What must hold after every single write while a policy governs, with an arithmetic and a reading of the records that share
// nothing with the operator. Each check compares the cluster before and after one write.

import { expect } from '@jest/globals';
import { stepsDigest } from '../../src/policy/steps.ts';
import type { RolloutPolicy } from '../../src/policy/types.gen.ts';
import type { Action } from '../../src/workload/action.ts';
import type { Pod } from '../../src/workload/pod.ts';
import { capOf, isBy, type Notes, notesOf, type StepNote } from './attempt-notes.ts';
import type { ModelCluster } from './model-cluster.ts';

const PROMOTE = 'rolloutpolicy.kubebuilder.zq.com/promote';

interface Noted extends Notes {
  readonly name: string;
  readonly number: number;
  readonly image: string;
  readonly active: number;
  readonly available: number;
}

interface State {
  readonly policy: RolloutPolicy | undefined;
  readonly revisions: readonly Noted[];
  /** Those that count. */
  readonly pods: readonly Pod[];
  readonly replicas: number;
  readonly surge: number;
  /** By the status. */
  readonly current: string | undefined;
}

/** Checks the writes of one plan. */
export class PolicyWatch {
  readonly #cluster: ModelCluster;
  readonly #inOrder: boolean;
  #before: State;

  /** In order: all writes of a plan are carried out as it lists them. */
  constructor(cluster: ModelCluster, order: 'in order' | 'in any order' = 'in any order') {
    this.#cluster = cluster;
    this.#inOrder = order === 'in order';
    this.#before = stateOf(cluster);
  }

  /** To be called after each write. */
  readonly look = (action: Action): void => {
    const before = this.#before;
    const after = stateOf(this.#cluster);
    this.#before = after;
    const { policy } = before;
    if (policy === undefined) return;
    for (const revision of after.revisions) {
      const former = before.revisions.find(({ name }) => name === revision.name);
      checkRecords(revision, former, policy);
      this.#checkPromotions(revision, former, policy);
      // A pod that people made like one of the revision's is adopted, whatever a step says.
      const isAdoption = action.do === 'adoptPod' || action.do === 'adoptRevision';
      if (!isAdoption) checkRejected(revision, former, policy);
      if (!isAdoption) checkStep(revision, former, after);
      if (former !== undefined) this.#checkLeaving(former, revision, after);
    }
    if (action.do === 'deleteRevision') checkForgetting(action.name, before);
    if (action.do === 'createPods') this.#checkRoom(before);
    if (action.do === 'deletePod' && this.#inOrder) this.#checkSpread(action.name, before);
  };

  /** The fullest zone loses a pod first, among pods of the revision that are as ready and cost the same. */
  #checkSpread(name: string, { policy, pods }: State): void {
    const zone = policy?.spec.pods?.scaleDown?.spreadBy;
    const gone = pods.find(({ metadata }) => metadata.name === name);
    if (zone === undefined || gone === undefined) return;
    const zoneOf = ({ spec }: Pod) => this.#cluster.nodes.get(spec?.nodeName ?? '')?.metadata.labels?.[zone] ?? '';
    const worthOf = (pod: Pod): string => {
      const { metadata, spec, status } = pod;
      const cost = metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'];
      const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
      const hash = metadata.labels?.['pod-template-hash'];
      return [hash, spec?.nodeName !== undefined, status?.phase, ready, this.#cluster.isAvailable(pod), cost].join();
    };
    const sizes = Map.groupBy(pods, zoneOf);
    const peers = pods.filter((pod) => worthOf(pod) === worthOf(gone));
    const fullest = Math.max(...peers.map((pod) => sizes.get(zoneOf(pod))?.length ?? 0));
    expect(sizes.get(zoneOf(gone))?.length).toBe(fullest);
  }

  /** Under TerminationComplete a pod takes up room until it has ended. */
  #checkRoom({ policy, replicas, surge, revisions }: State): void {
    if (policy?.spec.pods?.podReplacementPolicy !== 'TerminationComplete') return;
    const ceiling = replicas === 0 ? 0 : replicas + surge;
    const recorded = revisions.reduce((sum, { desired }) => sum + desired, 0);
    const running = [...this.#cluster.pods.values()].filter(
      (pod) => this.#cluster.owns(pod) && pod.status?.phase !== 'Failed' && pod.status?.phase !== 'Succeeded',
    );
    expect(running.length).toBeLessThanOrEqual(Math.max(ceiling, recorded));
  }

  /** No promotion acts on another attempt or step. */
  #checkPromotions(revision: Noted, former: Noted | undefined, { metadata }: RolloutPolicy): void {
    const added = revision.promotions.slice(former?.promotions.length ?? 0);
    if (added.length === 0) return;
    const asked = this.#cluster.policies.get(metadata.name)?.metadata.annotations?.[PROMOTE] ?? 'null';
    expect(added).toHaveLength(1);
    expect(JSON.parse(asked)).toMatchObject({ number: revision.number, step: added[0]?.step });
    expect(added[0]?.number).toBe(revision.number);
  }

  /** A step is left only while all of its pods are available, its gates have passed and its pause is over. */
  #checkLeaving(former: Noted, revision: Noted, { policy, replicas, surge }: State): void {
    const [from, to] = [former.step, revision.step];
    if (from === undefined || to === undefined || from.number !== to.number || from.steps !== to.steps) return;
    const step = policy?.spec.steps?.[from.step - 1];
    if (to.step === from.step || step === undefined || from.policy !== policy?.metadata.uid) return;
    const full = revision.promotions.length > former.promotions.length;
    const most = capOf(step.replicas, replicas, surge);
    if (full || most === 0) return;
    expect(to.step).toBe(from.step + 1);
    expect(former.available).toBeGreaterThanOrEqual(most);
    expect(from.since).toBeDefined();
    const results = policy?.status?.gates?.filter(({ number, step: of }) => number === from.number && of === from.step);
    for (const name of step.gates ?? [])
      expect(results?.some((gate) => gate.name === name && gate.state === 'Passed')).toBe(true);
    if (from.promoted || step.pause === undefined) return;
    expect(step.pause.until).toBeUndefined();
    expect(this.#cluster.now).toBeGreaterThanOrEqual(Date.parse(from.since as string) + 10_000);
  }
}

/** Within an attempt nothing that was recorded is taken back, and it is rejected once at most; stable never is. */
function checkRecords(revision: Noted, former: Noted | undefined, { metadata: { uid } }: RolloutPolicy): void {
  const { rejected, number, name, completed } = revision;
  if (former === undefined || former.number !== number) return;
  expect(completed ?? 0).toBeGreaterThanOrEqual(former.completed ?? 0);
  if (isBy(former.rejected, number, uid)) expect(rejected).toEqual(former.rejected);
  if (isBy(rejected, number, uid)) {
    expect(rejected?.stable).not.toBe(name);
    expect(completed).not.toBe(number);
  }
  const [from, to] = [former.step, revision.step];
  if (!isBy(from, number, uid) || !isBy(to, number, uid) || from?.steps !== to?.steps) return;
  expect(to?.step).toBeGreaterThanOrEqual(from?.step as number);
  expect(to?.stable).toBe(from?.stable);
  if (to?.step !== from?.step) return;
  if (from?.since !== undefined) expect(to?.since).toBe(from.since);
  if (from?.promoted) expect(to?.promoted).toBe(true);
}

function checkRejected(revision: Noted, former: Noted | undefined, { metadata: { uid } }: RolloutPolicy): void {
  if (former === undefined || former.number !== revision.number) return;
  if (!isBy(former.rejected, former.number, uid)) return;
  expect(revision.active).toBeLessThanOrEqual(former.active);
  // A pod that was to go and is needed again, because there are to be more replicas, stays.
  expect(revision.desired).toBeLessThanOrEqual(Math.max(former.desired, former.active));
}

/** While a step is recorded, the new revision never grows past it. */
function checkStep(revision: Noted, former: Noted | undefined, { policy, replicas, surge, revisions }: State): void {
  const { step, number } = revision;
  const isNewest = revisions.every((other) => other.number <= number);
  if (policy === undefined || !isNewest || !isBy(step, number, policy.metadata.uid)) return;
  const listed = policy.spec.steps?.[(step as StepNote).step - 1];
  const isPresent = step?.steps === stepsDigest(policy.spec);
  if (listed === undefined || revision.completed === number || !isPresent) return;
  const most = Math.max(capOf(listed.replicas, replicas, surge), former?.desired ?? 0);
  expect(revision.desired).toBeLessThanOrEqual(most);
  expect(revision.active).toBeLessThanOrEqual(Math.max(most, former?.active ?? 0));
}

function checkForgetting(name: string, { revisions, policy, current }: State): void {
  const [newest] = revisions.toSorted((one, other) => other.number - one.number);
  expect(name).not.toBe(newest?.name);
  const isUnderWay = newest !== undefined && newest.completed !== newest.number && newest.name !== current;
  const records = [newest?.step, newest?.rejected].filter((each) =>
    isBy(each, newest?.number ?? 0, policy?.metadata.uid),
  );
  if (isUnderWay) for (const record of records) expect(name).not.toBe(record?.stable);
}

/** The attempt that people would see: of the newest revision. */
export function attemptIn(cluster: ModelCluster): {
  readonly policy: RolloutPolicy | undefined;
  readonly number: number;
  readonly step: number | undefined;
  readonly newest: Noted | undefined;
  readonly revisions: readonly Noted[];
} {
  const { policy, revisions } = stateOf(cluster);
  const [newest] = revisions.toSorted((one, other) => other.number - one.number);
  return { policy, number: newest?.number ?? 0, step: newest?.step?.step, newest, revisions };
}

function stateOf(cluster: ModelCluster): State {
  const { replicas = 1, strategy } = cluster.object.spec;
  const policies = [...cluster.policies.values()].map((policy) => ({
    policy,
    at: Date.parse(policy.metadata.creationTimestamp ?? ''),
  }));
  const [first] = policies.toSorted(
    (one, other) => one.at - other.at || (one.policy.metadata.name < other.policy.metadata.name ? -1 : 1),
  );
  const owned = [...cluster.revisions.values()].filter((revision) => cluster.owns(revision));
  return {
    policy: first?.policy,
    pods: cluster.active,
    current: cluster.object.status?.currentRevision,
    replicas,
    surge: Number(strategy?.rollingUpdate?.maxSurge ?? 0),
    revisions: owned.map((revision) => {
      const { labels = {}, name } = revision.metadata;
      const hash = labels['controller.kubernetes.io/hash'];
      const pods = cluster.active.filter((pod) => pod.metadata.labels?.['pod-template-hash'] === hash);
      const available = pods.filter((pod) => cluster.isAvailable(pod)).length;
      return {
        name,
        number: revision.revision,
        image: /"image":"([^"]+)"/.exec(JSON.stringify(revision.data))?.[1] ?? '',
        ...notesOf(revision),
        active: pods.length,
        available,
      };
    }),
  };
}
