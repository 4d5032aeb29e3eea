// What writes for an owner called box need, around a client that a test makes.

import type { Client } from '../../src/runtime/client/client.ts';
import { WriteTracker } from '../../src/runtime/consistency/write-tracker.ts';
import { GrantedWrites } from '../../src/workload/slow-start.ts';
import type { WriteContext } from '../../src/workload/write-context.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** An owner of the kind Box. */
export function box(uid = 'box-uid', name = 'box'): WriteContext['owner'] {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Box',
    metadata: { name, namespace: 'default', uid, resourceVersion: '1' },
  };
}

/** A context in which nothing is cached and nothing has been written, unless said otherwise. */
export function boxContext(client: object, given: Partial<WriteContext> = {}): WriteContext {
  return {
    owner: box(),
    namespace: 'default',
    ownerResource: { group: 'example.com', version: 'v1', kind: 'Box', plural: 'boxes', namespaced: true },
    client: client as Client,
    pods: { get: () => undefined },
    writes: new WriteTracker({ clock: new FakeClock(), lastSynced: () => undefined }).of({
      key: 'default/box',
      uid: 'box-uid',
    }),
    granted: new GrantedWrites(),
    random: Math.random,
    signal: new AbortController().signal,
    ...given,
  };
}
