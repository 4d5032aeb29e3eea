// Who plays when. Contenders take turns in every round and begin in another order each time, so that a machine that
// gets slower or faster favours none of them.

import type { ContenderName, Contenders } from './contenders/contender.ts';
import type { DaemonScenery } from './daemon-scenery.ts';
import { playLimit } from './limit-turn.ts';
import type { Sample } from './sample.ts';
import { playDaemonTurn, playTurn, type TurnProps } from './turn.ts';
import type { Work } from './work/work.ts';
import { worksOf } from './work/works.ts';

export interface RoundsProps extends Omit<TurnProps, 'round'> {
  readonly names: readonly ContenderName[];
  readonly contenders: ReadonlyMap<ContenderName, Contenders>;
  readonly works: readonly Work[];
  readonly daemonWorks: readonly Work<DaemonScenery>[];
  readonly rounds: number;
  readonly onTurn: (round: number, name: ContenderName) => void;
}

/** A fresh API server cuts watches in its first burst of pods, and is slower until its caches have grown. */
const WARM_UP = worksOf(['create', 'zero']);

/** Plays the warm-up, which is not reported, and then every round. */
export async function playRounds(props: RoundsProps): Promise<void> {
  await playRound({ ...props, works: WARM_UP, daemonWorks: [], onSample: () => {}, round: 0 });
  for (let round = 1; round <= props.rounds; round++) await playRound({ ...props, round });
}

/** The same names, beginning with another one each round. */
export function orderOf<T>(names: readonly T[], round: number): readonly T[] {
  const first = round % names.length;
  return [...names.slice(first), ...names.slice(0, first)];
}

async function playRound(props: RoundsProps & { readonly round: number }): Promise<void> {
  const { names, contenders, works, daemonWorks, round, onTurn } = props;
  for (const name of orderOf(names, round)) {
    onTurn(round, name);
    const contender = contenders.get(name);
    if (contender !== undefined) {
      if (works.length > 0) await playTurn(contender, works, props);
      if (daemonWorks.length > 0) await playDaemonTurn(contender, daemonWorks, props);
    } else if (works.some((work) => work.name === 'create')) {
      await playLimit(props);
    }
  }
}

/** One line a sample, to follow the run. */
export function progressLine({ round, contender, work, seconds, cpuSeconds, writes }: Sample): string {
  const facts = `${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of CPU, ${writes} writes`;
  return `round ${round}  ${contender.padEnd(6)}  ${work.padEnd(12)}  ${facts}`;
}
