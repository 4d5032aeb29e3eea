import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Gate, isFinal, judge, numberOf, type Outcome } from '../../../src/kinds/rollout-policy/gates/judge.ts';
import type { GateResult } from '../../../src/policy/gates.ts';
import { at, errorRate, NOW, result } from './fixture.ts';

const place = { number: 2, step: 1, since: NOW };
const value = (text: string): Outcome => ({ is: 'value', text });
const error: Outcome = { is: 'error', message: 'no answer' };
const blocked: Outcome = { is: 'blocked', message: 'no such server' };
const noData: Outcome = { is: 'noData', message: 'the query yields no data' };

const gate = (change: Partial<Gate> = {}, bounds: object = { max: '0.5' }): Gate => ({
  ...errorRate,
  ...change,
  prometheus: { query: 'q', ...bounds },
});

/** The result after these outcomes, one after the other. */
function resultOf(of: Gate, ...outcomes: readonly Outcome[]): GateResult | undefined {
  return outcomes.reduce<GateResult | undefined>(
    (so, outcome) => judge(of, so, outcome, { place, at: NOW }),
    undefined,
  );
}

describe('one measurement', () => {
  it.each<{ name: string; bounds: object; text: string; state: string; message: string }>([
    {
      name: 'at the maximum is good',
      bounds: { max: '0.5' },
      text: '0.5',
      state: 'Passed',
      message: '1 of 1 measurements were good, the last value is 0.5',
    },
    {
      name: 'above the maximum fails',
      bounds: { max: '0.5' },
      text: '0.51',
      state: 'Failed',
      message: '0.51 is above the maximum 0.5',
    },
    {
      name: 'at the minimum is good',
      bounds: { min: '-1' },
      text: '-1',
      state: 'Passed',
      message: '1 of 1 measurements were good, the last value is -1',
    },
    {
      name: 'below the minimum fails',
      bounds: { min: '-1' },
      text: '-1.5',
      state: 'Failed',
      message: '-1.5 is below the minimum -1',
    },
    {
      name: 'between both is good',
      bounds: { min: '1', max: '2e2' },
      text: '1.5e2',
      state: 'Passed',
      message: '1 of 1 measurements were good, the last value is 1.5e2',
    },
    {
      name: 'of infinity is above every maximum',
      bounds: { max: '1e300' },
      text: '+Inf',
      state: 'Failed',
      message: '+Inf is above the maximum 1e300',
    },
    {
      name: 'of infinity is good without a maximum',
      bounds: { min: '0' },
      text: '+Inf',
      state: 'Passed',
      message: '1 of 1 measurements were good, the last value is +Inf',
    },
    {
      name: 'of minus infinity is below every minimum',
      bounds: { min: '-1e300' },
      text: '-Inf',
      state: 'Failed',
      message: '-Inf is below the minimum -1e300',
    },
  ])('$name', ({ bounds, text, state, message }) => {
    expect(resultOf(gate({}, bounds), value(text))).toEqual({
      name: 'errors',
      number: 2,
      step: 1,
      state,
      ...(state === 'Passed' && { successes: 1 }),
      lastValue: text,
      values: [text],
      measuredAt: at(0),
      message,
    });
  });
});

describe('a gate', () => {
  const good = value('0.1');
  const bad = value('0.7');

  it.each<{ name: string; gate?: Partial<Gate>; outcomes: readonly Outcome[]; expected: Partial<GateResult> }>([
    {
      name: 'waits for as many successes as it asks for',
      gate: { count: 3 },
      outcomes: [good, good],
      expected: { state: 'Pending', successes: 2 },
    },
    {
      name: 'passes with the last of them',
      gate: { count: 3 },
      outcomes: [good, good, good],
      expected: { state: 'Passed', successes: 3 },
    },
    {
      name: 'fails at the first value out of bounds',
      gate: { count: 3 },
      outcomes: [good, good, bad],
      expected: { state: 'Failed', successes: 2 },
    },
    {
      name: 'holds without data',
      outcomes: [noData],
      expected: { state: 'NoData', message: 'the query yields no data' },
    },
    {
      name: 'goes on counting after data was missing',
      gate: { count: 2 },
      outcomes: [good, noData, good],
      expected: { state: 'Passed', successes: 2 },
    },
    {
      name: 'fails without data when that is asked for',
      gate: { onNoData: 'Fail' },
      outcomes: [noData],
      expected: { state: 'Failed' },
    },
    {
      name: 'stays pending after four errors',
      outcomes: [error, error, error, error],
      expected: { state: 'Pending', errors: 4, message: 'no answer (4 errors in a row)' },
    },
    {
      name: 'is in error after five',
      outcomes: [error, error, error, error, error],
      expected: { state: 'Error', errors: 5 },
    },
    {
      name: 'never fails by errors',
      outcomes: Array.from({ length: 50 }, () => error),
      expected: { state: 'Error', errors: 50 },
    },
    {
      name: 'forgets errors with a value',
      gate: { count: 2 },
      outcomes: [error, error, error, error, good],
      expected: { state: 'Pending', successes: 1 },
    },
    {
      name: 'recovers from state Error',
      outcomes: [error, error, error, error, error, good],
      expected: { state: 'Passed', successes: 1 },
    },
    {
      name: 'is in error at once when it is blocked',
      outcomes: [blocked],
      expected: { state: 'Error', errors: 1, message: 'no such server' },
    },
    {
      name: 'stays in error until it was measured',
      outcomes: [blocked, error],
      expected: { state: 'Error', errors: 2 },
    },
    {
      name: 'keeps its last values while data is missing',
      gate: { count: 2 },
      outcomes: [good, noData],
      expected: { state: 'NoData', successes: 1, lastValue: '0.1', values: ['0.1'] },
    },
    {
      name: 'waits for its Job',
      outcomes: [{ is: 'running', message: 'runs' }],
      expected: { state: 'Pending', message: 'runs' },
    },
    {
      name: 'waits for its Job again after an error',
      outcomes: [blocked, { is: 'running', message: 'runs' }],
      expected: { state: 'Pending', message: 'runs' },
    },
    {
      name: 'passes with its Job',
      outcomes: [{ is: 'succeeded', message: 'done' }],
      expected: { state: 'Passed', message: 'done' },
    },
    {
      name: 'fails with its Job',
      outcomes: [{ is: 'failed', message: 'bad' }],
      expected: { state: 'Failed', message: 'bad' },
    },
  ])('$name', ({ gate: change, outcomes, expected }) => {
    expect(resultOf(gate(change), ...outcomes)).toMatchObject(expected);
  });

  it('shows no errors any more once it was measured', () => {
    expect(resultOf(gate({ count: 2 }), error, good)).not.toHaveProperty('errors');
    expect(resultOf(gate(), error, noData)).not.toHaveProperty('errors');
  });

  it('keeps the last twenty values', () => {
    const outcomes = Array.from({ length: 25 }, (_, index) => value(`0.${10 + index}`));
    const { values = [] } = resultOf(gate({ count: 30 }), ...outcomes) ?? {};
    expect([values.length, values[0], values.at(-1)]).toEqual([20, '0.15', '0.34']);
  });

  const outcomes = fc.array(
    fc.oneof(
      fc.double({ min: -2, max: 2, noNaN: true }).map((number) => value(String(number))),
      fc.constantFrom(error, blocked, noData),
    ),
    { maxLength: 40 },
  );

  it('passes with enough good values and no bad one, and fails with the first bad one: nothing else counts', () => {
    fc.assert(
      fc.property(outcomes, fc.integer({ min: 1, max: 5 }), (all, count) => {
        const end = all.reduce<GateResult | undefined>(
          (so, outcome) => (isFinal(so) ? so : judge(gate({ count }), so, outcome, { place, at: NOW })),
          undefined,
        );
        const isBad = (text: string): boolean => Number(text) > 0.5;
        const values = all.flatMap((outcome) => (outcome.is === 'value' ? [outcome.text] : []));
        const firstBad = values.findIndex(isBad);
        const good = firstBad < 0 ? values.length : firstBad;
        expect(end?.state === 'Passed').toBe(good >= count);
        expect(end?.state === 'Failed').toBe(good < count && firstBad >= 0);
        expect(end?.successes ?? 0).toBe(Math.min(good, count));
      }),
    );
  });
});

it('a result is final when it passed or failed', () => {
  const states = ['Pending', 'NoData', 'Error', 'Passed', 'Failed'] as const;
  expect(states.filter((state) => isFinal(result({ state })))).toEqual(['Passed', 'Failed']);
  expect(isFinal(undefined)).toBe(false);
});

it.each([
  { text: '0', number: 0 },
  { text: '-1.5e-7', number: -1.5e-7 },
  { text: '1e+06', number: 1e6 },
  { text: '+Inf', number: Number.POSITIVE_INFINITY },
  { text: '-Inf', number: Number.NEGATIVE_INFINITY },
  { text: 'NaN', number: Number.NaN },
  { text: '', number: Number.NaN },
  { text: '0x10', number: Number.NaN },
  { text: '1 ', number: Number.NaN },
])('the number in "$text" is $number', ({ text, number }) => {
  expect(numberOf(text)).toBe(number);
});
