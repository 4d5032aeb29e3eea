// What is recorded of an attempt to roll out a revision, in annotations of its ControllerRevision. The controller of
// MyDeployments alone writes them, before any pod follows; the controller of RolloutPolicies and kubectl md read them.
//
// An attempt is a revision's number: a retry gives the revision the next number, and so does coming back to an earlier
// template. What was recorded for another number is history. The same holds for another policy: deleting a policy lets go
// of everything that was recorded under it.

import { timestamp } from '../runtime/conditions.ts';
import { timeOf } from '../workload/pod.ts';

const PREFIX = 'mydeployment.kubebuilder.zq.com';
/** The number under which the revision was rolled out completely. */
export const COMPLETED = `${PREFIX}/completed`;
/** Where the attempt stands. */
export const STEP = `${PREFIX}/step`;
/** Why the attempt was rejected. */
export const REJECTED = `${PREFIX}/rejected`;
/** Who promoted which step of the attempt. */
export const PROMOTIONS = `${PREFIX}/promotions`;

/** A step that an attempt is in. */
export interface StepRecord {
  readonly number: number;
  /** The UID of the policy. */
  readonly policy: string;
  /** A digest of the policy's steps: when they change, the attempt finds its place in them anew. */
  readonly steps: string;
  /** From 1; one more than there are steps for the rest, which has the native pace. */
  readonly step: number;
  /** The name of the revision to go back to; absent when there is none, hence no steps. */
  readonly stable?: string;
  /** Milliseconds since the epoch. Pods that failed before are not counted against the attempt. */
  readonly beganAt: number;
  /** When all pods of the step were available for the first time. */
  readonly since?: number;
  /** True when a user promoted this step. */
  readonly promoted?: true;
}

export const REJECTION_REASONS = ['ProgressDeadlineExceeded', 'PodFailures', 'GateFailed', 'Aborted'] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

export interface Rejection {
  readonly number: number;
  readonly policy: string;
  /** The name of the revision that the rollout goes back to. */
  readonly stable: string;
  readonly reason: RejectionReason;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Who aborted. */
  readonly by?: string;
}

export interface Promotion {
  readonly number: number;
  readonly step: number;
  readonly by?: string;
}

type Annotations = Readonly<Record<string, string>>;

/** What the annotations of a revision record; unreadable values count as absent. */
export interface AttemptRecords {
  readonly completed: number | undefined;
  readonly step: StepRecord | undefined;
  readonly rejected: Rejection | undefined;
  readonly promotions: readonly Promotion[];
}

export function readAttempt(annotations: Annotations = {}): AttemptRecords {
  const completed = Number(annotations[COMPLETED]);
  return {
    completed: Number.isSafeInteger(completed) && completed > 0 ? completed : undefined,
    step: readStep(parsed(annotations[STEP])),
    rejected: readRejection(parsed(annotations[REJECTED])),
    promotions: readPromotions(parsed(annotations[PROMOTIONS])),
  };
}

export function stepAnnotation({ beganAt, since, ...step }: StepRecord): Annotations {
  const times = { beganAt: timestamp(beganAt), ...(since !== undefined && { since: timestamp(since) }) };
  return { [STEP]: JSON.stringify({ ...step, ...times }) };
}

export function rejectionAnnotation({ at, ...rejection }: Rejection): Annotations {
  return { [REJECTED]: JSON.stringify({ ...rejection, at: timestamp(at) }) };
}

/** With more promotions than this, the oldest are dropped. */
const MOST_PROMOTIONS = 50;

export function promotionsAnnotation(promotions: readonly Promotion[]): Annotations {
  return { [PROMOTIONS]: JSON.stringify(promotions.slice(-MOST_PROMOTIONS)) };
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined; // edited by hand; the attempt begins anew
  }
}

function readStep(value: unknown): StepRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { number, policy, steps, step, stable, promoted } = value;
  const [beganAt, since] = [time(value.beganAt), time(value.since)];
  if (!isCount(number) || !isText(policy) || !isText(steps) || !isCount(step) || beganAt === undefined)
    return undefined;
  return {
    number,
    policy,
    steps,
    step,
    ...(isText(stable) && { stable }),
    beganAt,
    ...(since !== undefined && { since }),
    ...(promoted === true && { promoted }),
  };
}

function readRejection(value: unknown): Rejection | undefined {
  if (!isRecord(value)) return undefined;
  const { number, policy, stable, message, by } = value;
  const reason = REJECTION_REASONS.find((each) => each === value.reason);
  const at = time(value.at);
  if (!isCount(number) || !isText(policy) || !isText(stable) || reason === undefined || at === undefined) {
    return undefined;
  }
  return { number, policy, stable, reason, message: isText(message) ? message : '', at, ...(isText(by) && { by }) };
}

function readPromotions(value: unknown): readonly Promotion[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).flatMap(({ number, step, by }) => {
    return isCount(number) && isCount(step) ? [{ number, step, ...(isText(by) && { by }) }] : [];
  });
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function time(value: unknown): number | undefined {
  const at = isText(value) ? timeOf(value) : undefined;
  return Number.isNaN(at) ? undefined : at;
}
