// What the cache keeps of a pod, whose it finds it to be, and which of its changes wake an owner.

import { describe, expect, it } from '@jest/globals';
import { Cache } from '../../src/runtime/cache/cache.ts';
import { SharedParts } from '../../src/runtime/cache/shared-parts.ts';
import type { ObjectMeta } from '../../src/runtime/object.ts';
import { IN_PLACE, IN_PLACE_READY } from '../../src/workload/in-place/names.ts';
import { affinityTo } from '../../src/workload/node-affinity.ts';
import type { Pod } from '../../src/workload/pod.ts';
import { ownedAndOrphans, podInformer, podMatters, revisionInformer, trimPod } from '../../src/workload/pod-cache.ts';
import type { ControllerRevision } from '../../src/workload/revision.ts';
import { FakeApi } from '../runtime/cache/fake-api.ts';
import { FakeClock, settle } from '../support/fake-clock.ts';

const condition = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };

const full = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web-1',
    namespace: 'default',
    uid: 'u',
    resourceVersion: '7',
    generateName: 'web-',
    creationTimestamp: '2026-01-01T00:00:00Z',
    deletionTimestamp: '2026-01-01T01:00:00Z',
    labels: { app: 'web' },
    annotations: { 'controller.kubernetes.io/pod-deletion-cost': '5', other: 'x' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'o', controller: true }],
  },
  spec: {
    nodeName: 'node-1',
    containers: [{ name: 'main', image: 'nginx' }],
    initContainers: [{ name: 'init' }, { name: 'sidecar', restartPolicy: 'Always', image: 'x' }],
  },
  status: {
    phase: 'Running',
    podIP: '10.0.0.1',
    conditions: [{ type: 'Initialized', status: 'True' }, condition],
    containerStatuses: [{ name: 'main', restartCount: 2, state: { running: {} } }],
    initContainerStatuses: [{ name: 'sidecar', restartCount: 3, ready: true }],
  },
} as unknown as Pod;

/** Shares nothing. */
const keep = <Part>(part: Part): Part => part;

describe('a trimmed pod', () => {
  it('keeps what planning reads and nothing else', () => {
    expect(trimPod(full, keep)).toEqual({
      metadata: {
        name: 'web-1',
        namespace: 'default',
        uid: 'u',
        resourceVersion: '7',
        creationTimestamp: '2026-01-01T00:00:00Z',
        deletionTimestamp: '2026-01-01T01:00:00Z',
        labels: { app: 'web' },
        annotations: { 'controller.kubernetes.io/pod-deletion-cost': '5' },
        ownerReferences: full.metadata.ownerReferences,
      },
      spec: { nodeName: 'node-1', initContainers: [{ name: 'sidecar', restartPolicy: 'Always' }] },
      status: {
        phase: 'Running',
        conditions: [condition],
        containerStatuses: [{ restartCount: 2 }],
        initContainerStatuses: [{ name: 'sidecar', restartCount: 3 }],
      },
    });
  });

  it('keeps the node that a pod is on its way to, and no other affinity', () => {
    const affinity = {
      ...affinityTo('node-2'),
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] },
    };
    expect(trimPod({ ...full, spec: { affinity } }, keep).spec).toEqual({ affinity: affinityTo('node-2') });
    expect(trimPod({ ...full, spec: { nodeName: 'node-2', affinity } }, keep).spec).toEqual({ nodeName: 'node-2' });
    expect(trimPod({ ...full, spec: { affinity: { nodeAffinity: {} } } }, keep).spec).toEqual({});
  });

  it('has no restarts of containers that only run at the beginning', () => {
    const { spec, status } = trimPod(
      { ...full, spec: { nodeName: 'node-1', initContainers: [{ name: 'init' }] } },
      keep,
    );
    expect(spec).toEqual({ nodeName: 'node-1' });
    expect(status).not.toHaveProperty('initContainerStatuses');
  });

  it('keeps why a container does not start, and nothing of one that does', () => {
    const lastState = { terminated: { exitCode: 1 } };
    const failing = { name: 'app', restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState };
    const containerStatuses = [
      { ...failing, image: 'x' },
      { name: 'fine', restartCount: 1, state: {}, lastState },
    ];
    const initContainerStatuses = [
      { ...failing, name: 'init' },
      { name: 'done', restartCount: 1 },
    ];
    const status = { phase: 'Running', reason: 'Odd', containerStatuses, initContainerStatuses };
    expect(trimPod({ ...full, spec: {}, status }, keep).status).toEqual({
      phase: 'Running',
      containerStatuses: [failing, { restartCount: 1 }],
      initContainerStatuses: [{ ...failing, name: 'init' }],
    });
  });

  it('keeps how a failed pod ended', () => {
    const ended = { name: 'app', restartCount: 0, state: { terminated: { exitCode: 1 } } };
    const disrupted = { type: 'DisruptionTarget', status: 'True' };
    const status = { phase: 'Failed', reason: 'Evicted', conditions: [disrupted], containerStatuses: [ended, {}] };
    expect(trimPod({ ...full, spec: {}, status }, keep).status).toStrictEqual({
      ...status,
      containerStatuses: [ended, { restartCount: 0 }],
    });
    const silent = { phase: 'Failed', containerStatuses: [ended] };
    expect(trimPod({ ...full, spec: {}, status: silent }, keep).status).toStrictEqual(silent);
  });

  it('of a pod that has next to nothing has nothing made up', () => {
    const bare = { metadata: { name: 'a', uid: 'u', resourceVersion: '1' } };
    expect(trimPod(bare, keep)).toEqual({ ...bare, spec: {}, status: {} });
  });

  it('shares with its siblings all but what makes it itself', () => {
    const { share } = new SharedParts();
    const sibling = { ...structuredClone(full), metadata: { ...structuredClone(full.metadata), name: 'web-2' } };
    const [one, other] = [trimPod(structuredClone(full), share), trimPod(sibling, share)];
    expect(other.metadata.name).toBe('web-2');
    expect(other.metadata.labels).toBe(one.metadata.labels);
    expect(other.metadata.ownerReferences).toBe(one.metadata.ownerReferences);
    expect(other.spec).toBe(one.spec);
    expect(other.status).toBe(one.status);
  });
});

describe('controller_utils_test.go TestFilterPodsByOwner', () => {
  const ownedBy = (uid: string, controller = true): Partial<ObjectMeta> => ({
    ownerReferences: [{ apiVersion: 'v1', kind: 'Box', name: 'box', uid, controller }],
  });
  const pod = (name: string, metadata: Partial<ObjectMeta> = {}) => ({
    metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', ...metadata },
  });
  const owner = pod('box', { uid: 'box-uid' });

  it.each([
    { name: 'no pods', pods: [], found: [] },
    { name: 'its own', pods: [pod('a', ownedBy('box-uid')), pod('b', ownedBy('box-uid'))], found: ['a', 'b'] },
    { name: 'not those of another', pods: [pod('a', ownedBy('other-uid'))], found: [] },
    { name: 'not those of one before it of the same name', pods: [pod('a', ownedBy('old-uid'))], found: [] },
    { name: 'orphans', pods: [pod('a')], found: ['a'] },
    { name: 'those whose owner does not control them', pods: [pod('a', ownedBy('box-uid', false))], found: ['a'] },
    { name: 'not orphans of another namespace', pods: [pod('a', { namespace: 'other' })], found: [] },
  ])('$name', async ({ pods, found }) => {
    const api = new FakeApi();
    const cache = new Cache(api.client, { clock: new FakeClock() });
    const informer = podInformer(cache);
    const stop = new AbortController();
    const running = cache.start(stop.signal);
    await settle();
    await api.last.fill('7', ...pods);
    expect(ownedAndOrphans(informer, owner).map(({ metadata }) => metadata.name)).toEqual(found);
    for (const kept of informer.list()) expect(kept).toHaveProperty('status', {}); // trimmed
    stop.abort();
    await running;
  });
});

it.each([
  { name: 'as a whole when its owner asks for it', whole: () => true, data: { spec: {} } },
  { name: 'without its data when nobody does', whole: () => false, data: undefined },
  { name: 'without its data when nobody said', whole: undefined, data: undefined },
])('a revision is kept $name', async ({ whole, data }) => {
  const api = new FakeApi();
  const cache = new Cache(api.client, { clock: new FakeClock() });
  const informer = revisionInformer(cache, whole);
  const stop = new AbortController();
  const running = cache.start(stop.signal);
  await settle();
  const metadata = { name: 'web-1', namespace: 'default', uid: 'u', resourceVersion: '1' };
  const revision: ControllerRevision = { metadata, revision: 4, data: { spec: {} } };
  await api.last.fill('7', revision);
  expect(informer.list()).toEqual([{ metadata, revision: 4, ...(data && { data }) }]);
  expect(ownedAndOrphans(informer, { metadata: { ...metadata, uid: 'other' } })).toHaveLength(1);
  stop.abort();
  await running;
});

describe('a change of a pod', () => {
  const base: Pod = {
    metadata: { name: 'a', uid: 'u', resourceVersion: '1', labels: { app: 'web' } },
    spec: {},
    status: { phase: 'Pending' },
  };
  const updated = (object: Pod, old: Pod = base) => podMatters({ type: 'updated', old, object, initial: false });

  it.each([
    {
      name: 'nothing but its version',
      to: { ...base, metadata: { ...base.metadata, resourceVersion: '2' } },
      matters: false,
    },
    { name: 'its node', to: { ...base, spec: { nodeName: 'node-1' } }, matters: false },
    {
      name: 'what its kubelet has seen',
      to: { ...base, status: { ...base.status, observedGeneration: 2 } },
      matters: false,
    },
    { name: 'its phase', to: { ...base, status: { phase: 'Running' } }, matters: true },
    { name: 'its readiness', to: { ...base, status: { phase: 'Pending', conditions: [condition] } }, matters: true },
    {
      name: 'the time since which it is ready',
      from: { ...base, status: { phase: 'Running', conditions: [condition] } },
      to: {
        ...base,
        status: { phase: 'Running', conditions: [{ ...condition, lastTransitionTime: '2026-01-01T00:01:00Z' }] },
      },
      matters: true,
    },
    {
      name: 'its readiness, without a time',
      to: { ...base, status: { phase: 'Pending', conditions: [{ type: 'Ready', status: 'True' }] } },
      matters: true,
    },
    {
      name: 'that a container does not start any more',
      to: {
        ...base,
        status: {
          phase: 'Pending',
          containerStatuses: [{ name: 'app', state: { waiting: { reason: 'ErrImagePull' } } }],
        },
      },
      matters: true,
    },
    { name: 'its labels', to: { ...base, metadata: { ...base.metadata, labels: { app: 'x' } } }, matters: true },
    { name: 'its end', to: { ...base, metadata: { ...base.metadata, deletionTimestamp: 'now' } }, matters: true },
    {
      name: 'its owner',
      to: {
        ...base,
        metadata: { ...base.metadata, ownerReferences: [{ apiVersion: 'v', kind: 'k', name: 'n', uid: 'u' }] },
      },
      matters: true,
    },
  ])('matters when it is $name: $matters', ({ from, to, matters }) => {
    expect(updated(to, from)).toBe(matters);
  });

  it('matters when the pod came or went', () => {
    expect(podMatters({ type: 'added', object: base, initial: false })).toBe(true);
    expect(podMatters({ type: 'deleted', object: base, initial: false })).toBe(true);
  });
});

describe('a pod that can be changed in place', () => {
  const gate = { type: IN_PLACE_READY, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', message: 'x' };
  const gated = {
    ...full,
    metadata: { ...full.metadata, generation: 3, annotations: { [IN_PLACE]: '{}', other: 'x' } },
    spec: {
      ...full.spec,
      readinessGates: [{ conditionType: IN_PLACE_READY }, { conditionType: 'other' }],
      containers: [{ name: 'main', image: 'nginx', args: ['-v'], resources: { limits: { cpu: '1' } } }],
    },
    status: {
      ...full.status,
      observedGeneration: 2,
      conditions: [condition, gate, { type: 'Initialized', status: 'True' }],
      containerStatuses: [
        {
          name: 'main',
          restartCount: 2,
          containerID: 'c1',
          imageID: 'i',
          state: { running: { startedAt: '2025-12-31T00:00:00Z' } },
        },
      ],
    },
  } as unknown as Pod;

  it('keeps what that depends on as well', () => {
    const { metadata, spec, status } = trimPod(gated, keep);
    expect([metadata.generation, metadata.annotations]).toEqual([3, { [IN_PLACE]: '{}' }]);
    expect(spec).toMatchObject({
      readinessGates: [{ conditionType: IN_PLACE_READY }],
      containers: [{ name: 'main', image: 'nginx', resources: { limits: { cpu: '1' } } }],
    });
    expect(spec?.containers?.[0]).not.toHaveProperty('args');
    expect([status?.phase, status?.observedGeneration]).toEqual(['Running', 2]);
    expect(status?.conditions).toEqual([
      condition,
      { type: IN_PLACE_READY, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ]);
    expect(status?.containerStatuses).toEqual([
      { name: 'main', restartCount: 2, containerID: 'c1', state: { running: { startedAt: '2025-12-31T00:00:00Z' } } },
    ]);
  });

  it('keeps its deletion cost, as every pod does, and what a record on another pod says is not kept', () => {
    const annotations = { [IN_PLACE]: '{}', 'controller.kubernetes.io/pod-deletion-cost': '5' };
    const metadata = { ...full.metadata, generation: 3, annotations };
    expect(trimPod({ ...gated, metadata }, keep).metadata.annotations).toEqual(annotations);
    const other = trimPod({ ...full, metadata }, keep).metadata;
    expect(other.annotations).toEqual({ 'controller.kubernetes.io/pod-deletion-cost': '5' });
    expect(other).not.toHaveProperty('generation');
  });

  it('keeps how far its change is, as its kubelet reports it', () => {
    const reports = ['ContainersReady', 'PodResizePending', 'PodResizeInProgress'].map((type) => ({
      type,
      status: 'True',
      reason: 'Deferred',
    }));
    const conditionsOf = (conditions: readonly object[]) =>
      trimPod({ ...gated, status: { ...gated.status, conditions } } as Pod, keep).status;
    expect(conditionsOf([...reports, { type: 'Initialized', status: 'True' }])?.conditions).toEqual(reports);
    expect(conditionsOf([condition])?.conditions).toEqual([condition]);
    expect(conditionsOf([condition, ...reports])?.conditions).toEqual([condition, ...reports]);
    expect(conditionsOf(reports.slice(0, 1))?.conditions).toEqual(reports.slice(0, 1));
    expect(conditionsOf([])).not.toHaveProperty('conditions');
  });

  it('has nothing made up where the API server says nothing', () => {
    const { generation: _, ...metadata } = gated.metadata;
    expect(trimPod({ ...gated, metadata }, keep).metadata).not.toHaveProperty('generation');
  });

  it('keeps the restarts of its sidecars, and of no other init container', () => {
    const kept = (spec: Pod['spec']) => trimPod({ ...gated, spec: { ...gated.spec, ...spec } }, keep).status;
    expect(kept({})?.initContainerStatuses).toEqual([{ name: 'sidecar', restartCount: 3 }]);
    expect(kept({ initContainers: [{ name: 'sidecar' }] })).not.toHaveProperty('initContainerStatuses');
  });

  it('wakes its owner when its kubelet has seen it, and while it changes also when a container starts', () => {
    const matters = (one: Pod, change: object) =>
      podMatters({
        type: 'updated',
        initial: false,
        old: trimPod(one, keep),
        object: trimPod({ ...one, ...change } as Pod, keep),
      });
    const restarted = { status: { ...gated.status, containerStatuses: [{ name: 'main', containerID: 'c2' }] } };
    const atRest = { ...gated, metadata: { ...gated.metadata, annotations: {} } };
    expect(matters(gated, { status: { ...gated.status, observedGeneration: 3 } })).toBe(true);
    expect(matters(gated, restarted)).toBe(true);
    expect(matters(atRest, restarted)).toBe(false);
    expect(matters(atRest, { status: { ...gated.status, conditions: [condition] } })).toBe(true);
    expect(matters(atRest, { status: { ...gated.status, podIP: '10.0.0.2' } })).toBe(false);
    const closed = [condition, { ...gate, status: 'False' }];
    expect(matters(atRest, { status: { ...gated.status, conditions: closed } })).toBe(true);
    const resized = [...(gated.status?.conditions ?? []), { type: 'PodResizePending', status: 'True' }];
    expect(matters(gated, { status: { ...gated.status, conditions: resized } })).toBe(true);
    expect(matters(atRest, { status: { ...gated.status, conditions: resized } })).toBe(false);
    const disrupted = [...(gated.status?.conditions ?? []), { type: 'DisruptionTarget', status: 'True' }];
    expect(matters(gated, { status: { ...gated.status, conditions: disrupted } })).toBe(false);
    expect(matters(gated, { metadata: { ...gated.metadata, annotations: { [IN_PLACE]: '{"from":"a"}' } } })).toBe(true);
    const image = [{ name: 'main', image: 'nginx:2', resources: { limits: { cpu: '1' } } }];
    expect(matters(atRest, { spec: { ...gated.spec, containers: image } })).toBe(true);
  });
});
