import { describe, expect, it } from '@jest/globals';
import { decisionsFor, policyRefusal } from '../../../src/kubectl/dashboard/act/policy-verbs.ts';
import { groupOf, sharesWithFailures } from '../../../src/kubectl/dashboard/view/attention.ts';
import { podRow } from '../../../src/kubectl/dashboard/view/pods.ts';
import { policyRow } from '../../../src/kubectl/dashboard/view/policy.ts';
import { timelineOf } from '../../../src/kubectl/dashboard/view/timeline.ts';
import { rolloutOf, viewOfRollout } from '../../../src/kubectl/get/view.ts';
import { policyView } from '../../../src/kubectl/policy/view.ts';
import type { Pod as FullPod } from '../../../src/runtime/built-in.ts';
import {
  mixedPods,
  myDeployment,
  NOW,
  type ObjectOptions,
  revision,
  secondsAgo,
} from '../../kinds/my-deployment/fixture.ts';
import { type SceneOptions, standing } from '../policy/scene.ts';

const reconciling = (reason: string) => ({ type: 'Reconciling', status: 'True', reason, message: 'it waits' }) as const;
const stalled = { type: 'Stalled', status: 'True', reason: 'RevisionRejected', message: 'no' } as const;
const done = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };

function seen(options: ObjectOptions, podStatus: object = {}) {
  const object = myDeployment({ replicas: 2, ...options });
  const present = revision(object, 'v2', { number: 2, replicas: 2 });
  const pods = mixedPods(object, present, 2, 2).map(
    (pod) =>
      ({
        ...pod,
        spec: { containers: [{ name: 'web' }] },
        status: { ...pod.status, ...podStatus },
      }) as unknown as FullPod,
  );
  const rollout = rolloutOf({ object, revisions: [present], pods }, NOW);
  return { rollout, view: viewOfRollout(rollout, { pods, policies: [] }), pods };
}

function groupFor(options: ObjectOptions, podStatus: object = {}, scene?: SceneOptions): ReturnType<typeof groupOf> {
  const { view, rollout } = seen(options, podStatus);
  return groupOf(view, rollout, scene && standing(scene));
}

const CRASHING = {
  containerStatuses: [
    { name: 'web', ready: false, restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } },
  ],
  conditions: [],
};

describe('the attention that an object needs', () => {
  it.each([
    { what: 'a complete one', group: 'rest', options: { status: done } },
    { what: 'a rollout', group: 'moves', options: { status: { ...done, updatedReplicas: 1 } } },
    { what: 'one that nobody has observed yet', group: 'moves', options: {} },
    {
      what: 'a step that waits for a promotion',
      group: 'waits',
      options: { status: { ...done, updatedReplicas: 1, conditions: [reconciling('AwaitingPromotion')] } },
    },
    {
      what: 'a step that waits for time',
      group: 'moves',
      options: { status: { ...done, updatedReplicas: 1, conditions: [reconciling('StepPaused')] } },
    },
    {
      what: 'a pause in a rollout',
      group: 'waits',
      options: { paused: true, status: { ...done, updatedReplicas: 1 } },
    },
    { what: 'a pause with nothing to roll out', group: 'rest', options: { paused: true, status: done } },
    { what: 'a rejected revision', group: 'fails', options: { status: { ...done, conditions: [stalled] } } },
  ])('$what: $group', ({ options, group }) => {
    expect(groupFor(options)).toBe(group);
  });

  it('fails while pods of it do', () => {
    expect(groupFor({ status: { ...done, updatedReplicas: 1 } }, CRASHING)).toBe('fails');
  });

  it.each([
    { state: 'Error', group: 'fails' },
    { state: 'NoData', group: 'moves' },
    { state: 'Pending', group: 'moves' },
  ] as const)('$group while its gate is $state', ({ state, group }) => {
    const status = { ...done, updatedReplicas: 1, conditions: [reconciling('GatePending')] };
    expect(groupFor({ status }, {}, { gates: [{ state }] })).toBe(group);
  });
});

describe('the bar', () => {
  it('tells new pods that fail from those that start', () => {
    expect(sharesWithFailures(seen({}, CRASHING).view)).toEqual({
      ready: 0,
      starting: 0,
      failing: 2,
      old: 0,
      missing: 0,
    });
    const unready = { conditions: [], phase: 'Running' };
    expect(sharesWithFailures(seen({}, unready).view)).toMatchObject({ starting: 2, failing: 0 });
  });
});

describe('a pod', () => {
  it('names its containers, first the one that kubectl takes', () => {
    const [pod] = seen({}).pods as [FullPod];
    const spec = { containers: [{ name: 'a' }, { name: 'b' }], initContainers: [{ name: 'c' }] };
    const containersOf = (annotations = {}) =>
      podRow({ ...pod, metadata: { ...pod.metadata, annotations }, spec }, '1')[1].containers;
    expect(containersOf()).toEqual(['a', 'b', 'c']);
    expect(containersOf({ 'kubectl.kubernetes.io/default-container': 'b' })).toEqual(['b', 'a', 'c']);
    expect(containersOf({ 'kubectl.kubernetes.io/default-container': 'z' })).toEqual(['a', 'b', 'c']);
  });
});

describe('the timeline', () => {
  const object = myDeployment({ replicas: 3 });
  const present = revision(object, 'v2', { number: 2, replicas: 3 });
  const ages = [
    [30, 20],
    [30, 5],
    [10, undefined],
  ] as const;
  const pods = mixedPods(object, present, 3, 0).map((pod, index) => {
    const [created, ready] = ages[index] as (typeof ages)[number];
    const condition = { type: 'Ready', status: 'True', lastTransitionTime: ready && secondsAgo(ready) };
    const status = { phase: 'Running', conditions: ready === undefined ? [] : [condition] };
    return {
      ...pod,
      metadata: { ...pod.metadata, creationTimestamp: secondsAgo(created) },
      status,
    } as unknown as FullPod;
  });

  it('says how many pods had been created and were ready, at each moment when one was', () => {
    const at = (seconds: number): number => NOW - seconds * 1_000;
    expect(timelineOf(rolloutOf({ object, revisions: [present], pods }, NOW), pods)).toEqual({
      startedAt: at(30),
      endedAt: undefined,
      wanted: 3,
      points: [
        [at(30), 2, 0],
        [at(20), 2, 1],
        [at(10), 3, 1],
        [at(5), 3, 2],
      ],
    });
  });

  it('is none without pods', () => {
    expect(timelineOf(rolloutOf({ object, revisions: [present], pods: [] }, NOW), [])).toBeNull();
  });
});

describe('the steps of a policy', () => {
  const row = (scene: SceneOptions) => policyRow(policyView(standing(scene), NOW), standing(scene));
  const errors = { name: 'errors', step: 2, values: ['0.1', 'NaN', '0.3'], message: '2 of 5 were good.' } as const;

  it('are those of the terminal, with the values of the gates of the present step to be drawn', () => {
    const { plots, ...words } = row({ step: { step: 2 }, gates: [errors, { values: ['7'] }] });
    expect(words).toEqual(policyView(standing({ step: { step: 2 }, gates: [errors, { values: ['7'] }] }), NOW));
    expect(plots).toEqual([{ name: 'errors', values: [0.1, 0.3], bounds: [0.5] }]);
  });

  it('have nothing to draw before a gate has measured, and after a rejection', () => {
    expect(row({ step: { step: 2 } }).plots).toEqual([]);
    expect(row({ step: { step: 2 }, gates: [errors], rejected: {} })).toMatchObject({ state: 'failed', plots: [] });
  });
});

describe('a decision', () => {
  it.each<{ scene: SceneOptions; fits: readonly string[] }>([
    { scene: {}, fits: ['promote', 'abort'] },
    { scene: { step: { step: 4 } }, fits: ['promote', 'abort'] },
    { scene: { gates: [{ state: 'Failed' }] }, fits: ['promote', 'abort', 'retry'] },
    { scene: { rejected: {} }, fits: ['retry'] },
    { scene: { completed: 3 }, fits: [] },
    { scene: { object: { version: 'v9' } }, fits: [] },
  ])('is offered where it fits: $fits for $scene', ({ scene, fits }) => {
    expect(decisionsFor(standing(scene))).toEqual(fits);
  });

  it.each([
    { what: 'a promotion of a step that waits for it', verb: 'promote', scene: { gates: [{ state: 'Passed' }] } },
    { what: 'a promotion in full where a step has no pause', verb: 'promote', scene: { step: { step: 3 } } },
    { what: 'an abort', verb: 'abort', scene: {} },
    { what: 'a retry of what was rejected', verb: 'retry', scene: { rejected: {} } },
  ] as const)('can be made: $what', ({ verb, scene }) => {
    expect(policyRefusal(verb, standing(scene), NOW)).toBeUndefined();
  });

  it.each([
    { verb: 'promote', scene: { rejected: {} }, says: /^There is nothing to promote: revision 3 was rejected/ },
    { verb: 'abort', scene: { step: 'none' }, says: 'There is nothing to abort: no rollout is under way.' },
    { verb: 'retry', scene: {}, says: /^There is nothing to retry: revision 3 is at step 1/ },
  ] as const)('is refused in the words of the terminal: $says', ({ verb, scene, says }) => {
    expect(policyRefusal(verb, standing(scene), NOW)).toEqual(expect.stringMatching(says));
  });
});
