import { describe, expect, it } from '@jest/globals';
import {
  COMPLETED,
  PROMOTIONS,
  promotionsAnnotation,
  REJECTED,
  readAttempt,
  rejectionAnnotation,
  STEP,
  stepAnnotation,
} from '../../src/policy/attempt.ts';

const AT = Date.UTC(2026, 0, 1, 12);
const time = '2026-01-01T12:00:00Z';
const step = { number: 2, policy: 'uid', steps: 'abc', step: 1, stable: 'web-1', beganAt: AT, since: AT };
const rejection = { number: 2, policy: 'uid', stable: 'web-1', reason: 'Aborted', message: 'by ann', at: AT } as const;
const nothing = { completed: undefined, step: undefined, rejected: undefined, promotions: [] };

it('records have names of their own', () => {
  const prefix = 'mydeployment.kubebuilder.zq.com';
  expect([COMPLETED, STEP, REJECTED, PROMOTIONS]).toEqual([
    `${prefix}/completed`,
    `${prefix}/step`,
    `${prefix}/rejected`,
    `${prefix}/promotions`,
  ]);
});

it('what is recorded can be read again', () => {
  const promotions = [{ number: 2, step: 1, by: 'ann' }];
  const annotations = {
    [COMPLETED]: '1',
    ...stepAnnotation({ ...step, promoted: true }),
    ...rejectionAnnotation({ ...rejection, by: 'ann' }),
    ...promotionsAnnotation(promotions),
  };
  expect(readAttempt(annotations)).toEqual({
    completed: 1,
    step: { ...step, promoted: true },
    rejected: { ...rejection, by: 'ann' },
    promotions,
  });
  expect(readAttempt()).toEqual(nothing);
});

it('no more than the last fifty promotions are recorded', () => {
  const all = Array.from({ length: 60 }, (_, index) => ({ number: index + 1, step: 1 }));
  expect(readAttempt(promotionsAnnotation(all)).promotions).toEqual(all.slice(10));
});

describe('a record that somebody has edited counts as none', () => {
  it.each(['', '0', '-1', '1.5', 'x', '9007199254740993'])('completed: "%s"', (text) => {
    expect(readAttempt({ [COMPLETED]: text })).toEqual(nothing);
  });

  const stored = { ...step, beganAt: time, since: time };

  it.each<{ name: string; change: object }>([
    { name: 'a number that is none', change: { number: '2' } },
    { name: 'number 0', change: { number: 0 } },
    { name: 'half a number', change: { number: 1.5 } },
    { name: 'no policy', change: { policy: '' } },
    { name: 'steps that are no text', change: { steps: 1 } },
    { name: 'a step below 1', change: { step: -1 } },
    { name: 'a beginning that is no time', change: { beganAt: 'then' } },
    { name: 'no beginning', change: { beganAt: undefined } },
  ])('a step with $name', ({ change }) => {
    expect(readAttempt({ [STEP]: JSON.stringify({ ...stored, ...change }) })).toEqual(nothing);
  });

  it.each<{ name: string; change: object; read: object }>([
    { name: 'a stable revision without a name', change: { stable: '' }, read: { stable: undefined } },
    { name: 'a clock that is no time', change: { since: 'soon' }, read: { since: undefined } },
    { name: 'a promotion that is only a word', change: { promoted: 'yes' }, read: {} },
  ])('in a step: $name', ({ change, read }) => {
    const { step: found } = readAttempt({ [STEP]: JSON.stringify({ ...stored, ...change }) });
    expect(found).toEqual({ ...step, ...read });
    expect(Object.values(found ?? {})).not.toContain(undefined);
  });

  it.each<{ name: string; text: string }>([
    { name: 'no JSON', text: '{' },
    { name: 'null', text: 'null' },
    { name: 'a list', text: '[]' },
    { name: 'a number', text: '1' },
  ])('$name', ({ text }) => {
    expect(readAttempt({ [STEP]: text, [REJECTED]: text, [PROMOTIONS]: text })).toEqual(nothing);
  });

  const rejected = { ...rejection, at: time };

  it.each<{ name: string; change: object }>([
    { name: 'no stable revision', change: { stable: '' } },
    { name: 'another reason', change: { reason: 'Mood' } },
    { name: 'no time', change: { at: 0 } },
    { name: 'a negative number', change: { number: -2 } },
    { name: 'no policy', change: { policy: 1 } },
  ])('a rejection with $name', ({ change }) => {
    expect(readAttempt({ [REJECTED]: JSON.stringify({ ...rejected, ...change }) })).toEqual(nothing);
  });

  it('a rejection keeps its reason without a message, and without a name', () => {
    const { message: _, ...rest } = rejected;
    const { rejected: read } = readAttempt({ [REJECTED]: JSON.stringify({ ...rest, by: '' }) });
    expect(read).toEqual({ ...rejection, message: '' });
    expect(read).not.toHaveProperty('by');
  });

  it('promotions that cannot be read are left out', () => {
    const good = { number: 2, step: 1 };
    const all = [null, 'x', { number: 0, step: 1 }, { number: 2 }, good, { ...good, by: '' }];
    const { promotions } = readAttempt({ [PROMOTIONS]: JSON.stringify(all) });
    expect(promotions).toEqual([good, good]);
    expect(promotions[1]).not.toHaveProperty('by');
  });
});
