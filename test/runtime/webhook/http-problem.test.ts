import { expect, it } from '@jest/globals';
import { HttpProblem } from '../../../src/runtime/webhook/http-problem.ts';

it('a problem says what it is', () => {
  expect(new HttpProblem(400, 'no body')).toMatchObject({ name: 'HttpProblem', status: 400, message: 'no body' });
});
