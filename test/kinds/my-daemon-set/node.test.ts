import { describe, expect, it } from '@jest/globals';
import { nodeMatters } from '../../../src/kinds/my-daemon-set/node.ts';
import { node } from './fixture.ts';

describe('a change of a node', () => {
  const heartbeat = { ...node('n'), metadata: { ...node('n').metadata, resourceVersion: '2' } };
  it.each([
    { name: 'it came', change: { type: 'added', object: node('n') } as const, matters: true },
    { name: 'it went', change: { type: 'deleted', object: node('n') } as const, matters: true },
    {
      name: 'it says that it lives',
      change: { type: 'updated', old: node('n'), object: heartbeat } as const,
      matters: false,
    },
    {
      name: 'it was tainted',
      change: { type: 'updated', old: node('n'), object: node('n', 'NoSchedule') } as const,
      matters: true,
    },
    {
      name: 'its taint got worse',
      change: { type: 'updated', old: node('n', 'NoSchedule'), object: node('n', 'NoExecute') } as const,
      matters: true,
    },
  ])('$name: $matters', ({ change, matters }) => {
    expect(nodeMatters({ ...change, initial: false })).toBe(matters);
  });
});
