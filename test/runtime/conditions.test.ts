import { describe, expect, it } from '@jest/globals';
import {
  type Condition,
  type ConditionUpdate,
  findCondition,
  isConditionTrue,
  removeCondition,
  setCondition,
} from '../../src/runtime/conditions.ts';

const earlier = '2026-01-01T00:00:00Z';
const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const nowText = '2026-01-02T03:04:05Z';

const available: Condition = {
  type: 'Available',
  status: 'True',
  reason: 'MinimumReplicasAvailable',
  message: 'enough',
  lastTransitionTime: earlier,
  observedGeneration: 1,
};
const progressing: Condition = { ...available, type: 'Progressing', reason: 'NewRevision' };

function finding(changes: Partial<ConditionUpdate>): ConditionUpdate {
  const { lastTransitionTime: _, ...rest } = available;
  return { ...rest, ...changes };
}

describe('setCondition', () => {
  it.each([undefined, []])('adds a condition to %p, with the time of now in whole seconds', (conditions) => {
    expect(setCondition(conditions, finding({}), now)).toEqual([{ ...available, lastTransitionTime: nowText }]);
  });

  it('adds one of another type at the end', () => {
    const conditions = setCondition([available], finding({ type: 'Progressing' }), now);
    expect(conditions.map(({ type }) => type)).toEqual(['Available', 'Progressing']);
  });

  it.each([
    { name: 'status', changes: { status: 'False' }, transition: nowText },
    { name: 'reason', changes: { reason: 'Other' }, transition: earlier },
    { name: 'message', changes: { message: 'other' }, transition: earlier },
    { name: 'observedGeneration', changes: { observedGeneration: 2 }, transition: earlier },
  ] as const)('of which only the $name changed has its transition at $transition', ({ changes, transition }) => {
    const conditions = [progressing, available];
    expect(setCondition(conditions, finding(changes), now)).toEqual([
      progressing,
      { ...available, ...changes, lastTransitionTime: transition },
    ]);
    expect(conditions).toEqual([progressing, available]);
  });

  it('changes a status that had changed in the very same second', () => {
    const conditions = [available];
    expect(setCondition(conditions, finding({ status: 'False' }), Date.parse(earlier))).toEqual([
      { ...available, status: 'False' },
    ]);
  });

  it('gives the same list back when nothing changes', () => {
    const conditions = [available, progressing];
    expect(setCondition(conditions, finding({}), now)).toBe(conditions);
  });
});

describe('reading and removing', () => {
  it('finds a condition by its type', () => {
    expect(findCondition([progressing, available], 'Available')).toBe(available);
    expect(findCondition([progressing], 'Available')).toBeUndefined();
    expect(findCondition(undefined, 'Available')).toBeUndefined();
  });

  it.each([
    { status: 'True', expected: true },
    { status: 'False', expected: false },
    { status: 'Unknown', expected: false },
  ] as const)('takes $status for $expected', ({ status, expected }) => {
    expect(isConditionTrue([{ ...available, status }], 'Available')).toBe(expected);
  });

  it('takes a missing condition for not true', () => {
    expect(isConditionTrue(undefined, 'Available')).toBe(false);
  });

  it('removes one, and gives the same list back when there is none', () => {
    const conditions = [available, progressing];
    expect(removeCondition(conditions, 'Available')).toEqual([progressing]);
    expect(removeCondition(conditions, 'Failed')).toBe(conditions);
    expect(removeCondition(undefined, 'Available')).toBeUndefined();
  });
});
