// Reports what came of a plan: events, the status of the owner, and when to look at it again.

import type { Client } from '../runtime/client/client.ts';
import type { Clock, WallClock } from '../runtime/clock.ts';
import type { Refusals } from '../runtime/consistency/refusals.ts';
import { checkAgain, checkAgainAfter, type Result, retry } from '../runtime/controller/result.ts';
import type { CustomResource } from '../runtime/custom-resource.ts';
import type { EventRecorder } from '../runtime/events.ts';
import type { KubeObject } from '../runtime/object.ts';
import { type StatusUrgency, StatusWriter } from '../runtime/status-writer.ts';
import type { Plan, PlannedEvent } from './action.ts';
import type { Execution } from './execute.ts';
import { earliest } from './pod.ts';
import { errorsOf, failureEvents, noteFailures, worstFirst } from './replica-failure.ts';
import type { ControllerRevision } from './revision.ts';
import { statesOf, urgencyOf } from './status-urgency.ts';
import type { WriteContext } from './write-context.ts';

/** What every kind that owns pods has in its status. */
export interface OwnerStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
}

export type Owning<S extends OwnerStatus> = KubeObject & { readonly status?: S };

/** What of a kind its reports depend on. */
export interface Reported<T extends Owning<S>, S extends OwnerStatus> {
  readonly definition: Pick<CustomResource<T>, 'resource' | 'singular'>;
  /** For kinds that keep history in ControllerRevisions: which of them the plan reads. */
  readonly keepsRevision?: (revision: ControllerRevision) => boolean;
  /** The planned status, corrected by what came of the plan. @default ReplicaFailure is set or removed */
  readonly finishStatus?: (planned: S, execution: Execution, about: StatusContext<S>) => S;
  /**
   * How urgent it is to replace the stored status; undefined when nothing changed.
   * @default at once for a new generation, or a condition with another status or reason; later for the rest
   */
  readonly statusUrgency?: (stored: S | undefined, next: S) => StatusUrgency | undefined;
}

export interface StatusContext<S> {
  readonly stored: S | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface ReporterDeps {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly wallNow: WallClock;
}

export type OwnerContext<T> = WriteContext & { readonly object: T; readonly refusals: Refusals };

export class Reporter<T extends Owning<S>, S extends OwnerStatus> {
  readonly #deps: ReporterDeps;
  readonly #kind: Reported<T, S>;
  readonly #statuses: StatusWriter<T>;

  constructor(deps: ReporterDeps, kind: Reported<T, S>) {
    const { client, clock } = deps;
    this.#deps = deps;
    this.#kind = kind;
    this.#statuses = new StatusWriter(kind.definition.resource, { client, clock });
  }

  /** Records events, writes the status if it changed, and says what happens next. */
  async report(context: OwnerContext<T>, planned: Plan<S>, execution: Execution): Promise<Result> {
    const { writes, refusals } = context;
    const { failures, error } = execution;
    this.#recordEvents(context, planned, execution);
    const written = await this.#writeStatus(context, planned, execution);
    if (written === 'conflict') return retry('the object changed while its status was written');
    const errors = [...errorsOf(failures), ...(error === undefined ? [] : [error])];
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} writes failed`);
    if (writes.wasOutdated()) return retry('an object changed before it was written');
    // A claim was refused: the next plan does without it.
    if (failures.length > 0) return checkAgainAfter(0);
    const delays = [written, ...[...refusals.values()].map(({ forMs }) => forMs)];
    return checkAgain({ at: planned.checkAgainAt, afterMs: earliest(delays) }, this.#deps.wallNow());
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#statuses.forget(key);
  }

  /**
   * A kind that keeps revisions reports what it has recorded in them; the next plan would not report it again. Other kinds
   * report what happened to their pods.
   */
  #recordEvents({ owner }: WriteContext, { events }: Plan<S>, execution: Execution): void {
    const { failures, error, collided, revisionFailure } = execution;
    const isDone =
      error === undefined && collided !== true && (this.#kind.keepsRevision !== undefined || failures.length === 0);
    const notRecorded: PlannedEvent[] =
      revisionFailure === undefined
        ? []
        : [{ type: 'Warning', reason: 'RevisionCreateError', message: revisionFailure }];
    for (const event of [...(isDone ? events : []), ...failureEvents(failures), ...notRecorded]) {
      this.#deps.events.record(owner, event);
    }
  }

  /** Returns the delay after which a status that waits is due, or that the object has changed. */
  async #writeStatus(
    { object, owner, writes, refusals, signal }: OwnerContext<T>,
    planned: Plan<S>,
    execution: Execution,
  ): Promise<number | 'conflict' | undefined> {
    if (planned.status === undefined) return undefined;
    const { definition, finishStatus = noteFailures, statusUrgency = urgencyOfConditions } = this.#kind;
    const failures = worstFirst([...execution.failures, ...refusals.values()]);
    const about = { stored: object.status, now: this.#deps.wallNow() };
    const status = finishStatus(planned.status, { ...execution, failures }, about);
    const urgency = statusUrgency(object.status, status);
    if (urgency === undefined) return undefined;
    // A failure is written at once: neither people nor the next attempt have to wait for it.
    const written = await this.#statuses.write(object, status, hasFailed(execution) ? 'now' : urgency, signal);
    if (written.wrote === 'now') writes.wrote(definition.resource, written.resourceVersion);
    if (written.wrote === 'conflict') {
      this.#deps.events.record(owner, { type: 'Normal', reason: 'ConflictRequeue', message: written.message });
      return 'conflict';
    }
    return written.wrote === 'later' ? written.afterMs : undefined;
  }
}

function hasFailed({ error, collided, failures }: Execution): boolean {
  return error !== undefined || collided === true || failures.length > 0;
}

function urgencyOfConditions(stored: OwnerStatus | undefined, next: OwnerStatus): StatusUrgency | undefined {
  return urgencyOf(stored, next, ({ observedGeneration, conditions = [] }) => ({
    observedGeneration,
    states: statesOf(conditions),
  }));
}
