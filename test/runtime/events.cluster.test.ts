import { describe, expect, it } from '@jest/globals';
import { configMaps } from '../../src/runtime/built-in.ts';
import { type CoreEvent, coreEvents, type Typed } from '../../src/runtime/events/event.ts';
import { EventBroadcaster } from '../../src/runtime/events.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import { useSharedCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

const cluster = await useSharedCluster();
const namespace = await cluster.namespace();

/** Runs a broadcaster for as long as `work` takes; what was recorded has been written when this returns. */
async function broadcast(work: (events: EventBroadcaster) => void | Promise<void>): Promise<void> {
  const reporter = { component: 'test-controller', instance: 'test-0' };
  const events = new EventBroadcaster({ client: cluster.client, reporter });
  const stop = new AbortController();
  const running = events.start(stop.signal);
  await work(events);
  stop.abort();
  await running;
}

async function subject(name: string): Promise<Typed> {
  const object: KubeObject = await cluster.client.create(configMaps, { metadata: { namespace, name } });
  return { ...object, apiVersion: 'v1', kind: 'ConfigMap' };
}

async function stored(about: Typed): Promise<readonly CoreEvent[]> {
  const fieldSelector = `involvedObject.uid=${about.metadata.uid}`;
  return (await cluster.client.list(coreEvents, { namespace, fieldSelector })).items;
}

describe('EventBroadcaster, on a real API server', () => {
  it('writes events that kubectl describe shows, with their count', async () => {
    const about = await subject('described');
    await broadcast(async (events) => {
      events.record(about, { type: 'Warning', reason: 'FailedCreate', message: 'no quota left' });
      await eventually(async () => expect(await stored(about)).toHaveLength(1));
      events.record(about, { type: 'Warning', reason: 'FailedCreate', message: 'no quota left' });
    });
    expect(await stored(about)).toMatchObject([{ count: 2, reason: 'FailedCreate', message: 'no quota left' }]);
    const { stdout } = await cluster.kubectl(['describe', 'configmap', 'described', '-n', namespace]);
    expect(stdout).toMatch(/Warning\s+FailedCreate\s+.*\(x2 over .*\)\s+test-controller\s+no quota left/);
  });

  it('creates an event anew that has expired', async () => {
    const about = await subject('expired');
    await broadcast(async (events) => {
      events.record(about, { type: 'Normal', reason: 'Scaled', message: 'to 3' });
      const [first] = await eventually(async () => {
        const found = await stored(about);
        expect(found).toHaveLength(1);
        return found;
      });
      if (first !== undefined) await cluster.client.delete(coreEvents, first.metadata);
      events.record(about, { type: 'Normal', reason: 'Scaled', message: 'to 3' });
    });
    expect(await stored(about)).toMatchObject([{ count: 2 }]);
  });
});
