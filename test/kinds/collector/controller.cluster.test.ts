// Collectors on a real cluster: the operator runs as it is installed, with the rights of the shipped manifests, and what
// it counts is held against a watch of our own.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { totalOf } from '../../../src/kinds/collector/change-log.ts';
import { collectors } from '../../../src/kinds/collector/names.ts';
import { replicaSets, TARGETS, type TargetKind } from '../../../src/kinds/collector/targets.ts';
import type { Collector, CollectorStatus, CollectorStatusEvent } from '../../../src/kinds/collector/types.gen.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { isApiError } from '../../../src/runtime/errors.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { READY_AFTER } from '../../../src/testing/index.ts';
import { controllerRevisions, pods } from '../../../src/workload/write-context.ts';
import { AuditLog } from '../../bench/audit-log.ts';
import { useStage } from '../../e2e/stage.ts';
import { eventually } from '../../support/eventually.ts';
import { nth } from '../kind-scene.ts';
import { STEPS, Tour } from './tour.ts';

const stage = await useStage({
  name: 'collector',
  audit: true,
  operator: { flags: ['--kinds=collector,mydeployment'], webhooks: false },
});
const { client } = stage;
const audit = new AuditLog(join(stage.cluster.home, 'logs', 'audit.log'));
const OPERATOR = `system:serviceaccount:${INSTALLATION.namespace}:${INSTALLATION.serviceAccount}`;

/** Counts the events of one kind in a namespace as they come, until it is told to stop. */
class EventCount {
  readonly seen: CollectorStatusEvent;
  readonly #stop = new AbortController();
  readonly #following: Promise<unknown>;

  private constructor(resource: Resource, namespace: string, resourceVersion: string) {
    const seen = { kind: resource.kind, added: 0, modified: 0, deleted: 0 };
    const types = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;
    const { signal } = this.#stop;
    const follow = async (): Promise<void> => {
      for await (const { type } of client.watch(resource, { namespace, resourceVersion, signal })) {
        if (type !== 'BOOKMARK') seen[types[type]]++;
      }
    };
    this.seen = seen;
    this.#following = follow().catch((error: unknown) => error);
  }

  static async begin(resource: Resource, namespace: string): Promise<EventCount> {
    const { metadata } = await client.list(resource, { namespace });
    return new EventCount(resource, namespace, metadata.resourceVersion ?? '');
  }

  /** What was seen; throws if the watch ended before. */
  async end(): Promise<CollectorStatusEvent> {
    this.#stop.abort();
    const ending = await this.#following;
    if (!isApiError(ending, 'Aborted')) throw new Error('the watch has a hole', { cause: ending });
    return this.seen;
  }
}

async function read(namespace: string, name: string): Promise<CollectorStatus> {
  const { status } = await client.get(collectors, { namespace, name });
  return status ?? {};
}

/** A Collector that observes the Deployment "web" unless told otherwise. */
async function collect(namespace: string, spec: object = {}): Promise<void> {
  const target = { kind: 'Deployment', name: 'web' };
  const manifest = { metadata: { namespace, name: 'c' }, spec: { target, quietSeconds: 1, ...spec } };
  await client.create(collectors, manifest as unknown as Collector);
}

async function deploy(
  namespace: string,
  name: string,
  more: { replicas?: number; annotations?: object } = {},
): Promise<void> {
  const labels = { app: name };
  const template = {
    metadata: { labels, annotations: more.annotations },
    spec: { containers: [{ name, image: 'x:1' }] },
  };
  await client.create(
    TARGETS.Deployment as Resource,
    {
      metadata: { namespace, name, labels: { ...labels, tier: 'front' } },
      spec: { replicas: more.replicas ?? 1, selector: { matchLabels: labels }, template },
    } as never,
  );
}

describe('a Collector', () => {
  const kinds: readonly (readonly [TargetKind, Resource])[] = [
    ['Deployment', replicaSets],
    ['MyDeployment', controllerRevisions as Resource],
  ];

  it.concurrent.each(kinds)(
    'counts what every change of a %s sets off, exactly as a watch shows it',
    async (kind, owned) => {
      const namespace = await stage.namespace();
      const watched = [TARGETS[kind], owned, pods, collectors] as Resource[];
      const counts = await Promise.all(watched.map((resource) => EventCount.begin(resource, namespace)));
      const tour = new Tour(client, namespace, kind);
      const beganAt = performance.now();
      await tour.begin();
      const results = await tour.run();
      const seconds = (performance.now() - beganAt) / 1000;
      const { status = {} } = await tour.collector();
      const seen = await Promise.all(counts.map((count) => count.end()));
      const own = seen.pop();
      const sorted = (events: readonly CollectorStatusEvent[]) =>
        [...events].sort((a, b) => (a.kind < b.kind ? -1 : 1));
      expect(sorted(status.events ?? [])).toEqual(sorted(seen));
      const told = [...STEPS.toReversed().map(({ words }) => words), 'created'];
      expect(status.changes?.map(({ change }) => change)).toEqual(told);
      for (const [index, { name }] of STEPS.entries()) {
        const { total, events, reconciles } = nth(results, index);
        expect({ name, total }).toEqual({ name, total: totalOf(events) });
        expect(reconciles).toBeGreaterThanOrEqual(1);
        expect(reconciles).toBeLessThanOrEqual(total);
      }
      const pod = (step: number) => results[step]?.events.find((count) => count.kind === 'Pod');
      expect(pod(0)).toMatchObject({ added: 0, deleted: 2 }); // 3 → 1
      expect(pod(1)).toMatchObject({ added: 2, deleted: 0 }); // 1 → 3
      expect(pod(2)).toMatchObject({ added: 1, deleted: 1 });
      expect(pod(3)).toMatchObject({ added: 2, deleted: 2 });
      expect(pod(5)).toBeUndefined(); // a strategy moves no pod
      expect(pod(7)).toMatchObject({ added: 0, deleted: 4 }); // 4 → 0
      // It writes little: two for each change, when it begins and when it is over, and counts in between every five seconds.
      expect(own?.modified).toBeLessThanOrEqual(3 * (STEPS.length + 1) + seconds / 5);
    },
  );

  it.concurrent('tells kubectl', async () => {
    const namespace = await stage.namespace();
    const tour = new Tour(client, namespace, 'Deployment');
    await tour.begin();
    await tour.change({ replicas: 1 });
    await tour.over('replicas 3 → 1');
    const { stdout } = await stage.kubectl(['-n', namespace, 'get', 'collector']);
    expect(stdout).toMatch(/NAME +TARGET +LAST-CHANGE +STATE +EVENTS +RECONCILES +AGE/);
    expect(stdout).toMatch(/deployment +Deployment\/web +replicas 3 → 1 +Closed +\d+ +\d+ +\d+s/);
  });

  it.concurrent('follows every change of its own spec', async () => {
    const namespace = await stage.namespace();
    await deploy(namespace, 'web');
    await deploy(namespace, 'api');
    await collect(namespace);
    const change = (spec: object) =>
      client.patch(collectors, { namespace, name: 'c' }, { type: 'merge', body: { spec } });
    const scale = (name: string, replicas: number) =>
      client.patch(TARGETS.Deployment, { namespace, name }, { type: 'merge', body: { spec: { replicas } } });
    await eventually(async () => expect(await read(namespace, 'c')).toMatchObject({ targets: 1 }));
    for (const replicas of [2, 3]) {
      await scale('web', replicas);
      await eventually(async () => {
        const newest = (await read(namespace, 'c')).changes?.[0];
        expect(newest).toMatchObject({ change: `replicas ${replicas - 1} → ${replicas}`, state: 'Closed' });
      });
    }
    await change({ historyLimit: 1 });
    await eventually(async () => expect((await read(namespace, 'c')).changes).toHaveLength(1));
    // Looking elsewhere means counting anew.
    await change({ target: { name: null, selector: { matchLabels: { tier: 'front' } } } });
    await eventually(async () => {
      expect(await read(namespace, 'c')).toMatchObject({
        target: 'Deployment tier=front',
        targets: 2,
        total: 0,
        changes: [],
      });
    });
    await scale('api', 2);
    await eventually(async () => {
      expect((await read(namespace, 'c')).changes).toMatchObject([
        { target: 'api', change: 'replicas 1 → 2', state: 'Closed' },
      ]);
    });
    // A change that would be over in a second is still followed when more patience is asked for.
    await change({ quietSeconds: 300 });
    await scale('api', 3);
    await eventually(async () => expect((await read(namespace, 'c')).changes?.[0]?.generation).toBe(3));
    await delay(1500);
    expect((await read(namespace, 'c')).changes).toMatchObject([{ state: 'Open' }]);
    await change({ target: { kind: 'MyDeployment', name: 'web', selector: null } });
    await eventually(async () => {
      expect(await read(namespace, 'c')).toMatchObject({
        target: 'MyDeployment/web',
        targets: 0,
        changes: [],
        conditions: [{ reason: 'TargetNotFound', message: 'There is no MyDeployment/web' }],
      });
    });
  });

  it.concurrent('waits for its target, and sees it to its end', async () => {
    const namespace = await stage.namespace();
    await collect(namespace);
    await eventually(async () => {
      expect((await read(namespace, 'c')).conditions).toMatchObject([
        { type: 'Ready', status: 'False', reason: 'TargetNotFound' },
      ]);
    });
    await deploy(namespace, 'web', { replicas: 2 });
    await eventually(async () => {
      const status = await read(namespace, 'c');
      expect(status.conditions).toMatchObject([{ status: 'True' }]);
      expect(status.changes).toMatchObject([{ change: 'created', state: 'Closed' }]);
    });
    await client.delete(TARGETS.Deployment, { namespace, name: 'web' }, { propagationPolicy: 'Background' });
    await eventually(async () => {
      const [deleted] = (await read(namespace, 'c')).changes ?? [];
      expect(deleted).toMatchObject({ change: 'deleted', state: 'Closed' });
      expect(deleted?.events).toContainEqual(expect.objectContaining({ kind: 'Pod', deleted: 2 }));
    });
  });

  it.concurrent.each(['Background', 'Orphan'] as const)(
    'owns nothing: deleted (%s), it leaves its target alone',
    async (propagationPolicy) => {
      const namespace = await stage.namespace();
      await deploy(namespace, 'web');
      await collect(namespace);
      await eventually(async () => expect(await read(namespace, 'c')).toMatchObject({ targets: 1 }));
      const before = await client.get(TARGETS.Deployment, { namespace, name: 'web' });
      await client.delete(collectors, { namespace, name: 'c' }, { propagationPolicy });
      await eventually(() => expect(read(namespace, 'c')).rejects.toMatchObject({ reason: 'NotFound' }));
      const { metadata } = await client.get(TARGETS.Deployment, { namespace, name: 'web' });
      expect([metadata.uid, metadata.ownerReferences]).toEqual([before.metadata.uid, undefined]);
    },
  );

  it('says so when it was not there to see the end of a change, and goes on counting', async () => {
    const namespace = await stage.namespace();
    await deploy(namespace, 'web', { annotations: { [READY_AFTER]: '20s' } });
    await collect(namespace);
    await eventually(async () => expect(await read(namespace, 'c')).toMatchObject({ targets: 1 }));
    await client.patch(
      TARGETS.Deployment,
      { namespace, name: 'web' },
      { type: 'merge', body: { spec: { replicas: 2 } } },
    );
    await eventually(async () => expect((await read(namespace, 'c')).changes).toMatchObject([{ state: 'Open' }]));
    const { total = 0 } = await read(namespace, 'c');
    await stage.operator.process.kill();
    await stage.startOperator();
    await eventually(async () =>
      expect((await read(namespace, 'c')).changes).toMatchObject([{ state: 'Interrupted' }]),
    );
    await client.patch(
      TARGETS.Deployment,
      { namespace, name: 'web' },
      { type: 'merge', body: { spec: { replicas: 0 } } },
    );
    await eventually(async () => {
      const status = await read(namespace, 'c');
      expect(status.changes).toMatchObject([{ change: 'replicas 2 → 0', state: 'Closed' }, { state: 'Interrupted' }]);
      expect(status.total).toBeGreaterThan(total);
    });
  });

  it('writes nothing while nothing happens', async () => {
    const quiet = async (ms: number): Promise<number> => {
      const mark = await audit.mark();
      await delay(ms);
      return (await audit.since(mark, [OPERATOR])).writes;
    };
    await eventually(async () => expect(await quiet(4000)).toBe(0));
  });
});

describe('a bad Collector is refused with the field named', () => {
  it.each<{ name: string; spec: object; says: string }>([
    { name: 'no target', spec: { target: null }, says: 'spec.target: Required value' },
    { name: 'no kind', spec: { target: { name: 'web' } }, says: 'spec.target.kind: Required value' },
    {
      name: 'another kind',
      spec: { target: { kind: 'Pod', name: 'web' } },
      says: 'spec.target.kind: Unsupported value: "Pod"',
    },
    { name: 'nobody', spec: { target: { kind: 'Deployment' } }, says: 'spec.target: Invalid value' },
    {
      name: 'a name and a selector',
      spec: { target: { kind: 'Deployment', name: 'web', selector: { matchLabels: { a: 'b' } } } },
      says: 'either a name or a selector must be specified, and not both',
    },
    {
      name: 'everybody',
      spec: { target: { kind: 'Deployment', selector: {} } },
      says: 'spec.target.selector: Invalid value',
    },
    { name: 'no patience', spec: { quietSeconds: 0 }, says: 'spec.quietSeconds: Invalid value: 0' },
    { name: 'too much patience', spec: { quietSeconds: 301 }, says: 'spec.quietSeconds: Invalid value: 301' },
    { name: 'no memory', spec: { historyLimit: 0 }, says: 'spec.historyLimit: Invalid value: 0' },
    { name: 'too much memory', spec: { historyLimit: 101 }, says: 'spec.historyLimit: Invalid value: 101' },
  ])('$name: $says', async ({ spec, says }) => {
    await expect(collect('default', spec)).rejects.toThrow(says);
  });
});
