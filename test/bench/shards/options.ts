// What `npm run bench:shards` measures: one word for each cluster.

import { count } from '../options.ts';

export interface Task {
  readonly contender: 'native' | 'ours';
  readonly pods: number;
  /** The sizes of the crews that keep them, one after the other. */
  readonly processes: readonly number[];
  /** Whether the API server filters by shard. */
  readonly gate: 'on' | 'off';
}

export const USAGE = `usage: npm run bench:shards -- [TASK…]
  TASK   native:PODS, ours:PODS or ours:PODS:PROCESSES:GATE, for example ours:50000:1,2,4:on; GATE is on or off
  without a task, what was measured before is reported
`;

export function parseTasks(words: readonly string[]): readonly Task[] {
  return words.map((word) => {
    const [contender = '', pods = '', processes = '1', gate = 'on', ...rest] = word.split(':');
    if (contender !== 'native' && contender !== 'ours') throw new Error(`a task is of native or ours, got "${word}"`);
    if (gate !== 'on' && gate !== 'off') throw new Error(`the gate is on or off, got "${word}"`);
    if (rest.length > 0) throw new Error(`a task has four parts at most, got "${word}"`);
    const sizes = processes.split(',').map((size) => count('processes', size));
    if (contender === 'native' && sizes.join() !== '1') throw new Error(`native is one process, got "${word}"`);
    return { contender, pods: count('pods', pods), processes: sizes, gate };
  });
}
