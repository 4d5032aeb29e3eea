// The options of a leader election, with client-go's defaults, and the rules that prevent two leaders.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Clock, monotonicClock, type WallClock, wallClock } from '../clock.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { ObservedLease } from './decide.ts';

/** The Lease, who takes part, and how long a tenure lasts. */
export interface ElectionOptions {
  /** Where the Lease is; its name is also the election's name in metrics. */
  readonly namespace: string;
  readonly name: string;
  /** Unique to this process, unless the lease is `shared`. @default `<host name>_<random uuid>` */
  readonly identity?: string;
  /**
   * Every process with this identity holds the lease at the same time, and the last one leaves it to run out: a lock between
   * groups of processes. @default false
   */
  readonly shared?: boolean;
  /** Labels of the Lease. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** What has been seen of the lease before: the time that a dead holder's record still counts is not waited for again. */
  readonly seen?: ObservedLease | undefined;
  /** How long candidates wait for a leader that does not renew; whole seconds. @default 15_000 */
  readonly leaseMs?: number;
  /** A leader that has not renewed for this long gives up. @default 10_000 */
  readonly renewDeadlineMs?: number;
  /** The delay between two attempts, for the leader and for candidates. @default 2_000 */
  readonly retryMs?: number;
  readonly log?: Logger;
  readonly observer?: ElectionObserver;
  readonly clock?: Clock;
  /** The time of day, for the record and to check durations: the monotonic clock may stop while the machine sleeps. */
  readonly wallNow?: WallClock;
  /** In [0, 1): spreads the tries of candidates. */
  readonly random?: () => number;
}

/** Observes an election, for metrics. */
export interface ElectionObserver {
  leading?(name: string, leading: boolean): void;
  /** A renewal could not simply overwrite the record of the last one. */
  slowPath?(name: string): void;
}

/** Candidates retry up to this share of `retryMs` earlier, so that they do not all retry together. */
const JITTER = 0.25;

export interface ElectionSettings extends Required<ElectionOptions> {
  /** A candidate's wait before its next try. */
  readonly pauseMs: () => number;
}

/** Unique to a process, and names its host, which for a pod is its name. */
export function newIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}

/** Fills in defaults; refuses values that could cause two leaders. */
export function resolveElection(options: ElectionOptions): ElectionSettings {
  const settings = {
    identity: newIdentity(),
    shared: false,
    labels: {},
    seen: undefined,
    leaseMs: 15_000,
    renewDeadlineMs: 10_000,
    retryMs: 2_000,
    log: silentLogger,
    observer: {},
    clock: monotonicClock,
    wallNow: wallClock,
    random: Math.random,
    ...options,
  };
  const { leaseMs, renewDeadlineMs, retryMs, identity } = settings;
  const times = `lease ${leaseMs} ms, renew deadline ${renewDeadlineMs} ms, retry ${retryMs} ms`;
  if (identity === '') throw new Error('leader election needs an identity, got an empty one');
  if (leaseMs < 1_000 || leaseMs % 1_000 !== 0) throw new Error(`lease must be whole seconds: ${times}`);
  if (renewDeadlineMs >= leaseMs) throw new Error(`renew deadline must be shorter than the lease: ${times}`);
  if (retryMs <= 0 || retryMs >= renewDeadlineMs) throw new Error(`retry must be shorter than the deadline: ${times}`);
  return { ...settings, pauseMs: () => retryMs * (1 - JITTER * settings.random()) };
}
