// The measurements that are being made, and those that ended and are not in the status of their policy yet. They run beside the
// workers of the controller: one that hangs holds up no reconcile. This memory is lost with the process; then what was in flight is
// measured again.
//
// Guarantees: at most one measurement of a gate at a time; what was measured for a place that the rollout has left is dropped;
// when the controller stops, everything is given up.

import type { Place } from '../../policy/gates.ts';
import { rolloutPolicies } from '../../policy/resource.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import type { ChangeHandler } from '../../runtime/cache/informer.ts';
import type { WallClock } from '../../runtime/clock.ts';
import type { Source } from '../../runtime/controller/sources.ts';
import type { Outcome } from './gates/judge.ts';
import type { Measurement } from './gates/measurement.ts';
import { isSamePlace, type Measured } from './snapshot.ts';

/** Makes one measurement. */
export type Measure = (policy: RolloutPolicy, measurement: Measurement, signal: AbortSignal) => Promise<Outcome>;

interface Running {
  readonly measurement: Measurement;
  readonly stop: AbortController;
}

interface OfPolicy {
  readonly running: Set<Running>;
  ended: readonly Measured[];
}

export class Measurements implements Source<RolloutPolicy> {
  readonly resource = rolloutPolicies;
  readonly #measure: Measure;
  readonly #wallNow: WallClock;
  /** By the UID of the policy. */
  readonly #byPolicy = new Map<string, OfPolicy>();
  readonly #handlers = new Set<ChangeHandler<RolloutPolicy>>();

  constructor(measure: Measure, wallNow: WallClock) {
    this.#measure = measure;
    this.#wallNow = wallNow;
  }

  /** There is nothing to catch up with. */
  async catchUp(): Promise<void> {}

  /** Calls back with the policy each time that a measurement has ended. With the last callback gone, all are given up. */
  onChange(handler: ChangeHandler<RolloutPolicy>): () => void {
    this.#handlers.add(handler);
    return () => {
      this.#handlers.delete(handler);
      if (this.#handlers.size === 0) for (const uid of [...this.#byPolicy.keys()]) this.forget(uid);
    };
  }

  measuring(uid: string): readonly Measurement[] {
    return [...(this.#byPolicy.get(uid)?.running ?? [])].map(({ measurement }) => measurement);
  }

  /** What has ended and is not known to be in the stored status. */
  measured(uid: string): readonly Measured[] {
    return this.#byPolicy.get(uid)?.ended ?? [];
  }

  /** Begins these measurements, and gives up those of other places. */
  begin(policy: RolloutPolicy, place: Place | undefined, measurements: readonly Measurement[]): void {
    const { uid } = policy.metadata;
    if (!this.#byPolicy.has(uid) && measurements.length === 0) return;
    const of = this.#of(uid);
    const isElsewhere = (other: Place): boolean => place === undefined || !isSamePlace(place, other);
    for (const running of of.running) if (isElsewhere(running.measurement.place)) this.#giveUp(of, running);
    of.ended = of.ended.filter((each) => !isElsewhere(each.place));
    for (const measurement of measurements) void this.#run(policy, of, measurement);
    this.#drop(uid);
  }

  /** These are in the stored status now. */
  confirm(uid: string, stored: readonly Measured[]): void {
    const of = this.#byPolicy.get(uid);
    if (of === undefined) return;
    of.ended = of.ended.filter((each) => !stored.includes(each));
    this.#drop(uid);
  }

  /** The policy is gone. */
  forget(uid: string): void {
    const of = this.#byPolicy.get(uid);
    if (of === undefined) return;
    for (const running of of.running) this.#giveUp(of, running);
    this.#byPolicy.delete(uid);
  }

  async #run(policy: RolloutPolicy, of: OfPolicy, measurement: Measurement): Promise<void> {
    const running = { measurement, stop: new AbortController() };
    of.running.add(running);
    const outcome = await this.#measure(policy, measurement, running.stop.signal).catch(
      (error: unknown): Outcome => ({ is: 'error', message: error instanceof Error ? error.message : String(error) }),
    );
    if (!of.running.delete(running)) return; // given up
    const { gate, place } = measurement;
    of.ended = [...of.ended, { gate, place, outcome, at: this.#wallNow() }];
    for (const handler of this.#handlers) handler({ type: 'added', object: policy, initial: false });
  }

  #giveUp(of: OfPolicy, running: Running): void {
    of.running.delete(running);
    running.stop.abort(new Error('the measurement was given up'));
  }

  #of(uid: string): OfPolicy {
    const known = this.#byPolicy.get(uid) ?? { running: new Set(), ended: [] };
    this.#byPolicy.set(uid, known);
    return known;
  }

  #drop(uid: string): void {
    const of = this.#byPolicy.get(uid);
    if (of?.running.size === 0 && of.ended.length === 0) this.#byPolicy.delete(uid);
  }
}
