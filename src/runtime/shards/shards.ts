// Shares the ranges of namespaces with the other replicas: takes its share of their leases, works on each range while it holds its
// lease, and gives ranges away when replicas come and go.
//
// Guarantees
// - The work on a range begins after its lease was won, and has ended before the lease is given away. Writes of that work that pass
//   the fence do so only while the lease is held.
// - The loss of one range ends the work on that range only.
// - A failure of the work ends the replica, as it ends a leader; then its leases run out instead of being released.
// Caveat: a range whose holder died has no holder until its lease has run out.

import { randomUUID } from 'node:crypto';
import { aborted } from '../abort.ts';
import type { Informer } from '../cache/informer.ts';
import type { Client } from '../client/client.ts';
import type { Fence } from '../client/scope.ts';
import { type Clock, monotonicClock, sleep } from '../clock.ts';
import { isApiError } from '../errors.ts';
import { msBetween } from '../instant.ts';
import { LeaderElector } from '../leader-election/elector.ts';
import { type Lease, leases } from '../leader-election/lease.ts';
import type { LeaseClient } from '../leader-election/lock.ts';
import { type ElectionOptions, newIdentity, resolveElection } from '../leader-election/options.ts';
import { LeadershipLost } from '../leader-election/tenure.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Phase, Runnable } from '../manager/runnable.ts';
import { decideMoves } from './decide.ts';
import { GROUP_LABEL, rangeLease, replicaLease, replicaPrefix } from './layout.ts';
import { LeaseBook } from './lease-book.ts';
import type { ShardObserver } from './observer.ts';
import { rangesOf, type ShardRange } from './range.ts';

/** The right to work on a range. */
export interface RangeTenure {
  readonly range: ShardRange;
  /** For the client of the work: writes pass only while the lease of the range is held. */
  readonly fence: Fence;
  /** Aborts when the work has to end, which may take the time that it needs. */
  readonly stop: AbortSignal;
  /** Aborts when nothing may be finished any more. */
  readonly lost: AbortSignal;
}

export interface ShardsOptions {
  readonly shards: number;
  /** The operator's name, the namespace of its leases, and how they are held. */
  readonly election: Omit<ElectionOptions, 'shared' | 'labels' | 'seen'>;
  readonly client: LeaseClient & Pick<Client, 'delete'>;
  /** The leases of ranges and replicas: those with the label of this group in the operator's namespace. */
  readonly leases: Pick<Informer<Lease>, 'onChange' | 'synced' | 'run'>;
  /** Works on a range until `stop` aborts and everything has ended, or until `lost` aborts. */
  readonly work: (tenure: RangeTenure) => Promise<void>;
  readonly observer?: ShardObserver;
}

/** The attempt to hold a range, from campaigning for its lease until it is given away. */
interface Run {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  /** False while it campaigns. */
  isHeld: boolean;
}

/** A lease that cannot be deleted runs out: nothing waits for longer than this. */
const DELETE_TIMEOUT_MS = 2_000;

export class Shards implements Runnable {
  readonly name = 'shards';
  readonly phase: Phase = 'leader';
  readonly identity: string;
  readonly #options: ShardsOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #ranges: readonly ShardRange[];
  readonly #book = new LeaseBook();
  readonly #runs = new Map<number, Run>();
  /** Leases that are being deleted. */
  readonly #forgetting = new Set<string>();
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(options: ShardsOptions) {
    this.#options = options;
    const { clock = monotonicClock, log = silentLogger, identity = newIdentity() } = options.election;
    this.#clock = clock;
    this.#log = log;
    this.identity = identity;
    this.#ranges = rangesOf(options.shards);
    options.observer?.split?.(options.shards);
    options.observer?.held?.(0);
  }

  /** The ranges whose leases this process holds. */
  get held(): readonly ShardRange[] {
    return this.#ranges.filter(({ index }) => this.#runs.get(index)?.isHeld);
  }

  async start(stop: AbortSignal, kill: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const watching = this.#watch(ended.signal);
    const leave = new AbortController();
    const takingPart = this.#takePart(leave.signal, kill);
    stop.addEventListener('abort', () => this.#wake(), { once: true });
    await Promise.race([this.#options.leases.synced, aborted(stop, ended.signal)]);
    await this.#othersToShowThemselves(stop);
    while (!stop.aborted && this.#failure === undefined) {
      this.#move(kill);
      await this.#somethingNew();
    }
    // First, so that the others know how much will be theirs.
    leave.abort();
    for (const run of this.#runs.values()) run.stop.abort();
    await Promise.all([...this.#runs.values()].map((run) => run.ended));
    await takingPart;
    ended.abort();
    await watching;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /**
   * Where no range has a holder, several replicas have probably started together. One that took all of them would give most away a
   * moment later, with everything that it had read for them.
   */
  async #othersToShowThemselves(stop: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    if (this.#ranges.some(({ index }) => this.#book.holderOf(this.#leaseOf(index), now) !== undefined)) return;
    const { retryMs } = resolveElection(this.#options.election);
    await sleep(this.#clock, retryMs, stop).catch(() => {}); // a stop ends the wait
  }

  #move(kill: AbortSignal): void {
    const now = this.#clock.now();
    const members = new Set([this.identity, ...this.#book.holders(replicaPrefix(this.#operator), now)]);
    const holders = this.#ranges.map(({ index }) => this.#book.holderOf(this.#leaseOf(index), now));
    for (const [index, run] of this.#runs) {
      const holder = holders[index];
      if (!run.isHeld && holder !== undefined && holder !== this.identity) run.stop.abort(); // another was quicker
    }
    const mine = [...this.#runs].flatMap(([index, run]) => (run.stop.signal.aborted ? [] : [index]));
    const { take, giveAway } = decideMoves({ self: this.identity, members, holders, mine: new Set(mine) });
    for (const index of giveAway) this.#runs.get(index)?.stop.abort();
    for (const index of take) {
      const range = this.#ranges[index];
      // A range that is being given away can be taken again when that is done.
      if (range !== undefined && !this.#runs.has(index)) this.#begin(range, kill);
    }
    if (take.length + giveAway.length > 0) this.#log.info('ranges move', { take, giveAway, replicas: members.size });
    this.#forgetAbandoned();
  }

  #begin(range: ShardRange, kill: AbortSignal): void {
    const lease = this.#leaseOf(range.index);
    const elector = new LeaderElector(this.#options.client, { ...this.#election(lease), seen: this.#book.seen(lease) });
    const stop = new AbortController();
    const lead = async (lost: AbortSignal): Promise<void> => {
      run.isHeld = true;
      this.#tellHeld();
      try {
        await this.#options.work({
          range,
          fence: elector.fence,
          stop: stop.signal,
          lost: AbortSignal.any([lost, kill]),
        });
      } catch (error) {
        elector.resign(error);
        throw error;
      }
    };
    const campaign = async (): Promise<void> => {
      try {
        await elector.run(stop.signal, lead);
      } catch (error) {
        if (error instanceof LeadershipLost) this.#log.warn('range lost', { range: range.index, error });
        else this.#failure ??= { error };
      } finally {
        this.#runs.delete(range.index);
        this.#tellHeld();
        this.#wake();
      }
    };
    // Begins in a later turn, when the run is known.
    const run: Run = { stop, isHeld: false, ended: Promise.resolve().then(campaign) };
    this.#runs.set(range.index, run);
  }

  #tellHeld(): void {
    this.#options.observer?.held?.(this.held.length);
  }

  get #operator(): string {
    return this.#options.election.name;
  }

  #leaseOf(index: number): string {
    return rangeLease(this.#operator, index, this.#options.shards);
  }

  #election(lease: string): ElectionOptions {
    const labels = { [GROUP_LABEL]: this.#operator };
    return { ...this.#options.election, name: lease, identity: this.identity, labels };
  }

  /** Shows the others that this replica is there, for as long as it is. */
  async #takePart(signal: AbortSignal, kill: AbortSignal): Promise<void> {
    const { client, election } = this.#options;
    const lease = replicaLease(this.#operator, randomUUID().slice(0, 8));
    while (!signal.aborted) {
      const elector = new LeaderElector(client, { ...this.#election(lease), observer: {} });
      // Lost when the API server cannot be reached for long: then it is shown anew.
      await elector
        .run(signal, (lost) => aborted(AbortSignal.any([signal, lost])))
        .catch((error) => this.#log.warn('absent for a while', { error }));
    }
    await this.#delete({ metadata: { namespace: election.namespace, name: lease } }, kill);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.#options.leases.onChange(({ type, object }) => {
      if (type === 'deleted') this.#book.isGone(object.metadata.name);
      else this.#book.saw(object, this.#clock.now());
      this.#wake();
    });
    await this.#options.leases.run(signal);
    unsubscribe();
  }

  /** Resolves when a lease has changed or run out, or when a run has ended. */
  async #somethingNew(): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    const now = this.#clock.now();
    const expiry = this.#book.nextExpiry(now);
    if (expiry === undefined) await aborted(woken.signal);
    // A wake ends the wait.
    else await sleep(this.#clock, msBetween(now, expiry), woken.signal).catch(() => {});
  }

  /**
   * Deletes leases that have run out. A replica that has just come would otherwise take their dead holders for alive until it had
   * watched them for as long as a lease lasts: it would leave ranges to them, and not take those that they held. One that was only
   * silent has stopped by now, and shows itself anew. The lease of a range is first left to the replica that takes it.
   */
  #forgetAbandoned(): void {
    const now = this.#clock.now();
    const ranges = new Map(this.#ranges.map(({ index }) => [this.#leaseOf(index), index]));
    const { retryMs } = resolveElection(this.#options.election);
    const untaken = this.#book.abandoned(now, 2 * retryMs).filter(({ metadata, spec }) => {
      const index = ranges.get(metadata.name);
      return index !== undefined && spec?.holderIdentity && !this.#runs.has(index);
    });
    const others = this.#book.abandoned(now, 0).filter(({ metadata }) => !ranges.has(metadata.name));
    for (const { metadata } of [...untaken, ...others]) {
      const { name } = metadata;
      if (this.#forgetting.has(name)) continue;
      this.#forgetting.add(name);
      void this.#delete({ metadata }).then(() => this.#forgetting.delete(name));
    }
  }

  /** Only as it was seen: a replica that shows itself again keeps its lease. */
  async #delete(
    { metadata }: { readonly metadata: Partial<Lease['metadata']> & { name: string } },
    signal?: AbortSignal,
  ): Promise<void> {
    const { uid, resourceVersion } = metadata;
    const precondition = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    const once = { attempts: 1, timeoutMs: DELETE_TIMEOUT_MS, ...(signal && { signal }) };
    try {
      await this.#options.client.delete(leases, metadata, { ...precondition, ...once });
    } catch (error) {
      if (!isApiError(error, 'NotFound', 'Conflict')) this.#log.debug('lease cannot be deleted yet', { error });
    }
  }
}
