import { expect, it } from '@jest/globals';
import { readStatus, statusOf } from '../../../src/runtime/client/status.ts';

const details = { name: 'web', group: 'apps', kind: 'Deployment', uid: 'web-uid', retryAfterSeconds: 3 };
const full = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no', details };
const answer = (body: unknown, status = 500) => ({
  status,
  headers: {},
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

it.each([
  { name: 'a Status, whole', body: full, status: full },
  { name: 'a Status without details', body: { kind: 'Status', code: 409 }, status: { kind: 'Status', code: 409 } },
  { name: 'a Status without a code', body: { kind: 'Status' }, status: { kind: 'Status', code: 500 } },
  {
    name: 'another object',
    body: { kind: 'Pod', code: 409 },
    status: { kind: 'Status', code: 500, message: '{"kind":"Pod","code":409}' },
  },
  { name: 'a list', body: [1], status: { kind: 'Status', code: 500, message: '[1]' } },
  { name: 'plain text', body: ' panic\n', status: { kind: 'Status', code: 500, message: 'panic' } },
])('reads what an answer says: $name', ({ body, status }) => {
  expect(statusOf(answer(body))).toEqual(status);
});

it.each([
  { name: 'nothing', value: undefined, status: { kind: 'Status' } },
  { name: 'a text', value: 'no', status: { kind: 'Status' } },
  { name: 'details that are a list', value: { details: [1] }, status: { kind: 'Status' } },
  {
    name: 'a delay that is no number',
    value: { details: { retryAfterSeconds: '3' } },
    status: { kind: 'Status', details: {} },
  },
])('keeps only what has the form of a Status: $name', ({ value, status }) => {
  expect(readStatus(value)).toEqual(status);
});

it.each([
  { causes: 128, kept: 128, last: { message: '127' } },
  { causes: 129, kept: 129, last: { message: '1 more causes' } },
  { causes: 130, kept: 129, last: { message: '2 more causes' } },
])('of $causes causes keeps $kept', ({ causes, kept, last }) => {
  const all = Array.from({ length: causes }, (_, index) => ({ message: `${index}` }));
  const read = readStatus({ details: { causes: all } }).details?.causes;
  expect(read).toHaveLength(kept);
  expect(read?.at(-1)).toEqual(last);
});
