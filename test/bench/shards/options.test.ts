import { describe, expect, it } from '@jest/globals';
import { parseTasks } from './options.ts';

describe('the tasks of the benchmark of shards', () => {
  it('are one word each', () => {
    expect(parseTasks(['native:10000', 'ours:50000:1,2,4:off'])).toEqual([
      { contender: 'native', pods: 10_000, processes: [1], gate: 'on' },
      { contender: 'ours', pods: 50_000, processes: [1, 2, 4], gate: 'off' },
    ]);
  });

  it('may be none: then what there is is reported', () => {
    expect(parseTasks([])).toEqual([]);
  });

  it.each([
    ['theirs:10', 'a task is of native or ours, got "theirs:10"'],
    ['ours', '--pods: must be a whole number from 1, got ""'],
    ['ours:many', '--pods: must be a whole number from 1, got "many"'],
    ['ours:10:0', '--processes: must be a whole number from 1, got "0"'],
    ['ours:10:1:half', 'the gate is on or off, got "ours:10:1:half"'],
    ['native:10:2', 'native is one process, got "native:10:2"'],
    ['ours:10:1:on:5', 'a task has four parts at most, got "ours:10:1:on:5"'],
  ])('are refused like %s', (word, says) => {
    expect(() => parseTasks([word])).toThrow(says);
  });
});
