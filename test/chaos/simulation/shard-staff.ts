// The operators of a simulated cluster that share its namespaces: they join, leave, stand still and die, and those that end by
// themselves are started again. In the end every range must be in one living hand, and the hands must be full alike.

import { leases } from '../../../src/runtime/leader-election/lease.ts';
import { rangeLease } from '../../../src/runtime/shards/layout.ts';
import type { Chance } from './chance.ts';
import type { Surroundings } from './model-client.ts';
import type { Effects } from './people.ts';
import { rangeIndexOf } from './selection.ts';
import { OPERATOR, ShardProcess, SYSTEM } from './shard-process.ts';
import type { Sharing, Who } from './shard-schedule.ts';
import { SHORTEST_RESTART_MS, type Staff, type StaffAct } from './staff.ts';

const NAMESPACE = 'default';
const MOST = 4;

export interface ShardStaffProps {
  readonly around: Surroundings;
  readonly chance: Chance;
  readonly onBroken: (what: string) => void;
  readonly sharing: Sharing;
}

export class ShardStaff implements Staff {
  readonly #props: ShardStaffProps;
  readonly #processes: ShardProcess[] = [];
  #wallAheadMs = 0;

  constructor(props: ShardStaffProps) {
    this.#props = props;
    props.around.network.filtersShards = props.chance.happens(0.5);
    for (let left = props.sharing.operators; left > 0; left--) this.#start();
  }

  readonly deeds: Effects<Exclude<StaffAct, 'depose' | 'standBy'>> = {
    crash: ({ downMs }) => {
      this.#who({ holds: true })?.kill();
      this.#startLater(downMs);
    },
    crashAtWrite: ({ writes, moment, downMs }) =>
      this.#who({ holds: true })?.killAtWrite(writes, moment, () => this.#startLater(downMs)),
    join: () => this.#startLater(0),
    leave: ({ who }) => this.#who(who)?.stop(),
    freeze: ({ who, forMs }) => {
      const process = this.#who(who);
      process?.clock.freeze();
      this.#props.around.time.after(forMs, () => process?.clock.thaw());
    },
    restartServer: ({ filtersShards, downMs }) => {
      const { network } = this.#props.around;
      network.filtersShards = filtersShards;
      network.goDown(downMs);
    },
  };

  get writes(): number {
    return this.#processes.reduce((sum, { writes }) => sum + writes, 0);
  }

  get remembered(): number {
    return Math.max(0, ...this.#living.map(({ remembered }) => remembered));
  }

  get unrest(): string | undefined {
    const { shards } = this.#props.sharing;
    const holders = Array.from({ length: shards }, (_, index) => this.#holderOf(rangeLease(OPERATOR, index, shards)));
    const names = this.#living.map(({ name }) => name);
    const others = holders.filter((holder) => !names.includes(holder ?? ''));
    if (others.length > 0) return `${others.length} of ${shards} ranges are in no living hand`;
    const counts = names.map((name) => holders.filter((holder) => holder === name).length);
    if (Math.max(...counts) - Math.min(...counts) > 1) return `ranges are held unevenly: ${counts.join(', ')}`;
    return undefined;
  }

  heal(): void {
    for (const process of this.#processes) {
      process.clock.thaw();
      process.spare();
    }
    this.#startLater(SHORTEST_RESTART_MS);
  }

  setWallClock(aheadMs: number): void {
    this.#wallAheadMs = aheadMs;
    for (const { clock } of this.#processes) clock.setWall(aheadMs);
  }

  get #living(): readonly ShardProcess[] {
    return this.#processes.filter(({ isAlive }) => isAlive);
  }

  #who(who: Who): ShardProcess | undefined {
    const living = this.#living;
    if ('pick' in who) return living[who.pick % Math.max(1, living.length)];
    const { shards } = this.#props.sharing;
    const holder = this.#holderOf(rangeLease(OPERATOR, rangeIndexOf(NAMESPACE, shards), shards));
    return living.find(({ name }) => name === holder);
  }

  #holderOf(lease: string): string | undefined {
    const { server } = this.#props.around;
    return server.find(leases, { namespace: SYSTEM, name: lease })?.spec?.holderIdentity;
  }

  #startLater(downMs: number): void {
    this.#props.around.time.after(downMs, () => {
      if (this.#living.length < MOST) this.#start();
    });
  }

  #start(): void {
    const { around, chance, onBroken, sharing } = this.#props;
    const process: ShardProcess = new ShardProcess({
      name: `operator-${this.#processes.length + 1}`,
      around,
      chance,
      shards: sharing.shards,
      onLate: onBroken,
      onEnd: () => this.#startLater(SHORTEST_RESTART_MS),
    });
    process.clock.setWall(this.#wallAheadMs);
    this.#processes.push(process);
  }
}
