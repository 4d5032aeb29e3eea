import { describe, expect, it } from '@jest/globals';
import { type GateResult, gateVerdict } from '../../src/policy/gates.ts';
import type { RolloutPolicy } from '../../src/policy/types.gen.ts';

const SINCE = Date.UTC(2026, 0, 1, 12);
const step = { replicas: 1, gates: ['errors', 'smoke'] };
const place = { number: 3, step: 2, since: SINCE };

const passed = (name: string, change: Partial<GateResult> = {}): GateResult => {
  return { name, number: 3, step: 2, state: 'Passed', message: 'good', measuredAt: '2026-01-01T12:00:30Z', ...change };
};

const verdict = (gates: readonly GateResult[], of: typeof place | Omit<typeof place, 'since'> = place) =>
  gateVerdict({ status: { gates } } as RolloutPolicy, step, of);

describe('the gates of a step', () => {
  const smoke = passed('smoke');
  const notMeasured = { is: 'pending', message: 'gate "errors": not measured yet' };

  it.each<{ name: string; errors: Partial<GateResult>; expected: object }>([
    { name: 'pass together', errors: {}, expected: { is: 'passed' } },
    {
      name: 'count from the second in which the clock began',
      errors: { measuredAt: '2026-01-01T12:00:00Z' },
      expected: { is: 'passed' },
    },
    {
      name: 'fail with one of them',
      errors: { state: 'Failed', message: 'bad' },
      expected: { is: 'failed', message: 'gate "errors": bad' },
    },
    {
      name: 'wait for each',
      errors: { state: 'NoData', message: 'none' },
      expected: { is: 'pending', message: 'gate "errors": none' },
    },
    {
      name: 'wait when one is in error',
      errors: { state: 'Error', message: 'gone' },
      expected: { is: 'pending', message: 'gate "errors": gone' },
    },
    { name: 'do not count for another attempt', errors: { number: 2 }, expected: notMeasured },
    { name: 'do not count for another step', errors: { step: 1 }, expected: notMeasured },
    {
      name: 'do not count for an earlier stay in the step',
      errors: { measuredAt: '2026-01-01T11:59:59Z' },
      expected: notMeasured,
    },
    { name: 'do not count without a time at all', errors: { measuredAt: undefined as never }, expected: notMeasured },
    { name: 'do not count without a time', errors: { measuredAt: '' }, expected: notMeasured },
  ])('$name', ({ errors, expected }) => {
    expect(verdict([passed('errors', errors), smoke])).toEqual(expected);
  });

  it('fail with the first that failed', () => {
    const failed = (name: string) => passed(name, { state: 'Failed', message: `${name} is bad` });
    expect(verdict([failed('smoke'), failed('errors')])).toEqual({
      is: 'failed',
      message: 'gate "errors": errors is bad',
    });
  });

  it('count from the second in which the clock began, which it may have begun in the middle of', () => {
    const at = { ...place, since: SINCE + 700 };
    expect(verdict([passed('errors', { measuredAt: '2026-01-01T12:00:00Z' }), smoke], at)).toEqual({ is: 'passed' });
  });

  it('are pending while the clock of the step does not run', () => {
    const { since: _, ...early } = place;
    expect(verdict([passed('errors'), smoke], early).is).toBe('pending');
  });

  it('do not fail by the failure of an earlier attempt', () => {
    expect(verdict([passed('errors', { state: 'Failed', number: 2 }), smoke]).is).toBe('pending');
  });
});
