// Holds a status to the truth. Whoever writes one has seen the pods a moment ago, so it cannot tell of the present; but
// it must tell of a state that really was, and of none that is older than what the status before it told. So a status
// never reports more than was true, never mixes two moments, and never goes back in time. Reconciling and Stalled say what its other fields say.

import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import type { Pod } from '../../src/workload/pod.ts';
import type { ControllerRevision } from '../../src/workload/revision.ts';
import type { LabelSelector } from '../../src/workload/selector.ts';
import { falseVerdicts } from './kstatus.ts';
import { hasEnded, hashOf, isActive, isCounted, readyConditionOf } from './pod-facts.ts';

/** What there was to tell at one moment. */
interface State {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  readonly byHash: ReadonlyMap<string, number>;
}

interface Share {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  readonly hash: string;
}

const NOTHING: Share = { active: 0, ready: 0, terminating: 0, hash: '' };
const ALIASES = 'mydeployment.kubebuilder.zq.com/pod-template-hash-aliases';

export class StatusClaims {
  readonly #states: State[] = [{ ...NOTHING, byHash: new Map() }];
  readonly #shares = new Map<string, Share>();
  /** Hashes by the name of their revision; undefined when pods of other hashes count for it, too. */
  readonly #hashes = new Map<string, string | undefined>();
  #selector: LabelSelector | undefined;
  /** The state that the last status told of. */
  #told = 0;
  #lastReported = '';

  /** Pods that were there before the selector was known count from now on. */
  select(selector: LabelSelector, pods: Iterable<Pod>): void {
    if (this.#selector !== undefined) return;
    this.#selector = selector;
    for (const pod of pods) this.podChanged(pod.metadata.uid, pod);
  }

  /** Whether the owner counts this pod of its own; what is to be let go, and may not be, it does not. */
  counts(pod: Pod): boolean {
    return this.#selector === undefined || isCounted(this.#selector, pod);
  }

  learn({ metadata: { name, labels, annotations } }: ControllerRevision): void {
    this.#hashes.set(name, annotations?.[ALIASES] ? undefined : labels?.['controller.kubernetes.io/hash']);
  }

  podChanged(uid: string, pod: Pod | undefined): void {
    const before = this.#shares.get(uid) ?? NOTHING;
    const now = pod === undefined ? NOTHING : this.#shareOf(pod);
    if (pod === undefined) this.#shares.delete(uid);
    else this.#shares.set(uid, now);
    const last = this.#states.at(-1) as State;
    const byHash = new Map(last.byHash);
    byHash.set(before.hash, (byHash.get(before.hash) ?? 0) - before.active);
    byHash.set(now.hash, (byHash.get(now.hash) ?? 0) + now.active);
    this.#states.push({
      active: last.active + now.active - before.active,
      ready: last.ready + now.ready - before.ready,
      terminating: last.terminating + now.terminating - before.terminating,
      byHash,
    });
  }

  /** What is wrong with the status of this object. Two leaders may tell of the past by turns. */
  judge(object: MyDeployment, twoLeaders: boolean): string[] {
    const { status } = object;
    if (status?.selector === undefined) return []; // no operator has counted anything yet
    return [...falseVerdicts(object), ...this.#judgeCounts(reportedCounts(status), twoLeaders)];
  }

  #judgeCounts(reported: ReportedCounts, twoLeaders: boolean): string[] {
    const text = JSON.stringify(reported);
    if (text === this.#lastReported) return [];
    this.#lastReported = text;
    const from = twoLeaders ? 0 : this.#told;
    const found = this.#states.findIndex((state, index) => index >= from && this.#agrees(reported, state));
    if (found >= 0) this.#told = found;
    else return [`the status reports ${text}, which has not been so since the status before`];
    return reported.available > reported.ready
      ? [`the status reports that ${reported.available} are available where ${reported.ready} are ready`]
      : [];
  }

  #agrees({ active, ready, terminating, updated, revision }: ReportedCounts, state: State): boolean {
    const hash = this.#hashes.get(revision);
    if (active !== state.active || ready !== state.ready || terminating !== state.terminating) return false;
    return hash === undefined || updated === (state.byHash.get(hash) ?? 0);
  }

  #shareOf(pod: Pod): Share {
    const active = Number(isActive(pod) && this.counts(pod));
    return {
      active,
      ready: active * Number(readyConditionOf(pod) !== undefined),
      terminating: Number(!hasEnded(pod) && pod.metadata.deletionTimestamp !== undefined),
      hash: hashOf(pod) ?? '',
    };
  }
}

interface ReportedCounts {
  readonly active: number;
  readonly ready: number;
  readonly available: number;
  readonly terminating: number;
  readonly updated: number;
  readonly revision: string;
}

function reportedCounts(status: NonNullable<MyDeployment['status']>): ReportedCounts {
  return {
    active: status.replicas,
    ready: status.readyReplicas ?? 0,
    available: status.availableReplicas ?? 0,
    terminating: status.terminatingReplicas ?? 0,
    updated: status.updatedReplicas ?? 0,
    revision: status.updateRevision ?? '',
  };
}
