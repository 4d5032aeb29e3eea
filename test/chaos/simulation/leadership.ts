// The operator of a simulated cluster without shards: one that leads, perhaps with a warm standby that takes over when it dies, and for
// a moment a second leader when it was deposed and does not know it yet.

import type { Chance } from './chance.ts';
import type { Surroundings } from './model-client.ts';
import { OperatorProcess } from './operator-process.ts';
import type { Effects } from './people.ts';
import { SHORTEST_RESTART_MS, type Staff } from './staff.ts';

export interface LeadershipProps {
  readonly around: Surroundings;
  readonly chance: Chance;
  readonly onBroken: (what: string) => void;
  /** The names of those that were deposed are added to this. */
  readonly deposed: Set<string>;
  readonly excuses: { overlapped: boolean };
  /** By then the leader that is left has seen everything. */
  readonly forgivenAfterMs: number;
}

export class Leadership implements Staff {
  readonly unrest = undefined;
  readonly #props: LeadershipProps;
  readonly #processes: OperatorProcess[] = [];
  #operator: OperatorProcess;
  #standby: OperatorProcess | undefined;
  #forgivenAt = 0;
  #wallAheadMs = 0;

  constructor(props: LeadershipProps) {
    this.#props = props;
    this.#operator = this.#elect();
  }

  readonly deeds: Effects<'crash' | 'crashAtWrite' | 'depose' | 'standBy'> = {
    crash: ({ downMs }) => {
      this.#operator.kill();
      this.#restartLater(downMs);
    },
    crashAtWrite: ({ writes, moment, downMs }) =>
      this.#operator.killAtWrite(writes, moment, () => this.#restartLater(downMs)),
    depose: ({ overlapMs }) => this.#depose(overlapMs),
    standBy: () => {
      this.#standby ??= this.#start();
    },
  };

  get writes(): number {
    return this.#processes.reduce((sum, { writes }) => sum + writes, 0);
  }

  get remembered(): number {
    return this.#operator.remembered();
  }

  heal(): void {
    this.#operator.spare();
    this.#restartLater(SHORTEST_RESTART_MS);
  }

  setWallClock(aheadMs: number): void {
    this.#wallAheadMs = aheadMs;
    for (const { clock } of this.#processes) clock.setWall(aheadMs);
  }

  /** A standby leads, with a cache of any age; without one, a process that has just started. */
  #elect(): OperatorProcess {
    const elected = this.#standby ?? this.#start();
    this.#standby = undefined;
    elected.lead();
    return elected;
  }

  #start(): OperatorProcess {
    const { around, chance, onBroken } = this.#props;
    const started = new OperatorProcess(`operator-${this.#processes.length + 1}`, around, chance, onBroken);
    started.clock.setWall(this.#wallAheadMs);
    this.#processes.push(started);
    return started;
  }

  #restartLater(downMs: number): void {
    this.#props.around.time.after(downMs, () => {
      if (this.#operator.isAlive) return;
      if (this.#operator.isForgotten) this.#operator = this.#elect();
      else this.#restartLater(SHORTEST_RESTART_MS);
    });
  }

  #depose(overlapMs: number): void {
    const former = this.#operator;
    if (!former.isAlive) return;
    const { around, deposed, excuses, forgivenAfterMs } = this.#props;
    const { time } = around;
    deposed.add(former.name);
    excuses.overlapped = true;
    this.#operator = this.#elect();
    time.after(overlapMs, () => former.kill());
    const forgivenAt = time.now() + overlapMs + forgivenAfterMs;
    this.#forgivenAt = Math.max(this.#forgivenAt, forgivenAt);
    // Another one may be deposed meanwhile.
    time.after(forgivenAt - time.now(), () => {
      if (time.now() >= this.#forgivenAt) excuses.overlapped = false;
    });
  }
}
