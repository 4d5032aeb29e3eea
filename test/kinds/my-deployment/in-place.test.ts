// pods.inPlace, as stories on the model cluster: its kubelet does what the spec of a pod says when a test lets it.

import { describe, expect, it } from '@jest/globals';
import { TAKES_PODS_FROM } from '../../../src/kinds/my-deployment/plan/hand-over.ts';
import {
  announceInPlace,
  gatedTemplate,
  inPlaceOf,
  limitsInPlace,
  nextInPlaceAt,
} from '../../../src/kinds/my-deployment/plan/in-place.ts';
import type { Revision } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import type { Action, PodPatch } from '../../../src/workload/action.ts';
import { IN_PLACE, IN_PLACE_READY } from '../../../src/workload/in-place/names.ts';
import { isReady, type Pod } from '../../../src/workload/pod.ts';
import type { ModelCluster } from '../../support/model-cluster.ts';
import {
  type Policy,
  rest,
  revisionOf,
  roll,
  running,
  untilPromoted,
  versionOf,
  versions,
} from '../../support/rollout-story.ts';
import { type AttemptOptions, attempt } from './attempt-fixture.ts';
import { NOW, template } from './fixture.ts';

const inPlace = (gracePeriod = '0s', policy: Policy = {}): Policy => ({
  ...policy,
  pods: { inPlace: { mode: 'IfPossible', gracePeriod } },
});
const pace = (maxSurge: number, maxUnavailable: number) =>
  ({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } }) as const;

function names({ active }: ModelCluster): string[] {
  return active.map(({ metadata }) => metadata.name).sort();
}

/** The images that the pods of the cluster have been started with. */
function images({ active }: ModelCluster): Set<unknown> {
  return new Set(active.map(({ spec }) => spec?.containers?.[0]?.image));
}

function underChange({ active }: ModelCluster): number {
  return active.filter(({ metadata }) => metadata.annotations?.[IN_PLACE] !== undefined).length;
}

describe('a rollout in place', () => {
  it('keeps the pods, and never has more of them unavailable than may be', () => {
    const cluster = running({ replicas: 4, ...pace(1, 1) }, inPlace());
    const before = names(cluster);
    cluster.edit({ template: template('v2') });
    for (let round = 0; round < 10; round++) {
      cluster.settle();
      expect(cluster.active.length).toBe(4);
      expect(cluster.ready.length).toBeGreaterThanOrEqual(3);
      for (const pod of cluster.active.filter((each) => cluster.isStarting(each))) cluster.makeReady(pod);
    }
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 4 });
    expect(names(cluster)).toEqual(before);
    expect(images(cluster)).toEqual(new Set(['web:v2']));
    expect(underChange(cluster)).toBe(0);
  });

  it('writes twice to each pod without a grace period, and thrice with one', () => {
    for (const [gracePeriod, writes] of [
      ['0s', 2],
      ['10s', 3],
    ] as const) {
      const cluster = running({ replicas: 4, ...pace(1, 2) }, inPlace(gracePeriod));
      const before = cluster.writes.updatePod ?? 0;
      roll(cluster, 'v2');
      for (let round = 0; round < 5; round++) {
        cluster.now += 10_000;
        rest(cluster);
      }
      expect(versions(cluster)).toEqual({ v2: 4 });
      expect((cluster.writes.updatePod ?? 0) - before).toBe(4 * writes);
    }
  });

  it('takes a pod out of its Services for the grace period first', () => {
    const cluster = running({ replicas: 2, ...pace(0, 1) }, inPlace('30s'));
    cluster.edit({ template: template('v2') });
    expect(cluster.settle().checkAgainAt).toBe(cluster.now + 30_000);
    const [leaving] = cluster.active.filter((pod) => !isReady(pod));
    expect(leaving?.status?.conditions).toContainEqual(
      expect.objectContaining({ type: IN_PLACE_READY, status: 'False' }),
    );
    expect(versions(cluster)).toEqual({ v1: 2 });
    expect(images(cluster)).toEqual(new Set(['web:v1']));
    cluster.now += 30_000;
    cluster.settle();
    expect(versions(cluster)).toEqual({ v1: 1, v2: 1 });
  });

  it('lets a pod that was leaving return when the template goes back', () => {
    const cluster = running({ replicas: 2, ...pace(0, 1) }, inPlace('30s'));
    const before = names(cluster);
    cluster.edit({ template: template('v2') });
    cluster.settle();
    cluster.edit({ template: template('v1') });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 2 });
    expect([names(cluster), underChange(cluster), cluster.ready.length]).toEqual([before, 0, 2]);
  });

  it('goes back in place from an image that does not start', () => {
    const cluster = running({ replicas: 4, ...pace(1, 1) }, inPlace('0s', { rollback: {} }));
    const before = names(cluster);
    cluster.edit({ template: template('v2') });
    cluster.settle();
    for (const pod of cluster.active.filter((each) => versionOf(cluster, each) === 'v2')) cluster.crash(pod);
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 4 });
    expect([names(cluster), underChange(cluster), cluster.ready.length]).toEqual([before, 0, 4]);
  });

  it('works in steps', () => {
    const cluster = running(
      { replicas: 4, ...pace(1, 1) },
      inPlace('0s', { steps: [{ replicas: 1, pause: untilPromoted }] }),
    );
    const before = names(cluster);
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v1: 3, v2: 1 });
    expect(names(cluster)).toEqual(before);
  });

  it.each([
    { name: 'maxUnavailable 0', limits: pace(1, 0), policy: inPlace() },
    { name: 'mode Never', limits: pace(1, 1), policy: { pods: { inPlace: { mode: 'Never' } } } as Policy },
    { name: 'Recreate', limits: { strategy: { type: 'Recreate' } } as const, policy: inPlace() },
  ])('replaces pods under $name', ({ limits, policy }) => {
    const cluster = running({ replicas: 3, ...limits }, policy);
    const before = names(cluster);
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v2: 3 });
    expect(names(cluster).filter((name) => before.includes(name))).toEqual([]);
  });
});

describe('the events of a plan', () => {
  const told = ({ events }: ModelCluster): string[] =>
    events.filter(({ reason }) => reason.includes('InPlace')).map(({ reason, message }) => `${reason}: ${message}`);

  it('tell how many pods were changed, once a step', () => {
    const cluster = running({ replicas: 3, ...pace(0, 2) }, inPlace());
    roll(cluster, 'v2');
    const { name } = revisionOf(cluster, 'v2').metadata;
    expect(told(cluster)).toEqual([
      `InPlaceUpdate: Changed 2 pods in place to revision ${name}`,
      `InPlaceUpdate: Changed 1 pod in place to revision ${name}`,
    ]);
  });

  it('count each pod once, and say why others are replaced', () => {
    const pod = { name: 'web-1', uid: 'u', resourceVersion: '1', revision: 'web-2', because: '' };
    const updated = (...patches: readonly PodPatch[]): Action => ({ do: 'updatePod', ...pod, patches });
    const deleted = (notInPlace?: string): Action => ({ do: 'deletePod', ...pod, ...(notInPlace && { notInPlace }) });
    const events = announceInPlace([
      updated({ body: { metadata: { labels: { a: 'b' } } } }, { subresource: 'resize', body: {} }),
      updated({ subresource: 'status', body: {} }),
      deleted('args change'),
      deleted('args change'),
      deleted(),
    ]);
    expect(events).toEqual([
      { type: 'Normal', reason: 'InPlaceUpdate', message: 'Changed 1 pod in place to revision web-2' },
      { type: 'Normal', reason: 'NotInPlace', message: 'Replaced 2 pods instead: args change' },
    ]);
  });
});

describe('pods that can be changed', () => {
  type Pods = Parameters<NonNullable<AttemptOptions['pods']>>[0];
  const asked = { steps: [], pods: { inPlace: { mode: 'IfPossible' } } } as const;
  const spec = { ...asked, pods: { inPlace: { ...asked.pods.inPlace, gracePeriod: '5s' } } };
  /** All but the first few of these pods can be changed. */
  const able = (pods: Pods, version: string, unable: number): Pods =>
    pods.map((pod, index) => ({
      ...pod,
      spec: {
        nodeName: 'node',
        readinessGates: index < unable ? [] : [{ conditionType: IN_PLACE_READY }],
        containers: [{ name: 'web', image: `web:${version}` }],
      },
      metadata: { ...pod.metadata, generation: 1 },
      status: { ...pod.status, observedGeneration: 1 },
    }));
  const rolloutOf = (unable: readonly [number, number], options: AttemptOptions = {}) =>
    attempt({
      stable: [10, 10],
      update: [0, 0],
      spec,
      ...options,
      object: { maxSurge: 3, maxUnavailable: 2, ...options.object },
      pods: (update, stable) => [...able(stable, 'v1', unable[0]), ...able(update, 'v2', unable[1])],
    });
  const surge = (...args: Parameters<typeof rolloutOf>): number => {
    const rollout = rolloutOf(...args);
    return limitsInPlace(rollout, rollout.update, undefined).maxSurge;
  };

  it.each<{ name: string; unable: readonly [number, number]; options?: AttemptOptions; is: number }>([
    { name: 'none where all can', unable: [0, 0], is: 0 },
    { name: 'one for each that cannot', unable: [2, 0], is: 2 },
    { name: 'one for a single one that cannot', unable: [1, 0], options: { stable: [1, 1] }, is: 1 },
    { name: 'no more than there is', unable: [10, 0], is: 3 },
    { name: 'none for pods that have arrived', unable: [0, 2], options: { stable: [8, 8], update: [2, 2] }, is: 0 },
    {
      name: 'all while a ReplicaSet gives its pods',
      unable: [0, 0],
      options: { object: { metadata: { annotations: { [TAKES_PODS_FROM]: 'rs' } } } },
      is: 3,
    },
  ])('need of the surge $name', ({ unable, options, is }) => {
    expect(surge(unable, options)).toBe(is);
  });

  it('leave a step the surge that it has of its own', () => {
    const rollout = rolloutOf([0, 0]);
    const [stable, update] = rollout.revisions as [Revision, Revision];
    const targets = new Map([
      [stable, 10],
      [update, 2],
    ]);
    expect(limitsInPlace(rollout, update, targets).maxSurge).toBe(2);
  });

  it('have the gate beside those of their template', () => {
    const other = { conditionType: 'example.com/other' };
    const gated = { ...template('v2'), spec: { ...template('v2').spec, readinessGates: [other] } };
    const gatesOf = (one: typeof gated | ReturnType<typeof template>) =>
      gatedTemplate(one, rolloutOf([0, 0])).spec.readinessGates;
    expect(gatesOf(gated)).toEqual([other, { conditionType: IN_PLACE_READY }]);
    expect(gatesOf(template('v2'))).toEqual([{ conditionType: IN_PLACE_READY }]);
    expect(gatedTemplate(gated, attempt())).toBe(gated);
  });

  it.each<{ name: string; gracePeriod: string; ago: number; at: number | undefined }>([
    { name: 'when their grace period is over', gracePeriod: '5s', ago: 2, at: 3000 },
    { name: 'not when that is now', gracePeriod: '5s', ago: 5, at: undefined },
    { name: 'not when that is past', gracePeriod: '5s', ago: 9, at: undefined },
    { name: 'without a grace period where that cannot be read', gracePeriod: 'soon', ago: -2, at: 2000 },
  ])('are due $name', ({ gracePeriod, ago, at }) => {
    const record = { from: 'a', to: 'b', at: new Date(NOW - ago * 1000).toISOString() };
    const rollout = attempt({
      spec: { ...asked, pods: { inPlace: { ...asked.pods.inPlace, gracePeriod } } },
      pods: (update, stable) => [
        ...stable,
        ...update.map((pod) => ({
          ...pod,
          metadata: { ...pod.metadata, annotations: { [IN_PLACE]: JSON.stringify(record) } },
        })),
      ],
    });
    expect(nextInPlaceAt(rollout)).toBe(at && NOW + at);
  });

  it('are judged for each revision that they come from', () => {
    const rollout = rolloutOf([0, 0]);
    const [stable, update] = rollout.revisions as [Revision, Revision];
    const withArgs = { metadata: {}, spec: { containers: [{ name: 'web', image: 'web:v1', args: ['-v'] }] } };
    const other = { ...stable, name: 'web-other', hash: 'other', template: withArgs };
    const { change } = inPlaceOf({ ...rollout, revisions: [stable, other, update] });
    const group = ({ name, active }: Revision) => ({ revision: name, source: undefined, active, desired: 0 });
    const is = (from: Revision) => change(stable.active[0] as Pod, group(from), group(update))?.is;
    expect([is(stable), is(other), is(stable)]).toEqual(['due', 'impossible', 'due']);
  });

  it('leave for ten seconds where the policy does not say for how long', () => {
    const cluster = running({ replicas: 2, ...pace(0, 1) }, { pods: { inPlace: { mode: 'IfPossible' } } });
    cluster.edit({ template: template('v2') });
    expect(cluster.settle().checkAgainAt).toBe(cluster.now + 10_000);
  });
});
