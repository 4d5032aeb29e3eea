import { describe, expect, it } from '@jest/globals';
import { bar, podShares, share } from '../../../src/kubectl/get/bar.ts';
import { tree } from '../../../src/kubectl/get/tree.ts';
import { viewOf } from '../../../src/kubectl/get/view.ts';
import { podSummary } from '../../../src/kubectl/pod-status.ts';
import { plain } from '../../../src/kubectl/terminal/style.ts';
import { widthOf } from '../../../src/kubectl/terminal/text.ts';
import type { Pod as FullPod } from '../../../src/runtime/built-in.ts';
import { mixedPods, myDeployment, NOW, revision } from '../../kinds/my-deployment/fixture.ts';
import { objectOf, policy, revisionsOf } from '../policy/scene.ts';

const object = myDeployment({
  replicas: 3,
  maxSurge: 1,
  maxUnavailable: 1,
  metadata: { creationTimestamp: new Date(NOW - 90_000).toISOString() },
  status: { observedGeneration: 1, replicas: 4, updatedReplicas: 2, availableReplicas: 3 },
});
const [v1, v2] = [
  revision(object, 'v1', { number: 1, replicas: 2 }),
  revision(object, 'v2', { number: 2, replicas: 2 }),
];
const v0 = revision(object, 'v0', { number: 0, replicas: 0 });
const pods = [...mixedPods(object, v1, 2, 2), ...mixedPods(object, v2, 2, 1)].map(
  (pod) => ({ ...pod, spec: { ...pod.spec, containers: [{ name: 'web' }] } }) as unknown as FullPod,
);
const complete = { replicas: 2, updatedReplicas: 2, availableReplicas: 2 };
const condition = (type: string, reason: string) => ({ type, status: 'True', reason, message: 'It is so' }) as const;
const facts = { object, revisions: [v0, v1, v2], pods, policies: [] };

describe('the tree', () => {
  it('shows the object, its revisions with pods, newest first, and how far they are', () => {
    const lines = tree(viewOf(facts, NOW), { now: NOW, columns: 90, style: plain });
    expect(lines).toEqual([
      'mydeployment/web  Progressing: 2 of 3 replicas updated',
      'namespace default, RollingUpdate (surge 1, unavailable 1)',
      '3 wanted, 2 updated, 3 ready, 3 available',
      `${'█'.repeat(13)}${'▒'.repeat(13)}${'▓'.repeat(28)}  2 new, 2 old, 0 unavailable`,
      '',
      expect.stringMatching(/^NAME +STATUS +READY +RESTARTS +AGE +NODE$/),
      expect.stringMatching(/^MyDeployment\/web +3\/3 +90s$/),
      expect.stringMatching(/^├─ revision 2 new +web:v2 +1\/2$/),
      expect.stringMatching(/^│ {2}├─ web-\w+-0 +✔ Running +0\/1 +0 +60m +node$/),
      expect.stringMatching(/^│ {2}└─ web-\w+-1 +◌ Pending +0\/1 +0 +60m +node$/),
      expect.stringMatching(/^└─ revision 1 old +web:v1 +2\/2$/),
      expect.stringMatching(/^ {3}├─ web-\w+-0 +✔ Running/),
      expect.stringMatching(/^ {3}└─ web-\w+-1 +✔ Running/),
    ]);
  });

  it('says of a pod that it is being changed in place', () => {
    const record = { from: 'a', to: 'b', at: '2026-01-01T00:00:00Z' };
    const changing = (annotation: object) => {
      const [first, ...others] = pods as [FullPod, ...FullPod[]];
      const annotations = { 'kubebuilder.zq.com/in-place': JSON.stringify(annotation) };
      const all = [{ ...first, metadata: { ...first.metadata, annotations } }, ...others];
      return tree(viewOf({ ...facts, pods: all as FullPod[] }, NOW), { now: NOW, columns: 90, style: plain }).join(
        '\n',
      );
    };
    expect(changing(record)).toMatch(/-0 +↻ LeavingServices +0\/1/);
    expect(changing({ ...record, changed: { generation: 2, containers: {} } })).toMatch(/-0 +↻ ChangingInPlace +0\/1/);
  });

  it.each([40, 12])('is never wider than %d columns', (columns) => {
    const lines = tree(viewOf(facts, NOW), { now: NOW, columns, style: plain });
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
  });

  it.each([8, 10, 12])('is never longer than %d rows, and says what is left out', (rows) => {
    const lines = tree(viewOf(facts, NOW), { now: NOW, columns: 90, rows, style: plain });
    expect(lines).toHaveLength(rows);
    expect(lines.at(-1)).toBe(`… ${13 - rows + 1} more`);
  });

  it('shows the steps of a policy above, as far as there is room', () => {
    const governed = { object: objectOf(), revisions: revisionsOf(objectOf()), pods, policies: [policy()] };
    const draw = (rows?: number) => tree(viewOf(governed, NOW), { now: NOW, columns: 90, rows, style: plain });
    expect(draw().slice(4, 7)).toEqual([
      '',
      'rolloutpolicy/web  revision 3 is at step 1 of 3, 1 pod',
      expect.stringMatching(/^ {2}▶ step 1 {2}1 pod {9}waits for gate "smoke"/),
    ]);
    for (const rows of [8, 9, 10, 12, 14]) expect(draw(rows).length).toBeLessThanOrEqual(rows);
    expect(draw(9).join()).not.toContain('rolloutpolicy');
    expect(draw(10)[5]).toContain('rolloutpolicy');
  });

  it.each([
    { change: { paused: true }, state: 'Paused' },
    { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, state: 'Terminating' },
    {
      status: { conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }] },
      state: 'Degraded',
      message: 'exceeded its progress deadline',
    },
    {
      status: { conditions: [condition('Stalled', 'SelectingAll')] },
      state: 'Degraded',
      message: 'is stalled (SelectingAll): It is so.',
    },
    {
      status: { conditions: [condition('Reconciling', 'RollingOut')] },
      state: 'Progressing',
      message: '2 of 3 replicas updated (RollingOut)',
    },
    {
      status: { observedGeneration: 0, conditions: [condition('Reconciling', 'DeploymentPaused')] },
      state: 'Progressing',
      message: '2 of 3 replicas updated',
    },
    { status: { replicas: 3, updatedReplicas: 3, availableReplicas: 3 }, state: 'Healthy' },
    {
      change: { replicas: 1 },
      status: { ...complete, conditions: [condition('Reconciling', 'PodsNotReady')] },
      facts: { pods: mixedPods(object, v2, 2, 2) as unknown as FullPod[] },
      state: 'Progressing',
      message: '1 replica too many (PodsNotReady)',
    },
  ] as const)(
    'calls it $state: $message',
    ({
      change = {},
      metadata = {},
      status = {},
      state,
      message,
      facts: others = {},
    }: {
      change?: object;
      metadata?: object;
      status?: object;
      state: string;
      message?: string;
      facts?: object;
    }) => {
      const changed = {
        ...object,
        metadata: { ...object.metadata, ...metadata },
        spec: { ...object.spec, ...change },
        status: { ...object.status, replicas: 4, ...status },
      };
      const view = viewOf({ ...facts, ...others, object: changed }, NOW);
      expect(view).toMatchObject({ state, ...(message !== undefined && { message }) });
    },
  );
});

describe('the bar', () => {
  it.each([
    { weights: [1, 1, 1, 1], width: 8, cells: [2, 2, 2, 2] },
    { weights: [1, 0, 99, 0], width: 10, cells: [1, 0, 9, 0] },
    { weights: [0, 0, 0, 0], width: 5, cells: [0, 0, 0, 5] },
    { weights: [1, 1, 1, 0], width: 10, cells: [4, 3, 3, 0] },
  ])('$width columns by $weights', ({ weights, width, cells }) => {
    expect(share(weights, width)).toEqual(cells);
  });

  it('is as wide as it was asked to be', () => {
    expect(widthOf(bar({ ready: 3, starting: 1, old: 2, missing: 7 }, 30, plain))).toBe(30);
  });

  it.each([
    { counts: { wanted: 4, updated: 2, available: 3, old: 3 }, shares: { ready: 0, starting: 2, old: 3, missing: 0 } },
    { counts: { wanted: 4, updated: 3, available: 2, old: 0 }, shares: { ready: 2, starting: 1, old: 0, missing: 1 } },
    { counts: { wanted: 0, updated: 0, available: 0, old: 0 }, shares: { ready: 0, starting: 0, old: 0, missing: 0 } },
  ])('of $counts', ({ counts, shares }) => {
    expect(podShares(counts)).toEqual(shares);
  });
});

describe('a pod in a few words', () => {
  const pod = (status: object, metadata: object = {}, spec: object = {}): FullPod =>
    ({
      metadata: { name: 'a', uid: 'a', resourceVersion: '1', ...metadata },
      spec: { containers: [{ name: 'a' }], ...spec },
      status,
    }) as FullPod;
  const container = (state: object, more: object = {}) => ({
    name: 'a',
    image: 'a',
    imageID: '',
    ready: false,
    restartCount: 0,
    state,
    ...more,
  });

  it.each([
    { of: pod({ phase: 'Pending' }), status: 'Pending', health: 'starting' },
    {
      of: pod({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }),
      status: 'SchedulingGated',
      health: 'starting',
    },
    {
      of: pod({
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [container({ running: {} }, { ready: true })],
      }),
      status: 'Running',
      health: 'ready',
    },
    {
      of: pod({ phase: 'Running', containerStatuses: [container({ waiting: { reason: 'CrashLoopBackOff' } })] }),
      status: 'CrashLoopBackOff',
      health: 'failing',
    },
    {
      of: pod({ phase: 'Running', containerStatuses: [container({ terminated: { exitCode: 3 } })] }),
      status: 'ExitCode:3',
      health: 'failing',
    },
    { of: pod({ phase: 'Failed', reason: 'Evicted' }), status: 'Evicted', health: 'failing' },
    { of: pod({ phase: 'Running' }, { deletionTimestamp: 'x' }), status: 'Terminating', health: 'terminating' },
    {
      of: pod(
        { phase: 'Pending', initContainerStatuses: [container({ running: {} })] },
        {},
        { initContainers: [{ name: 'i' }] },
      ),
      status: 'Init:0/1',
      health: 'starting',
    },
    {
      of: pod(
        { phase: 'Pending', initContainerStatuses: [container({ waiting: { reason: 'ErrImagePull' } })] },
        {},
        { initContainers: [{ name: 'i' }] },
      ),
      status: 'Init:ErrImagePull',
      health: 'failing',
    },
  ])('$status', ({ of, status, health }) => {
    expect(podSummary(of)).toMatchObject({ status, health });
  });

  it('counts containers and restarts', () => {
    const statuses = [container({}, { ready: true, restartCount: 2 }), container({}, { restartCount: 1 })];
    const two = pod(
      { phase: 'Running', containerStatuses: statuses },
      {},
      { containers: [{ name: 'a' }, { name: 'b' }] },
    );
    expect(podSummary(two)).toMatchObject({ ready: '1/2', restarts: 3 });
  });
});
