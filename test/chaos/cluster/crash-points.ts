// Kills the real operator (kill -9) just before or just after one of its writes reaches the API server, starts another,
// and holds what follows to every promise: one run for each write of each scenario, in a namespace of its own.

import type { Lane } from './lane.ts';
import { quiet } from './quiet.ts';
import type { Scenario } from './scenario.ts';
import { type Fate, namespaceOf } from './write-proxy.ts';

export interface CrashPoint {
  readonly scenario: Scenario;
  /** Counted from 1, from the moment at which the scenario begins to act. */
  readonly write: number;
  readonly moment: 'before' | 'after';
}

export interface CrashRun {
  /** False when the scenario was done before it had made so many writes. */
  readonly crashed: boolean;
  /** Promises that were broken. */
  readonly broken: readonly string[];
}

/** Every point of a scenario in turn, until it has no more writes. */
export async function* crashPoints(
  lane: Lane,
  scenario: Scenario,
): AsyncGenerator<{ readonly point: CrashPoint; readonly run: CrashRun }, void, void> {
  for (let write = 1; ; write++) {
    for (const moment of ['before', 'after'] as const) {
      const point = { scenario, write, moment };
      const run = await crashAt(lane, point);
      if (run.crashed || run.broken.length > 0) yield { point, run };
      // How many writes there are depends on the pace of things by one or two: what was not reached now may be next time.
      if (!run.crashed && moment === 'before') return;
    }
  }
}

/** Runs a scenario with a crash at this point, and judges it. */
export async function crashAt(lane: Lane, { scenario, write, moment }: CrashPoint): Promise<CrashRun> {
  const namespace = await lane.enter();
  const play = await scenario.open({ client: lane.cluster.client, namespace });
  const broken: string[] = [];
  let crashed = false;
  try {
    await play.prepare();
    const dead = killAt(lane, write, moment).then(() => {
      crashed = true;
    });
    await play.act();
    // Nothing more is written when all is done, so there is no further crash point.
    const done = play.rest().then(() => (crashed ? undefined : quiet(lane)));
    await Promise.race([dead, done]);
    lane.proxy.judge = () => 'pass';
    await lane.ensure();
    await done;
    await play.rest();
    await play.afterwards();
    await quiet(lane);
  } catch (error) {
    broken.push(error instanceof Error ? error.message : String(error));
  } finally {
    lane.proxy.judge = () => 'pass';
    broken.push(...(await play.close()));
  }
  // What all namespaces share wakes up the run before, too.
  const late = scenario.alone ? 0 : lane.lateWrites;
  if (late > 0) broken.push(`${late} writes about the run before this one, which was at rest`);
  return { crashed, broken };
}

/** Resolves when the operator is dead. */
function killAt(lane: Lane, nth: number, moment: CrashPoint['moment']): Promise<void> {
  const { proxy, namespace } = lane;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const kill = (): void => void lane.killAll().then(resolve, reject);
  let seen = 0;
  proxy.onLost = kill;
  proxy.judge = ({ path }): Fate => {
    if (namespaceOf(path) !== namespace) return 'pass';
    seen += 1;
    if (seen < nth) return 'pass';
    if (seen > nth) return 'swallow';
    if (moment === 'after') return 'lose';
    kill();
    return 'swallow';
  };
  return promise;
}
