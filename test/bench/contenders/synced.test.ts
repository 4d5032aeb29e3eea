import { describe, expect, it } from '@jest/globals';
import { nativeSyncedAt, ourSyncedAt } from './synced.ts';

describe('nativeSyncedAt', () => {
  const log = [
    'I1115 23:59:59.000001   21372 shared_informer.go:409] "Caches are synced"',
    'I1116 10:56:20.281754   24039 shared_informer.go:409] "Caches are synced"',
    'I1116 10:56:20.998242   24039 shared_informer.go:409] "Caches are synced" controller="ReplicaSet"',
    'I1116 10:56:30.000000   24039 replica_set.go:7] "Too few replicas"',
  ].join('\n');

  it('is when the last controller of the last process had synced', () => {
    expect(nativeSyncedAt(log, 2026)).toBe(Date.UTC(2026, 10, 16, 10, 56, 20, 998));
  });

  it('is unknown before', () => {
    expect(nativeSyncedAt('I1116 10:56:20.281754   24039 shared_informer.go:402] "Waiting for caches to sync"')).toBe(
      undefined,
    );
  });
});

describe('ourSyncedAt', () => {
  const line = (ts: string, msg: string) => JSON.stringify({ level: 'info', ts, msg, controller: 'mydeployment' });

  it('is when the last controller of the last process had synced', () => {
    const log = [
      line('2026-11-16T10:53:36.498Z', 'sources have synced, workers start'),
      line('2026-11-16T10:54:36.775Z', 'sources have synced, workers start'),
      line('2026-11-16T10:54:37.000Z', 'planned'),
    ].join('\n');
    expect(ourSyncedAt(log)).toBe(Date.UTC(2026, 10, 16, 10, 54, 36, 775));
  });

  it('is unknown before', () => {
    expect(ourSyncedAt(line('2026-11-16T10:54:37.000Z', 'waiting for leadership'))).toBe(undefined);
  });
});
