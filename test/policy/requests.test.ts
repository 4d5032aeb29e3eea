import { expect, it } from '@jest/globals';
import { ABORT, formatRequest, PROMOTE, RETRY, readRequest, requestsOf } from '../../src/policy/requests.ts';
import type { RolloutPolicy } from '../../src/policy/types.gen.ts';

it('requests have the names that docs give them', () => {
  const prefix = 'rolloutpolicy.kubebuilder.zq.com';
  expect([PROMOTE, ABORT, RETRY]).toEqual([`${prefix}/promote`, `${prefix}/abort`, `${prefix}/retry`]);
});

it.each([{ number: 2 }, { number: 2, step: 1 }, { number: 12, step: 3, full: true as const, by: 'ann' }])(
  'a request can be read again: %j',
  (request) => {
    expect(readRequest(formatRequest(request))).toStrictEqual(request);
  },
);

it.each([
  '',
  '2',
  'null',
  '[]',
  '{}',
  '{"number":0}',
  '{"number":-1}',
  '{"number":1.5}',
  '{"number":"2"}',
  '{"number":2,"step":0}',
  '{"number":2,"step":"1"}',
  '{"number":2,"step":null}',
])('%s is no request', (text) => {
  expect(readRequest(text)).toBeUndefined();
});

it('what is not of a request is left out', () => {
  expect(readRequest('{"number":2,"full":"yes","by":1,"more":true}')).toStrictEqual({ number: 2 });
});

it('a policy has the requests that it is annotated with', () => {
  const annotations = { [PROMOTE]: '{"number":2,"step":1}', [RETRY]: '?', other: 'x' };
  const requests = requestsOf({ metadata: { annotations } } as unknown as RolloutPolicy);
  expect([...requests]).toEqual([
    [PROMOTE, { number: 2, step: 1 }],
    [RETRY, undefined],
  ]);
  expect(requestsOf({ metadata: {} } as RolloutPolicy).size).toBe(0);
});
