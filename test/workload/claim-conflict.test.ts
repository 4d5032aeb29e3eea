// A claim that meets a conflict: perhaps the object was replaced, perhaps it only changes too fast for the API server, and
// nothing else may ever wake the owner. So it has to try again.

import { expect, it } from '@jest/globals';
import type { Client } from '../../src/runtime/client/client.ts';
import { WriteTracker } from '../../src/runtime/consistency/write-tracker.ts';
import { ApiError, type ApiFailure } from '../../src/runtime/errors.ts';
import { executeClaims } from '../../src/workload/claim-writes.ts';
import type { WriteContext } from '../../src/workload/write-context.ts';
import { FakeClock } from '../support/fake-clock.ts';

const metadata = { name: 'box', namespace: 'default', uid: 'box-uid', resourceVersion: '1' };
const owner = { apiVersion: 'example.com/v1', kind: 'Box', metadata };
const identity = { key: 'default/box', uid: 'box-uid' };

it.each<{ claim: 'adoptPod' | 'releasePod'; failure: ApiFailure; triesAgain: boolean }>([
  { claim: 'adoptPod', failure: 'Conflict', triesAgain: true },
  { claim: 'adoptPod', failure: 'NotFound', triesAgain: false },
  { claim: 'releasePod', failure: 'Conflict', triesAgain: true },
  { claim: 'releasePod', failure: 'NotFound', triesAgain: false },
])('$claim that meets $failure is tried again: $triesAgain', async ({ claim, failure, triesAgain }) => {
  const client = { get: async () => owner, patch: () => Promise.reject(new ApiError(failure, failure)) };
  const writes = new WriteTracker({ clock: new FakeClock(), lastSynced: () => undefined }).of(identity);
  const context = { owner, namespace: 'default', client: client as unknown as Client, writes } as WriteContext;
  await executeClaims(context, [{ do: claim, name: 'a', uid: 'u' }]);
  expect(writes.wasOutdated()).toBe(triesAgain);
});
