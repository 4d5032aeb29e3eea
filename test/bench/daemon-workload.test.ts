import { describe, expect, it } from '@jest/globals';
import { isDaemonReported } from './daemon-workload.ts';

const metadata = { name: 'daemon', uid: '1', resourceVersion: '1', generation: 2 };
const complete = { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 };

describe('isDaemonReported', () => {
  it.each([
    { what: 'a native status', status: complete, expected: true },
    {
      what: 'a status of ours',
      status: { ...complete, numberAvailable: undefined, availableReplicas: 3 },
      expected: true,
    },
    { what: 'no status', status: undefined, expected: false },
    { what: 'an older generation', status: { ...complete, observedGeneration: 1 }, expected: false },
    { what: 'an old pod', status: { ...complete, updatedNumberScheduled: 2 }, expected: false },
    { what: 'an unavailable pod', status: { ...complete, numberAvailable: 2 }, expected: false },
    { what: 'no node yet', status: { observedGeneration: 2 }, expected: false },
  ])('is $expected for $what', ({ status, expected }) => {
    expect(isDaemonReported({ metadata, ...(status && { status }) } as Parameters<typeof isDaemonReported>[0])).toBe(
      expected,
    );
  });
});
