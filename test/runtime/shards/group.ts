// A group of replicas that share ranges, on a clock that a test turns: each is a process that can freeze, wake, die, stop, lose
// requests and see nothing new. On every range that it holds it does what an operator does: it reads everything, then writes again
// and again, and takes its time to end. Every write is judged.

import { aborted } from '../../../src/runtime/abort.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { LeaderElector } from '../../../src/runtime/leader-election/elector.ts';
import { groupIdentity } from '../../../src/runtime/shards/layout.ts';
import { containsNamespace } from '../../../src/runtime/shards/range.ts';
import { type RangeTenure, Shards } from '../../../src/runtime/shards/shards.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { ProcessClock } from '../leader-election/process-clock.ts';
import { type Fault, LeaseStore } from './lease-store.ts';

/**
 * Enough that every range of up to eight has some. The names differ at their beginning: those that differ at their end only have
 * hashes near each other.
 */
export const NAMESPACES = Array.from({ length: 48 }, (_, index) => `${index}-team`);

const TIMES = { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 500 };
const READ_MS = 200;
const WRITE_EVERY_MS = 150;
const DRAIN_MS = 350;

/** What is broken on purpose, to show that the judge sees it. */
export type Defect = 'none' | 'no fence' | 'no group lease' | 'a gap between ranges' | 'plans before fresh';

export class Group {
  readonly clock = new FakeClock();
  readonly store = new LeaseStore(this.clock);
  /** The work on ranges fails from now on. */
  worksNoMore = false;
  readonly violations: string[] = [];
  readonly replicas: Replica[] = [];
  readonly #world = new Map<string, { tenure: string; count: number }>();
  readonly #pastTenures = new Map<string, Set<string>>();

  constructor(readonly defect: Defect = 'none') {
    this.store.fault = (who, lease) => this.#named(who)?.faultOf(lease) ?? 'none';
    this.store.isBlind = (who) => this.#named(who)?.isBlind ?? false;
  }

  #named(who: string): Replica | undefined {
    return this.replicas.find(({ name }) => name === who);
  }

  join(shards: number): Replica {
    const replica = new Replica(this, `r${this.replicas.length}`, shards);
    this.replicas.push(replica);
    return replica;
  }

  async advance(ms: number): Promise<void> {
    // In small steps: an event of a watch arrives between timers.
    for (let left = ms; left > 0; left -= 50) {
      await this.clock.advance(Math.min(50, left));
      await settle();
    }
  }

  /** How many writes there were in a namespace. */
  countOf(namespace: string): number {
    return this.#world.get(namespace)?.count ?? 0;
  }

  /** Judges a write: `knows` is what the writer has read. */
  write(namespace: string, tenure: string, knows: number): number {
    const { tenure: last, count } = this.#world.get(namespace) ?? { tenure: '', count: 0 };
    const past = this.#pastTenures.get(namespace) ?? new Set();
    this.#pastTenures.set(namespace, past);
    if (last !== tenure) {
      if (past.has(tenure)) this.violations.push(`two holders: ${tenure} still writes ${namespace} after ${last}`);
      past.add(last);
    }
    if (knows < count)
      this.violations.push(`${tenure} plans before it is fresh: ${namespace} at ${knows}, not ${count}`);
    this.#world.set(namespace, { tenure, count: count + 1 });
    return count + 1;
  }

  /** The namespaces that nobody writes in the next seconds. */
  async neglected(): Promise<string[]> {
    const before = new Map(NAMESPACES.map((each) => [each, this.countOf(each)]));
    await this.advance(2_000);
    return NAMESPACES.filter((each) => this.countOf(each) === before.get(each));
  }
}

export class Replica {
  readonly clock: ProcessClock;
  readonly shards: Shards;
  fault: Fault = 'none';
  /** Only the lease by which it shows itself cannot be written. */
  isShownNoMore = false;
  isBlind = false;
  outcome: unknown = 'running';
  readonly #stop = new AbortController();
  readonly #group: Group;
  #tenures = 0;
  #alive = true;

  constructor(
    group: Group,
    readonly name: string,
    count: number,
  ) {
    this.#group = group;
    this.clock = new ProcessClock(group.clock);
    const skewMs = group.replicas.length * 1_000_000;
    const election = {
      ...TIMES,
      namespace: 'system',
      name: 'web',
      identity: name,
      clock: this.clock,
      wallNow: () => group.clock.wallNow() + skewMs,
      random: () => 0.5,
    };
    const client = group.store.clientOf(name);
    const member = new LeaderElector(client, { ...election, identity: groupIdentity(count), shared: true });
    this.shards = new Shards({
      shards: count,
      election,
      client,
      leases: group.store.informerOf(name),
      work: (tenure) => this.#work(tenure, member),
    });
    const takePart = async (lost: AbortSignal): Promise<void> => {
      await this.shards.start(AbortSignal.any([this.#stop.signal, lost]), lost);
      lost.throwIfAborted();
    };
    const running =
      group.defect === 'no group lease'
        ? takePart(new AbortController().signal)
        : member.run(this.#stop.signal, takePart);
    running.then(
      () => (this.outcome = 'stopped'),
      (error) => (this.outcome = error),
    );
  }

  get held(): number[] {
    return this.outcome === 'running' ? this.shards.held.map(({ index }) => index) : [];
  }

  faultOf(lease: string): Fault {
    return this.isShownNoMore && lease.includes('-replica-') ? 'refuse' : this.fault;
  }

  get isAlive(): boolean {
    return this.#alive && this.outcome === 'running';
  }

  stop(): void {
    this.#stop.abort();
  }

  kill(): void {
    this.#alive = false;
    this.clock.freeze();
    this.isBlind = true;
  }

  freeze(): void {
    this.clock.freeze();
    this.isBlind = true;
  }

  thaw(lastFirst: boolean): void {
    if (!this.#alive) return;
    this.isBlind = false;
    this.clock.thaw(lastFirst);
    this.#group.store.deliver();
  }

  async #work({ range, fence, stop, lost }: RangeTenure, member: LeaderElector): Promise<void> {
    const tenure = `${this.name}/${range.index}#${++this.#tenures}`;
    const { defect } = this.#group;
    const covered = defect === 'a gap between ranges' ? { ...range, end: range.end - 2n ** 60n } : range;
    const mine = NAMESPACES.filter((each) => containsNamespace(covered, each));
    const known = new Map<string, number>();
    const read = (): void => {
      for (const each of mine) known.set(each, this.#group.countOf(each));
    };
    if (defect === 'plans before fresh') for (const each of mine) known.set(each, 0);
    await sleep(this.clock, READ_MS, lost).catch(() => {});
    if (defect !== 'plans before fresh') read();
    const writeAll = (): void => {
      if (this.#group.worksNoMore) throw new Error('disk full');
      try {
        if (defect !== 'no fence') fence.gate?.();
        if (defect !== 'no fence' && defect !== 'no group lease') member.fence.gate?.();
      } catch {
        return; // the fence is closed: nothing leaves
      }
      for (const each of mine) known.set(each, this.#group.write(each, tenure, known.get(each) ?? 0));
    };
    while (!stop.aborted && !lost.aborted) {
      writeAll();
      await Promise.race([sleep(this.clock, WRITE_EVERY_MS), aborted(stop), aborted(lost)]);
    }
    // What has begun goes on for a while, and writes once more.
    await sleep(this.clock, DRAIN_MS, lost).catch(() => {});
    writeAll();
    lost.throwIfAborted();
  }
}
