// What to do about the gates of the present step: take in what was measured, and measure what is due. Measuring is not deciding:
// the results go into the status, and the controller of MyDeployments decides by them.
//
// Guarantees: nothing is measured before the step's clock runs, nor while a pod of the step is missing or unavailable; the first
// measurement comes one interval after the clock began; a result that is final stays.

import { durationMs } from '../../../policy/duration.ts';
import { type GateResult, type Place, resultOf } from '../../../policy/gates.ts';
import { type Step, stepCount } from '../../../policy/steps.ts';
import type { PlannedEvent } from '../../../workload/action.ts';
import { earliest, isAvailable, nextAvailability, timeOf } from '../../../workload/pod.ts';
import { isSamePlace, type Snapshot } from '../snapshot.ts';
import type { Standing } from '../standing.ts';
import { sizeOf, type Target } from '../target.ts';
import { jobName, outcomeOf } from './job.ts';
import { type Gate, isFinal, judge, type Outcome } from './judge.ts';
import { type Measurement, measurementOf, podsOf } from './measurement.ts';

export interface GatesPlan {
  readonly results: readonly GateResult[];
  /** The measurements that are due and not being made yet. */
  readonly measure: readonly Measurement[];
  readonly events: readonly PlannedEvent[];
  readonly checkAgainAt: number | undefined;
}

export const NO_GATES: GatesPlan = { results: [], measure: [], events: [], checkAgainAt: undefined };

const DEFAULT_INTERVAL = '30s';

/** What the gates are about. */
export interface About {
  readonly target: Target;
  readonly standing: Standing;
  /** A policy that does not govern measures nothing; what it has measured stays. */
  readonly governs: boolean;
  readonly now: number;
}

/** The gates of the recorded step. */
export function planGates(snapshot: Snapshot, about: About): GatesPlan {
  const { spec, status } = snapshot.policy;
  const { record } = about.standing;
  const step = record && spec.steps?.[record.step - 1];
  if (record === undefined || step === undefined || record.since === undefined) return NO_GATES;
  const gates = (step.gates ?? []).flatMap((name) => spec.gates?.filter((gate) => gate.name === name) ?? []);
  const judged = gates.map((gate) => {
    const before = resultOf(status?.gates ?? [], gate.name, record);
    return { gate, before, result: resultAfter(snapshot, gate, { place: record, before, now: about.now }) };
  });
  const kept: GatesPlan = {
    ...NO_GATES,
    results: judged.map(({ result }) => result).filter((result) => result !== undefined),
    events: judged.flatMap(({ before, result }) => eventsOf(record, before, result)),
  };
  const isOver = kept.results.some(({ state }) => state === 'Failed');
  if (isOver || !about.governs || !isUnderWay(about)) return kept;
  return measureIn(
    { snapshot, about, place: record, kept, open: judged.filter(({ result }) => !isFinal(result)) },
    step,
  );
}

interface InStep {
  readonly snapshot: Snapshot;
  readonly about: About;
  readonly place: Place;
  readonly kept: GatesPlan;
  /** The gates without a final result. */
  readonly open: readonly { readonly gate: Gate; readonly result: GateResult | undefined }[];
}

/** Measures what is due, while all pods of the step are available. */
function measureIn({ snapshot, about, place, kept, open }: InStep, step: Step): GatesPlan {
  const { target, standing, now } = about;
  const pods = podsOf(snapshot, standing);
  const { minReadySeconds = 0 } = target.spec;
  const available = pods.update.filter((pod) => isAvailable(pod, minReadySeconds, now));
  const count = stepCount(step, sizeOf(target));
  if (count === 0 || available.length < count) {
    return { ...kept, checkAgainAt: nextAvailability(pods.update, minReadySeconds, now) };
  }
  const idle = open.filter(({ gate }) => !isBeingMeasured(snapshot, gate, place));
  const timed = idle.map(({ gate, result }) => ({ gate, dueAt: dueAtOf(gate, result, place.since as number) }));
  const isDue = ({ dueAt }: { readonly dueAt: number | undefined }): boolean => dueAt !== undefined && dueAt <= now;
  return {
    ...kept,
    measure: timed.filter(isDue).map(({ gate }) => measurementOf(snapshot.policy, target, { gate, place, pods })),
    checkAgainAt: earliest(timed.filter((each) => !isDue(each)).map(({ dueAt }) => dueAt)),
  };
}

interface Judging {
  readonly place: Place;
  readonly before: GateResult | undefined;
  readonly now: number;
}

/** The stored result, and what has come of its gate since. */
function resultAfter(
  { policy, jobs, measured }: Snapshot,
  gate: Gate,
  { place, before, now }: Judging,
): GateResult | undefined {
  if (isFinal(before)) return before;
  const news = measured.filter((each) => each.gate === gate.name && isSamePlace(each.place, place));
  const result = news.reduce((so, { outcome, at }) => judge(gate, so, outcome, { place, at }), before);
  if (gate.job === undefined) return result;
  const name = jobName(policy, gate.name, place);
  const job = jobs.find(({ metadata }) => metadata.name === name && metadata.deletionTimestamp === undefined);
  const outcome = job ? outcomeOf(job) : lostJob(name, result);
  if (outcome === undefined || (outcome.is === 'running' && result?.message === outcome.message)) return result;
  return judge(gate, result, outcome, { place, at: now });
}

/** A Job that was started and is not there any more has no result. */
function lostJob(name: string, result: GateResult | undefined): Outcome | undefined {
  if (result?.state !== 'Pending') return undefined;
  return { is: 'blocked', message: `Job "${name}" was deleted before it ended` };
}

/** True while the attempt goes forward. */
function isUnderWay({ target, standing: { rejected, isComplete } }: About): boolean {
  return !target.spec.paused && rejected === undefined && !isComplete;
}

function isBeingMeasured({ measuring }: Snapshot, gate: Gate, place: Place): boolean {
  return measuring.some((each) => each.gate === gate.name && isSamePlace(each.place, place));
}

/** When to measure next; undefined while a Job runs. */
function dueAtOf({ job, interval = DEFAULT_INTERVAL }: Gate, result: GateResult | undefined, since: number) {
  const last = timeOf(result?.measuredAt);
  if (job !== undefined && last === undefined) return since;
  if (job !== undefined && result?.state !== 'Error') return undefined;
  return (last ?? since) + (durationMs(interval) as number);
}

function eventsOf(
  place: Place,
  before: GateResult | undefined,
  after: GateResult | undefined,
): readonly PlannedEvent[] {
  if (after === undefined || after.state === before?.state) return [];
  const message = `Gate "${after.name}" of step ${place.step}, revision ${place.number}: ${after.message ?? ''}`;
  switch (after.state) {
    case 'Passed':
      return [{ type: 'Normal', reason: 'GatePassed', message }];
    case 'Failed':
      return [{ type: 'Warning', reason: 'GateFailed', message }];
    case 'Error':
      return [{ type: 'Warning', reason: 'GateError', message }];
    case 'Pending':
    case 'NoData':
      return [];
    default:
      return after.state satisfies never;
  }
}
