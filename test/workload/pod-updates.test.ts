// Changes of pods in place on their way to the API server: conditions, refusals, and answers that are lost.

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OwnerWrites } from '../../src/runtime/consistency/owner-writes.ts';
import { WriteTracker } from '../../src/runtime/consistency/write-tracker.ts';
import { ApiError, type ApiFailure } from '../../src/runtime/errors.ts';
import type { Action } from '../../src/workload/action.ts';
import { updatePods } from '../../src/workload/pod-updates.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { boxContext } from './box-context.ts';

const update: Extract<Action, { do: 'updatePod' }> = {
  do: 'updatePod',
  name: 'box-1',
  uid: 'u1',
  resourceVersion: '7',
  revision: 'box-h2',
  because: 'b',
  patches: [
    { body: { metadata: { labels: { a: 'b' } }, spec: { containers: [] } } },
    { subresource: 'resize', body: { spec: { containers: [] } } },
  ],
};

let writes: OwnerWrites;
let sent: unknown[];
let failing: ApiFailure | undefined;

beforeEach(() => {
  writes = new WriteTracker({ clock: new FakeClock(), lastSynced: () => '1000' }).of({
    key: 'default/box',
    uid: 'box-uid',
  });
  sent = [];
  failing = undefined;
});

function run() {
  const client = {
    patch: async (_: unknown, ref: unknown, { body }: { body: object }, { subresource }: { subresource?: string }) => {
      sent.push({ ref, body, subresource });
      if (failing !== undefined) throw new ApiError(failing, failing, { status: { message: `${failing}, it says` } });
      return { metadata: { resourceVersion: String(7 + sent.length) } };
    },
  };
  return updatePods(boxContext(client, { writes }), [update]);
}

describe('a change of a pod in place', () => {
  it('names the pod and the version that it is for, and the next patch the version of the one before', async () => {
    expect(await run()).toEqual([]);
    const ref = { namespace: 'default', name: 'box-1' };
    expect(sent).toEqual([
      { ref, body: { metadata: { labels: { a: 'b' }, uid: 'u1', resourceVersion: '7' }, spec: { containers: [] } } },
      { ref, body: { metadata: { uid: 'u1', resourceVersion: '8' }, spec: { containers: [] } }, subresource: 'resize' },
    ]);
    expect(writes.unconfirmed).toEqual([]);
  });

  it('is left to the next plan when the pod has changed, after a look at what is there', async () => {
    failing = 'Conflict';
    expect(await run()).toEqual([]);
    expect(sent).toHaveLength(1);
    expect(writes.wasOutdated()).toBe(true);
    expect(writes.unconfirmed).toMatchObject([{ write: 'update', name: 'box-1' }]);
  });

  it('is over when the pod is gone', async () => {
    failing = 'NotFound';
    expect(await run()).toEqual([]);
    expect([sent.length, writes.unconfirmed, writes.wasOutdated()]).toEqual([1, [], false]);
  });

  it.each<{ reason: ApiFailure; isRemembered: boolean; isUnsure: boolean }>([
    { reason: 'Invalid', isRemembered: true, isUnsure: false },
    { reason: 'BadRequest', isRemembered: true, isUnsure: false },
    { reason: 'Forbidden', isRemembered: false, isUnsure: false },
    { reason: 'Timeout', isRemembered: false, isUnsure: true },
    { reason: 'Connection', isRemembered: false, isUnsure: true },
  ])('fails as $reason', async ({ reason, isRemembered, isUnsure }) => {
    failing = reason;
    const [failure, ...others] = await run();
    expect(others).toEqual([]);
    expect(failure).toMatchObject({ reason: 'FailedUpdate', revision: 'box-h2', message: `${reason}, it says` });
    expect(failure?.error === undefined).toBe(isRemembered);
    expect(writes.refusals.has('u1')).toBe(isRemembered);
    expect(writes.unconfirmed).toHaveLength(Number(isUnsure));
  });
});
