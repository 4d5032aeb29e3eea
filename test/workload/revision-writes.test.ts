// Recording a revision when the answer gets lost: what is there is ours, and nobody records it a second time.

import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../src/runtime/client/client.ts';
import { ApiError, type ApiFailure } from '../../src/runtime/errors.ts';
import { OwnWrites } from '../../src/workload/own-writes.ts';
import { buildRevision, type ControllerRevision } from '../../src/workload/revision.ts';
import { createRevision } from '../../src/workload/revision-writes.ts';
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
  const own = new OwnWrites({ clock: new FakeClock(), lastSynced: () => '6' });
  const identity = { key: 'default/box', uid: 'box-uid' };
  const client = {
    create: () => Promise.reject(new ApiError(failure, failure)),
    get: async () => stored ?? Promise.reject(new ApiError('NotFound', 'NotFound')),
  };
  const context = { owner, identity, namespace: 'default', client: client as unknown as Client, own } as WriteContext;
  const created = await createRevision(context, { do: 'createRevision', manifest }).catch((error: unknown) =>
    String(error),
  );
  return { created, isBehind: own.behindUntil(identity) !== undefined };
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
