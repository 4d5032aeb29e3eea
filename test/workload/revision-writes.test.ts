// Recording a revision when the answer gets lost: what is there is ours, and nobody records it a second time.

import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../src/runtime/client/client.ts';
import { confirmWrites } from '../../src/runtime/consistency/confirm.ts';
import { WriteTracker } from '../../src/runtime/consistency/write-tracker.ts';
import { ApiError, type ApiFailure } from '../../src/runtime/errors.ts';
import { buildRevision, type ControllerRevision } from '../../src/workload/revision.ts';
import { createRevision, updateRevision } from '../../src/workload/revision-writes.ts';
import type { WriteContext } from '../../src/workload/write-context.ts';
import { FakeClock } from '../support/fake-clock.ts';

const owner = {
  apiVersion: 'example.com/v1',
  kind: 'Box',
  metadata: { name: 'box', namespace: 'default', uid: 'box-uid', resourceVersion: '1' },
};
const template = { metadata: { labels: { app: 'box' } }, spec: { containers: [] } };
const manifest = buildRevision(owner, { template, number: 1, collisionCount: 0, annotations: {} });

/** Tries to create the revision; the create meets `failure`, a look afterwards finds `stored`. */
async function create(failure: ApiFailure, stored: ControllerRevision | undefined) {
  const identity = { key: 'default/box', uid: 'box-uid' };
  const writes = new WriteTracker({ clock: new FakeClock(), lastSynced: () => '6' }).of(identity);
  const client = {
    create: () => Promise.reject(new ApiError(failure, failure)),
    get: async () => stored ?? Promise.reject(new ApiError('NotFound', 'NotFound')),
  };
  const context = { owner, namespace: 'default', client: client as unknown as Client, writes } as WriteContext;
  const created = await createRevision(context, { do: 'createRevision', manifest }).catch((error: unknown) =>
    String(error),
  );
  return { created, isBehind: writes.behindUntil() !== undefined };
}

const stored = {
  ...manifest,
  metadata: { ...manifest.metadata, uid: 'u', resourceVersion: '7' },
} as ControllerRevision;

describe('a revision whose create got no answer', () => {
  it.each<ApiFailure>(['Connection', 'Timeout', 'ServerError'])(
    'is there, and the cache is waited for: %s',
    async (why) => {
      expect(await create(why, stored)).toEqual({ created: true, isBehind: true });
    },
  );

  it('is not there: the failure is reported', async () => {
    expect(await create('Connection', undefined)).toEqual({ created: 'ApiError: Connection', isBehind: false });
  });

  it('was refused: nobody looks for it', async () => {
    expect(await create('Forbidden', stored)).toEqual({ created: 'ApiError: Forbidden', isBehind: false });
  });
});

describe('a revision whose update failed', () => {
  const identity = { key: 'default/box', uid: 'box-uid' };

  /** An update that meets `failure`; looks afterwards meet `looks`, one after the other. */
  async function update(failure: ApiFailure, looks: readonly (ControllerRevision | ApiFailure)[]) {
    const tracker = new WriteTracker({ clock: new FakeClock(), lastSynced: () => '6' });
    const writes = tracker.of(identity);
    const left = [...looks];
    const look = (found = left.shift()) =>
      typeof found === 'object' ? Promise.resolve(found) : Promise.reject(new ApiError(found ?? 'NotFound', 'no'));
    const client = { patch: () => Promise.reject(new ApiError(failure, failure)), get: () => look() };
    const context = { owner, namespace: 'default', client: client as unknown as Client, writes } as WriteContext;
    const action = { name: 'box-1', uid: 'u', resourceVersion: '5', annotations: {} };
    await expect(updateRevision(context, { do: 'updateRevision', ...action })).rejects.toThrow(failure);
    return { tracker, writes, confirm: () => confirmWrites(context) };
  }

  // A conflict or a refusal may be the answer to a second attempt, after the first one's was lost.
  it.each<ApiFailure>(['Connection', 'Conflict', 'Unauthorized'])(
    'is unconfirmed until somebody looks, then the cache is waited for: %s',
    async (why) => {
      const { writes, confirm } = await update(why, [stored]);
      expect(writes.unconfirmed).toHaveLength(1);
      await confirm();
      expect(writes.unconfirmed).toEqual([]);
      expect(writes.behindUntil()).toBeDefined();
    },
  );

  it('stays unconfirmed while nobody can look', async () => {
    const { writes, confirm } = await update('Connection', ['Connection', 'NotFound']);
    await expect(confirm()).rejects.toThrow();
    expect(writes.unconfirmed).toHaveLength(1);
    await confirm();
    expect(writes.unconfirmed).toEqual([]);
    expect(writes.behindUntil()).toBeUndefined();
  });

  it('is forgotten with its owner', async () => {
    const { tracker, writes } = await update('Conflict', []);
    tracker.forget(identity.key);
    expect(writes.unconfirmed).toEqual([]);
  });
});
