import { describe, expect, it } from '@jest/globals';
import {
  checkAgain,
  checkAgainAfter,
  checkAgainAt,
  done,
  TerminalError,
} from '../../../src/runtime/controller/result.ts';

describe('results', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('cannot name %d as a time', (time) => {
    expect(() => checkAgainAt(time)).toThrow(`cannot check again at ${time}`);
    expect(() => checkAgainAfter(time)).toThrow(`cannot check again after ${time}`);
  });

  it.each([
    { name: 'neither', when: {}, result: done },
    { name: 'a date', when: { at: 1_500 }, result: checkAgainAt(1_500) },
    { name: 'a delay', when: { afterMs: 400 }, result: checkAgainAfter(400) },
    { name: 'a date before the delay is over', when: { at: 1_300, afterMs: 400 }, result: checkAgainAt(1_300) },
    { name: 'a date when the delay is over', when: { at: 1_400, afterMs: 400 }, result: checkAgainAt(1_400) },
    { name: 'a date after the delay is over', when: { at: 1_500, afterMs: 400 }, result: checkAgainAfter(400) },
  ])('come at whichever is first: $name', ({ when, result }) => {
    expect(checkAgain(when, 1_000)).toEqual(result);
  });

  it('keeps the cause of a terminal error', () => {
    const cause = new Error('why');
    expect(new TerminalError('no use', { cause })).toMatchObject({ name: 'TerminalError', message: 'no use', cause });
  });
});
