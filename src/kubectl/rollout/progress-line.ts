// The line that `rollout status` redraws on a terminal while a rollout runs.

import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import { formatDuration } from '../duration.ts';
import { bar, podShares } from '../get/bar.ts';
import type { Style } from '../terminal/style.ts';
import { cut } from '../terminal/text.ts';
import { stepHoldWords } from './rollout-state.ts';

const BAR_WIDTH = 30;

export interface Waiting {
  /** How long the command has been waiting, in milliseconds. */
  readonly since: number;
  readonly columns: number;
  readonly style: Style;
}

/** The bar, the counts and the time, no wider than the terminal. */
export function progressLine(object: MyDeployment, { since, columns, style }: Waiting): string {
  const { spec, status } = object;
  const hold = stepHoldWords(object);
  const { replicas: wanted = 1, paused = false } = spec;
  const { replicas = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status ?? {};
  const shares = podShares({ wanted, updated, available, old: Math.max(0, replicas - updated) });
  const counts = [
    `${updated} of ${wanted} updated`,
    `${available} available`,
    ...(replicas > updated ? [`${replicas - updated} old`] : []),
    ...(hold === undefined ? [] : [style.waiting(hold)]),
    ...(paused ? [style.waiting('paused')] : []),
  ];
  return cut(
    `${bar(shares, BAR_WIDTH, style)} ${counts.join(', ')}  ${style.faint(formatDuration(since))}`,
    columns - 1,
  );
}
