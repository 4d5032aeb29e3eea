import { describe, expect, it } from '@jest/globals';
import {
  type DeploymentCondition,
  findCondition,
  removeCondition,
  renewDeploymentCondition,
  setDeploymentCondition,
  timestamp,
} from '../../src/runtime/conditions.ts';

const NOW = Date.UTC(2026, 0, 1, 0, 0, 7, 890);
const LATER = '2026-01-01T00:00:07Z';
const THEN = '2025-01-01T00:00:00Z';

const progressing: DeploymentCondition = {
  type: 'Progressing',
  status: 'False',
  reason: 'ForSomeReason',
  message: 'm',
  lastUpdateTime: THEN,
  lastTransitionTime: THEN,
};
const available: DeploymentCondition = {
  ...progressing,
  type: 'Available',
  status: 'True',
  reason: 'AwesomeController',
};
const say = ({ type, status }: DeploymentCondition, reason: string) => ({ type, status, reason, message: 'new' });

describe('deployment_util_test.go, replica_set_test.go TestGetCondition', () => {
  it.each([
    { type: 'Available', found: available },
    { type: 'ReplicaFailure', found: undefined },
  ])('$type', ({ type, found }) => {
    expect(findCondition([progressing, available], type)).toEqual(found);
  });
});

describe('deployment_util_test.go, replica_set_test.go TestSetCondition', () => {
  it('sets for the first time', () => {
    expect(setDeploymentCondition([], say(available, 'Why'), NOW)).toEqual([
      { ...say(available, 'Why'), lastUpdateTime: LATER, lastTransitionTime: LATER },
    ]);
  });

  it('adds to others', () => {
    const conditions = setDeploymentCondition([progressing], say(available, 'Why'), NOW);
    expect(conditions.map(({ type }) => type)).toEqual(['Progressing', 'Available']);
    expect(conditions[0]).toBe(progressing);
  });

  it('overwrites; the transition time moves with the status', () => {
    const conditions = setDeploymentCondition(
      [progressing],
      { ...say(progressing, 'BecauseItIs'), status: 'True' },
      NOW,
    );
    expect(conditions).toEqual([
      {
        type: 'Progressing',
        status: 'True',
        reason: 'BecauseItIs',
        message: 'new',
        lastUpdateTime: LATER,
        lastTransitionTime: LATER,
      },
    ]);
  });

  it('keeps the transition time when only the reason changes', () => {
    expect(setDeploymentCondition([progressing], say(progressing, 'Other'), NOW)).toEqual([
      { ...say(progressing, 'Other'), lastUpdateTime: LATER, lastTransitionTime: THEN },
    ]);
  });

  it('changes nothing for the same status and reason, whatever the message', () => {
    const conditions = [progressing, available];
    expect(setDeploymentCondition(conditions, say(progressing, 'ForSomeReason'), NOW)).toBe(conditions);
  });
});

describe('a renewed condition', () => {
  it('is said again now, but has been so since then', () => {
    expect(renewDeploymentCondition([progressing], say(progressing, 'ForSomeReason'), NOW)).toEqual([
      { ...say(progressing, 'ForSomeReason'), lastUpdateTime: LATER, lastTransitionTime: THEN },
    ]);
  });
});

describe('deployment_util_test.go, replica_set_test.go TestRemoveCondition', () => {
  it.each([
    { name: 'from nothing', conditions: [], type: 'Progressing', left: [] },
    { name: 'simple', conditions: [progressing], type: 'Progressing', left: [] },
    { name: 'not there', conditions: [progressing, available], type: 'X', left: [progressing, available] },
  ])('$name', ({ conditions, type, left }) => {
    expect(removeCondition(conditions, type)).toEqual(left);
  });

  it('returns the same list when there is nothing to remove', () => {
    const conditions = [progressing];
    expect(removeCondition(conditions, 'X')).toBe(conditions);
  });
});

describe('a timestamp', () => {
  it('has whole seconds and is in UTC', () => {
    expect(timestamp(NOW)).toBe('2026-01-01T00:00:07Z');
  });
});
