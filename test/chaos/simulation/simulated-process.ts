// A process of the operator as far as any process goes: a name, clocks of its own, and an end. It can be killed at any moment, and
// between any two of its writes.

import { type Lease, leases } from '../../../src/runtime/leader-election/lease.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import type { Sender, Surroundings } from './model-client.ts';
import { ProcessClock, type VirtualTime } from './virtual-time.ts';

/** For so long may a request be on its way when its sender is dead: shorter than any restart. */
const OUTLIVED_MS = 400;

interface Doom {
  /** Writes left to live. */
  left: number;
  readonly moment: 'before' | 'after';
  readonly onDeath: () => void;
}

export class SimulatedProcess implements Sender {
  readonly name: string;
  readonly clock: ProcessClock;
  readonly #time: VirtualTime;
  /** How many have reached the server; those of leases do not count. */
  writes = 0;
  #killedAt = Number.POSITIVE_INFINITY;
  #doom: Doom | undefined;

  constructor(name: string, { time }: Surroundings) {
    this.name = name;
    this.#time = time;
    this.clock = new ProcessClock(time);
  }

  get isAlive(): boolean {
    return !this.clock.isKilled;
  }

  /** As kill -9: nothing is finished, nothing is said. */
  kill(): void {
    if (this.isAlive) this.#killedAt = this.#time.now();
    this.clock.kill();
  }

  get isForgotten(): boolean {
    return this.#time.now() > this.#killedAt + OUTLIVED_MS;
  }

  /** Lets the process die around one of its next writes. */
  killAtWrite(writes: number, moment: 'before' | 'after', onDeath: () => void): void {
    this.#doom ??= { left: writes, moment, onDeath };
  }

  /** It lives on. */
  spare(): void {
    this.#doom = undefined;
  }

  diesAt(moment: 'before' | 'after', resource: Resource): boolean {
    if (isLease(resource)) return false;
    if (moment === 'before') this.writes += 1;
    const doom = this.#doom;
    if (doom === undefined || moment !== doom.moment || !this.isAlive) return false;
    doom.left -= 1;
    if (doom.left > 0) return false;
    this.kill();
    doom.onDeath();
    return true;
  }
}

export function isLease(resource: Resource): resource is Resource<Lease> {
  return resource.plural === leases.plural;
}
