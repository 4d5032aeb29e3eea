import { describe, expect, it } from '@jest/globals';
import { bar, podShares, share } from '../../../src/kubectl/get/bar.ts';
import { tree } from '../../../src/kubectl/get/tree.ts';
import { viewOf } from '../../../src/kubectl/get/view.ts';
import { podWords } from '../../../src/kubectl/pod-status.ts';
import { plain } from '../../../src/kubectl/terminal/style.ts';
import { widthOf } from '../../../src/kubectl/terminal/text.ts';
import type { Pod as FullPod } from '../../../src/runtime/built-in.ts';
import { mixedPods, myDeployment, NOW, revision } from '../../kinds/my-deployment/fixture.ts';

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
const facts = { object, revisions: [v0, v1, v2], pods };

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

  it.each([40, 12])('is never wider than %d columns', (columns) => {
    const lines = tree(viewOf(facts, NOW), { now: NOW, columns, style: plain });
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
  });

  it.each([8, 10, 12])('is never longer than %d rows, and says what is left out', (rows) => {
    const lines = tree(viewOf(facts, NOW), { now: NOW, columns: 90, rows, style: plain });
    expect(lines).toHaveLength(rows);
    expect(lines.at(-1)).toBe(`… ${13 - rows + 1} more`);
  });

  it.each([
    { change: { paused: true }, state: 'Paused' },
    { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, state: 'Terminating' },
    {
      status: { conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }] },
      state: 'Degraded',
    },
    { status: { replicas: 3, updatedReplicas: 3, availableReplicas: 3 }, state: 'Healthy' },
  ] as const)(
    'calls it $state',
    ({
      change = {},
      metadata = {},
      status = {},
      state,
    }: {
      change?: object;
      metadata?: object;
      status?: object;
      state: string;
    }) => {
      const changed = {
        ...object,
        metadata: { ...object.metadata, ...metadata },
        spec: { ...object.spec, ...change },
        status: { ...object.status, replicas: 4, ...status },
      };
      expect(viewOf({ ...facts, object: changed }, NOW).state).toBe(state);
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
    { of: pod({ phase: 'Pending' }), status: 'Pending', mood: 'waiting' },
    {
      of: pod({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }),
      status: 'SchedulingGated',
      mood: 'waiting',
    },
    {
      of: pod({
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [container({ running: {} }, { ready: true })],
      }),
      status: 'Running',
      mood: 'good',
    },
    {
      of: pod({ phase: 'Running', containerStatuses: [container({ waiting: { reason: 'CrashLoopBackOff' } })] }),
      status: 'CrashLoopBackOff',
      mood: 'bad',
    },
    {
      of: pod({ phase: 'Running', containerStatuses: [container({ terminated: { exitCode: 3 } })] }),
      status: 'ExitCode:3',
      mood: 'bad',
    },
    { of: pod({ phase: 'Failed', reason: 'Evicted' }), status: 'Evicted', mood: 'bad' },
    { of: pod({ phase: 'Running' }, { deletionTimestamp: 'x' }), status: 'Terminating', mood: 'leaving' },
    {
      of: pod(
        { phase: 'Pending', initContainerStatuses: [container({ running: {} })] },
        {},
        { initContainers: [{ name: 'i' }] },
      ),
      status: 'Init:0/1',
      mood: 'waiting',
    },
    {
      of: pod(
        { phase: 'Pending', initContainerStatuses: [container({ waiting: { reason: 'ErrImagePull' } })] },
        {},
        { initContainers: [{ name: 'i' }] },
      ),
      status: 'Init:ErrImagePull',
      mood: 'bad',
    },
  ])('$status', ({ of, status, mood }) => {
    expect(podWords(of)).toMatchObject({ status, mood });
  });

  it('counts containers and restarts', () => {
    const statuses = [container({}, { ready: true, restartCount: 2 }), container({}, { restartCount: 1 })];
    const two = pod(
      { phase: 'Running', containerStatuses: statuses },
      {},
      { containers: [{ name: 'a' }, { name: 'b' }] },
    );
    expect(podWords(two)).toMatchObject({ ready: '1/2', restarts: 3 });
  });
});
