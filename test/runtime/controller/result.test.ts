import { describe, expect, it } from '@jest/globals';
import { checkAgainAfter, checkAgainAt, TerminalError } from '../../../src/runtime/controller/result.ts';

describe('results', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('cannot name %d as a time', (time) => {
    expect(() => checkAgainAt(time)).toThrow(`cannot check again at ${time}`);
    expect(() => checkAgainAfter(time)).toThrow(`cannot check again after ${time}`);
  });

  it('keeps the cause of a terminal error', () => {
    const cause = new Error('why');
    expect(new TerminalError('no use', { cause })).toMatchObject({ name: 'TerminalError', message: 'no use', cause });
  });
});
