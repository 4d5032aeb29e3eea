// Leader election with a Lease: many candidates, one leader.
//
// Guarantees: at most one replica holds the lease, because every write of it has the version it was decided on as a
// precondition; a leader stops before a candidate may take over, because the renew deadline is shorter than the lease;
// writes through `fence` do not leave the process once the tenure is over. A graceful stop releases the lease at once,
// unless it is shared.
// Caveats: a user who deletes the Lease or writes another holder into it can make two leaders for one retry period; and
// so can a pause that stops both the monotonic and the wall clock, as a virtual machine's may.

import type { RequestOptions } from '../client/options.ts';
import type { Fence } from '../client/scope.ts';
import { sleep } from '../clock.ts';
import { isApiError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { decide, type ObservedLease, observe } from './decide.ts';
import { claimed, type Holder, type LeaseSpec, released, renewed } from './lease.ts';
import { type LeaseClient, LeaseLock } from './lock.ts';
import { type ElectionOptions, type ElectionSettings, resolveElection } from './options.ts';
import { LeadershipLost, Tenure } from './tenure.ts';

/** Lets one of several replicas lead. */
export class LeaderElector {
  readonly identity: string;
  readonly #lock: LeaseLock;
  readonly #settings: ElectionSettings;
  readonly #holder: Holder;
  readonly #log: Logger;
  readonly #tenure: Tenure;
  readonly #released = new AbortController();
  #observed: ObservedLease | undefined;
  #leading = false;

  constructor(client: LeaseClient, options: ElectionOptions) {
    const settings = resolveElection(options);
    this.identity = settings.identity;
    this.#lock = new LeaseLock(client, { namespace: settings.namespace, name: settings.name }, settings.labels);
    this.#settings = settings;
    this.#observed = settings.seen;
    this.#holder = { identity: settings.identity, leaseSeconds: settings.leaseMs / 1_000 };
    this.#log = settings.log.with({ lease: `${settings.namespace}/${settings.name}`, identity: settings.identity });
    this.#tenure = new Tenure(settings.clock, settings.wallNow, settings.renewDeadlineMs);
    settings.observer.leading?.(settings.name, false);
  }

  /** For `client.fenced`: writes pass only while this replica leads. */
  get fence(): Fence {
    return this.#tenure.fence;
  }

  /** True while this replica may write; reads the clock. */
  get leading(): boolean {
    return this.#tenure.held;
  }

  /**
   * Campaigns, and calls `lead` once elected; its signal aborts when leadership is lost. When `lead` is done, the lease
   * is released. Resolves without having led when `signal` aborts first; rejects with LeadershipLost. Call it once
   * only.
   */
  async run(signal: AbortSignal, lead: (lost: AbortSignal) => Promise<void>): Promise<void> {
    if (!(await this.#campaign(signal))) return;
    this.#settings.observer.leading?.(this.#settings.name, true);
    this.#log.info('became leader');
    const renewing = this.#keepRenewing();
    const lost = this.#tenure.signal;
    try {
      await lead(lost).catch((error) => {
        lost.throwIfAborted(); // an error after the loss is a consequence of it, so the loss is reported
        throw error;
      });
      lost.throwIfAborted();
    } finally {
      this.#released.abort();
      await renewing;
      await this.#release();
      this.#settings.observer.leading?.(this.#settings.name, false);
    }
  }

  /**
   * Ends leadership without releasing the lease, for work that could not be ended in time: the next holder waits until the lease
   * has run out, and until then every write that is on its way has arrived or was given up.
   */
  resign(reason: unknown): void {
    this.#tenure.end(reason);
  }

  async #campaign(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      await this.#look(signal).catch((error) => this.#failedToCampaign(error, signal));
      if (this.#leading) return true;
      // Aborted while waiting: the loop checks the signal.
      await sleep(this.#settings.clock, this.#settings.pauseMs(), signal).catch(() => {});
    }
    return false;
  }

  #failedToCampaign(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    if (isApiError(error, 'Conflict', 'AlreadyExists')) this.#log.debug('another candidate was quicker', { error });
    else this.#log.warn('cannot campaign for the lease', { error });
  }

  async #keepRenewing(): Promise<void> {
    const over = AbortSignal.any([this.#tenure.signal, this.#released.signal]);
    while (!over.aborted) {
      try {
        await sleep(this.#settings.clock, this.#settings.retryMs, over);
        // Not aborted for a release: with an unknown result the release could not overwrite the record.
        if (this.#tenure.held) await this.#renew(this.#tenure.signal);
      } catch (error) {
        if (!over.aborted) this.#log.warn('cannot renew the lease', { error });
      }
    }
    if (this.#tenure.signal.aborted) this.#log.error('leadership lost', { error: this.#tenure.signal.reason });
  }

  /** Overwrites the record of the last renewal; reads it first only when that fails. */
  async #renew(signal: AbortSignal): Promise<void> {
    if (this.#settings.shared) return this.#renewShared(signal);
    try {
      if (this.#lock.record !== undefined) return await this.#write('renew', signal);
    } catch (error) {
      this.#log.debug('lease is not as it was left, looking at it', { error });
    }
    this.#settings.observer.slowPath?.(this.#settings.name);
    await this.#look(signal);
  }

  /**
   * A shared lease is never as it was left, because others renew it, too. One that was quicker has renewed it for all: replicas that
   * renew at the same moments could otherwise go without for ever.
   */
  async #renewShared(signal: AbortSignal): Promise<void> {
    const readAt = this.#tenure.now();
    try {
      await this.#look(signal);
    } catch (error) {
      if (!isApiError(error, 'Conflict')) throw error;
      const before = this.#observed;
      await this.#lock.read(this.#request(signal));
      this.#observe(this.#lock.record);
      // Written after it was read here: a change of the record, not of the labels.
      if (this.#observed?.record.holderIdentity === this.identity && this.#observed !== before)
        this.#tenure.extend(readAt);
    }
  }

  /** Reads the lease, decides, and executes the decision. */
  async #look(signal: AbortSignal): Promise<void> {
    await this.#lock.read(this.#request(signal));
    this.#observe(this.#lock.record);
    const candidate = { ...this.#holder, leading: this.#leading };
    const decision = decide(candidate, this.#observed, this.#settings.clock.now());
    if (decision === 'lost') this.#lose();
    if (decision === 'acquire' || decision === 'renew') await this.#write(decision, signal);
  }

  #observe(record: LeaseSpec | undefined): void {
    const before = this.#observed?.record.holderIdentity;
    this.#observed = record === undefined ? undefined : observe(this.#observed, record, this.#settings.clock.now());
    const holder = record?.holderIdentity;
    if (holder && holder !== before && holder !== this.identity) this.#log.info('lease is held', { holder });
  }

  async #write(decision: 'acquire' | 'renew', signal: AbortSignal): Promise<void> {
    const { record } = this.#lock;
    const sentAt = this.#tenure.now();
    const next =
      decision === 'renew' && record !== undefined
        ? renewed(record, this.#holder, sentAt.wall)
        : claimed(record, this.#holder, sentAt.wall);
    await this.#lock.write(next, this.#request(signal));
    this.#leading = true;
    this.#tenure.extend(sentAt);
  }

  #lose(): void {
    const holder = this.#observed?.record.holderIdentity;
    this.#tenure.end(new LeadershipLost(`lease was taken by ${holder ? `"${holder}"` : 'nobody'}`));
  }

  /** Ends the tenure first, so that no write of this replica is on its way when the next leader starts. */
  async #release(): Promise<void> {
    const { record } = this.#lock;
    if (!this.#tenure.held || record === undefined) return;
    this.#tenure.end(new LeadershipLost('lease was released'));
    if (this.#settings.shared) return;
    try {
      await this.#lock.write(released(record, this.#settings.wallNow()), this.#request());
      this.#log.info('lease released');
    } catch (error) {
      this.#log.warn('cannot release the lease, the next leader waits until it expires', { error });
    }
  }

  #request(signal?: AbortSignal): RequestOptions {
    // The loops above retry at their own pace, and a stalled request must leave time for another.
    const once = { attempts: 1, timeoutMs: this.#settings.renewDeadlineMs / 2 };
    return signal === undefined ? once : { ...once, signal };
  }
}
