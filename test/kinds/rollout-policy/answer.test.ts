import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readAnswer } from '../../../src/kinds/rollout-policy/prometheus/answer.ts';

const success = (resultType: string, result: unknown): string =>
  JSON.stringify({ status: 'success', data: { resultType, result } });
const sample = (value: unknown) => ({ metric: { pod: 'a' }, value: [1_700_000_000.1, value] });
const error = (message: string) => ({ is: 'error', message });

describe('an answer of Prometheus', () => {
  it.each<{ name: string; status?: number; body: string; outcome: object }>([
    { name: 'with one sample', body: success('vector', [sample('0.25')]), outcome: { is: 'value', text: '0.25' } },
    { name: 'with a scalar', body: success('scalar', [1, '3']), outcome: { is: 'value', text: '3' } },
    { name: 'with +Inf', body: success('vector', [sample('+Inf')]), outcome: { is: 'value', text: '+Inf' } },
    { name: 'with -Inf', body: success('scalar', [1, '-Inf']), outcome: { is: 'value', text: '-Inf' } },
    {
      name: 'with NaN',
      body: success('vector', [sample('NaN')]),
      outcome: { is: 'noData', message: 'the query yields NaN' },
    },
    {
      name: 'with nothing',
      body: success('vector', []),
      outcome: { is: 'noData', message: 'the query yields no data' },
    },
    {
      name: 'with two samples',
      body: success('vector', [sample('1'), sample('2')]),
      outcome: error('the query yields 2 samples, not one: aggregate them'),
    },
    {
      name: 'with a range',
      body: success('matrix', []),
      outcome: error('the query yields a matrix, not one sample or a scalar'),
    },
    {
      name: 'with a string',
      body: success('string', [1, 'x']),
      outcome: error('the query yields a string, not one sample or a scalar'),
    },
    {
      name: 'with a histogram',
      body: success('vector', [{ metric: {}, histogram: [1, {}] }]),
      outcome: error('the query yields a histogram, not a number'),
    },
    {
      name: 'with a word',
      body: success('vector', [sample('much')]),
      outcome: error('the server answers with something that is no number'),
    },
    {
      name: 'with a number that is no text',
      body: success('vector', [sample(1)]),
      outcome: error('the server answers with something that is no number'),
    },
    {
      name: 'with an endless number',
      body: success('vector', [sample('1'.repeat(33))]),
      outcome: error('the server answers with something that is no number'),
    },
    {
      name: 'with the longest number',
      body: success('vector', [sample('1'.repeat(32))]),
      outcome: { is: 'value', text: '1'.repeat(32) },
    },
    {
      name: 'with an error',
      status: 400,
      body: JSON.stringify({ status: 'error', errorType: 'bad_data', error: 'parse error: unexpected end' }),
      outcome: error('the server refuses the query (HTTP 400): bad_data: parse error: unexpected end'),
    },
    {
      name: 'that succeeds and fails at once',
      status: 503,
      body: success('vector', [sample('1')]),
      outcome: error('the server refuses the query (HTTP 503): the answer is not one of Prometheus'),
    },
    {
      name: 'of a broken server',
      status: 500,
      body: 'oops',
      outcome: error('the server refuses the query (HTTP 500): the answer is not one of Prometheus'),
    },
    {
      name: 'that redirects',
      status: 302,
      body: '',
      outcome: error('the server redirects (HTTP 302), which is not followed'),
    },
    {
      name: 'that offers a choice',
      status: 300,
      body: '',
      outcome: error('the server redirects (HTTP 300), which is not followed'),
    },
    {
      name: 'that is a page',
      body: '<html>',
      outcome: error('the server refuses the query (HTTP 200): the answer is not one of Prometheus'),
    },
    {
      name: 'that is null',
      body: 'null',
      outcome: error('the server refuses the query (HTTP 200): the answer is not one of Prometheus'),
    },
    {
      name: 'without data',
      body: '{"status":"success"}',
      outcome: error('the query yields a result without a type, not one sample or a scalar'),
    },
  ])('$name', ({ status = 200, body, outcome }) => {
    expect(readAnswer(status, body)).toEqual(outcome);
  });

  it('quotes little of a long error', () => {
    const body = JSON.stringify({ status: 'error', errorType: 'x', error: 'e'.repeat(50_000) });
    const { message = '' } = readAnswer(422, body) as { message?: string };
    const [, words = ''] = message.split('the server refuses the query (HTTP 422): ');
    expect(Buffer.byteLength(words)).toBe(256);
  });

  it('may be anything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (data, result) => {
        for (const resultType of ['vector', 'scalar', 'matrix']) {
          for (const answer of [
            data,
            { status: 'success', data },
            { status: 'success', data: { resultType, result } },
          ]) {
            const outcome = readAnswer(200, JSON.stringify(answer));
            expect(['value', 'noData', 'error']).toContain(outcome.is);
          }
        }
      }),
    );
  });
});
