// What one piece of work by one contender in one round has cost. Everything the report says is computed from these.

import type { AuditLog, Requests } from './audit-log.ts';
import type { ContenderName } from './contenders/contender.ts';
import { type Usage, usageOf } from './process-usage.ts';

/** Who has work to do for whatever any contender does: the scheduler, and kwok for all nodes. */
export const OTHER_USERS = ['system:kube-scheduler', 'kwok'];

/** What the stopwatch saw. */
export interface Timing {
  /** Until the pods were as they should be, and the status of every object said so. */
  readonly seconds: number;
  /** From the start of a process until it had read all there was, where a work starts one. */
  readonly syncedSeconds?: number;
  /** For each object, or each repetition: from the last change of its pods until its status said that all is as asked. */
  readonly statusLagsMs?: readonly number[];
  /** One for each repetition, where a work consists of many. */
  readonly reactionsMs?: readonly number[];
}

export interface Sample extends Timing, Omit<Requests, 'byVerb'> {
  readonly contender: ContenderName;
  readonly round: number;
  readonly work: string;
  /** Of the contender, the scheduler and the nodes together. */
  readonly allWrites: number;
  /** Of the contender's own process, while it worked and until it had settled. */
  readonly cpuSeconds: number;
  /** Of the contender's own process, since it was started. */
  readonly peakRssMiB: number;
  readonly byVerb: Readonly<Record<string, number>>;
}

/** Whose cost is measured. A restarted contender has another pid afterwards. */
export interface Subject {
  pid(): number;
  readonly users: readonly string[];
  readonly audit: AuditLog;
}

export type Cost = Omit<Sample, 'contender' | 'round' | 'work'>;

/** Runs a piece of work, waits until the subject has settled, and says what it cost it. */
export async function measure(
  subject: Subject,
  run: () => Promise<Timing>,
  settle: () => Promise<void>,
): Promise<Cost> {
  const [before, mark] = await Promise.all([usageOf(subject.pid()), subject.audit.mark()]);
  const timing = await run();
  await settle();
  const { audit, users } = subject;
  const [after, requests, others] = await Promise.all([
    usageOf(subject.pid()),
    audit.since(mark, users),
    audit.since(mark, OTHER_USERS),
  ]);
  const usage = { cpuSeconds: cpuBetween(before, after), peakRssMiB: after.peakRssMiB };
  return { ...timing, ...requests, ...usage, allWrites: requests.writes + others.writes };
}

/** A process that was started in between began at zero. */
function cpuBetween(before: Usage, after: Usage): number {
  return after.pid === before.pid ? after.cpuSeconds - before.cpuSeconds : after.cpuSeconds;
}
