import { expect, it } from '@jest/globals';
import { AnswerTooLong, ApiError } from '../../src/runtime/errors.ts';

it('an error of the API keeps what caused it, and has no cause when nothing did', () => {
  const cause = new Error('socket hang up');
  expect(new ApiError('Connection', 'get pods', { cause })).toHaveProperty('cause', cause);
  expect('cause' in new ApiError('NotFound', 'get pods')).toBe(false);
});

it('an answer that is too long says so, by name and in words', () => {
  expect(String(new AnswerTooLong(5))).toBe('AnswerTooLong: the answer has more than 5 bytes');
});
