// One pod on its way from one revision to another in place: what is written next, what is waited for, and when it is replaced.

import { describe, expect, it } from '@jest/globals';
import { timestamp } from '../../../src/runtime/conditions.ts';
import type { Refusals } from '../../../src/runtime/consistency/refusals.ts';
import { finishInPlace } from '../../../src/workload/in-place/finish.ts';
import { IN_PLACE, IN_PLACE_READY } from '../../../src/workload/in-place/names.ts';
import { changeInPlace, nextChangeAt, type PodChange, versionOf } from '../../../src/workload/in-place/pod-change.ts';
import { hasInPlaceGate, inPlaceRecord } from '../../../src/workload/in-place/record.ts';
import { wayBetween } from '../../../src/workload/in-place/template-change.ts';
import { isReady, type Pod } from '../../../src/workload/pod.ts';
import { podFailure } from '../../../src/workload/pod-failure.ts';
import type { PodTemplate } from '../../../src/workload/template-schema.ts';

const NOW = Date.UTC(2026, 0, 1);
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();
const template = (image: string, cpu = '1', resizePolicy?: string): PodTemplate => ({
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [
      {
        name: 'web',
        image,
        resources: { requests: { cpu } },
        ...(resizePolicy && { resizePolicy: [{ resourceName: 'cpu', restartPolicy: resizePolicy }] }),
      },
    ],
  },
});
const v1 = versionOf('h1', template('web:1'));
const v2 = versionOf('h2', template('web:2'));
const bigger = versionOf('h3', template('web:1', '2'));

interface State {
  readonly annotation?: string | object;
  readonly generation?: number;
  readonly observed?: number | null;
  readonly image?: string;
  readonly cpu?: string;
  readonly id?: string;
  readonly stopped?: boolean;
  readonly gate?: 'True' | 'False' | 'none';
  readonly ready?: 'True' | 'False';
  readonly conditions?: NonNullable<Pod['status']>['conditions'];
  readonly labels?: Readonly<Record<string, string>>;
  readonly nodeName?: string | null;
  readonly gated?: boolean;
}

/** A pod of v1 that runs, unless told otherwise. */
function pod(state: State = {}): Pod {
  const {
    annotation,
    generation = 1,
    observed = generation,
    image = 'web:1',
    cpu = '1',
    id = 'c1',
    gate = 'True',
  } = state;
  const {
    ready = 'True',
    stopped = false,
    conditions = [],
    labels = v1.labels,
    nodeName = 'node',
    gated = true,
  } = state;
  const since = timestamp(NOW - 60_000);
  return {
    metadata: {
      name: 'web-1',
      uid: 'u1',
      resourceVersion: '5',
      generation,
      labels,
      ...(annotation !== undefined && {
        annotations: { [IN_PLACE]: typeof annotation === 'string' ? annotation : JSON.stringify(annotation) },
      }),
    },
    spec: {
      ...(nodeName !== null && { nodeName }),
      readinessGates: gated ? [{ conditionType: IN_PLACE_READY }] : [],
      containers: [{ name: 'web', image, resources: { requests: { cpu } } }],
    },
    status: {
      phase: 'Running',
      ...(observed !== null && { observedGeneration: observed }),
      conditions: [
        { type: 'Ready', status: ready, lastTransitionTime: since },
        { type: 'ContainersReady', status: ready, lastTransitionTime: since },
        ...(gate === 'none' ? [] : [{ type: IN_PLACE_READY, status: gate }]),
        ...conditions,
      ],
      containerStatuses: [
        {
          name: 'web',
          containerID: id,
          restartCount: 4,
          ...(!stopped && { state: { running: { startedAt: since } } }),
        },
      ],
    },
  };
}

const refusals: Refusals = new Map([['u1', { reason: 'FailedUpdate', message: 'no', forMs: 1 }]]);
const none: Refusals = new Map();
const change = (one: Pod, to = v2, gracePeriodMs = 0, from = v1, refused = none): PodChange =>
  changeInPlace(one, wayBetween(from, to), { gracePeriodMs, now: NOW, refusals: refused });
const finish = (one: Pod, version = v2, refused = none): PodChange | undefined =>
  finishInPlace(one, version, { now: NOW, refusals: refused });
const leaving = (seconds: number) => ({ from: 'h1', to: 'h2', at: at(seconds) });
const changed = (seconds = 0, id = 'c1', generation = 2) => ({
  ...leaving(seconds),
  changed: { generation, containers: { web: { id, restarts: 4 } } },
});
const stuck = (type: string, reason: string, seconds: number) => [
  { type, status: 'True', reason, lastTransitionTime: timestamp(NOW + seconds * 1000) },
];

describe('the next step from one revision to another', () => {
  it('is one patch with labels, images and a record of what was there', () => {
    const done = change(pod());
    const record = {
      from: 'h1',
      to: 'h2',
      at: at(0),
      changed: { generation: 2, containers: { web: { id: 'c1', restarts: 4 } } },
    };
    expect(done).toMatchObject({
      is: 'due',
      patches: [
        {
          body: {
            metadata: {
              labels: { app: 'web', 'controller-revision-hash': 'h2', 'pod-template-hash': 'h2' },
              annotations: { [IN_PLACE]: JSON.stringify(record) },
            },
            spec: { containers: [{ name: 'web', image: 'web:2' }] },
          },
        },
      ],
    });
  });

  it('removes labels that the new template has not', () => {
    const from = versionOf('h1', { ...template('web:1'), metadata: { labels: { app: 'web', old: 'x' } } });
    expect(change(pod(), v2, 0, from)).toMatchObject({ patches: [{ body: { metadata: { labels: { old: null } } } }] });
  });

  it('resizes after the labels, through its own endpoint, and without a stop if the container need not restart', () => {
    const containers = [{ name: 'web', resources: { requests: { cpu: '2' }, limits: {} } }];
    for (const gracePeriodMs of [0, 10_000]) {
      const done = change(pod(), bigger, gracePeriodMs);
      expect(done).toMatchObject({
        patches: [{ body: {} }, { subresource: 'resize', body: { spec: { containers } } }],
      });
      expect((done as Extract<PodChange, { is: 'due' }>).patches[0]?.body).not.toHaveProperty('spec');
    }
  });

  it('writes labels alone, and no record, where nothing else differs', () => {
    const to = versionOf('h4', template('web:1'));
    const done = change(pod(), to, 10_000) as Extract<PodChange, { is: 'due' }>;
    expect(done.patches).toEqual([{ body: { metadata: { labels: to.labels } } }]);
  });

  it.each<{ name: string; state: State; to?: typeof v2; says: string }>([
    { name: 'serves: it leaves first', state: {}, says: 'leaves its Services' },
    { name: 'is leaving', state: { annotation: leaving(-9), gate: 'False' }, says: 'waiting' },
    { name: 'has left', state: { annotation: leaving(-10), gate: 'False' }, says: 'becomes a pod of h2' },
    {
      name: 'left in the future, by a clock that was wrong',
      state: { annotation: leaving(9), gate: 'False' },
      says: 'becomes a pod of h2',
    },
    { name: 'gets no requests anyway', state: { ready: 'False' }, says: 'becomes a pod of h2' },
    {
      name: 'restarts for its resize',
      state: {},
      to: versionOf('h3', template('web:1', '2', 'RestartContainer')),
      says: 'spec',
    },
  ])('with a grace period, of a pod that $name', ({ state, to = v2, says }) => {
    const from = to === v2 ? v1 : versionOf('h1', template('web:1', '1', 'RestartContainer'));
    const done = change(pod(state), to, 10_000, from);
    if (says === 'waiting') expect(done.is).toBe('waiting');
    else if (says === 'spec') expect(done).toMatchObject({ what: 'leaves its Services' });
    else expect(done).toMatchObject({ is: 'due', what: says });
  });

  it.each<{ state: State; says: string }>([
    { state: { gated: false }, says: `it was created without the readiness gate ${IN_PLACE_READY}` },
    { state: { nodeName: null }, says: 'it is not scheduled yet' },
    { state: { observed: null }, says: 'its kubelet has not reported status.observedGeneration' },
    { state: { generation: 2, observed: 1 }, says: 'its kubelet has not done its last change' },
    { state: { image: 'mirror/web:1' }, says: 'it has other images than its template' },
    { state: { cpu: '4' }, says: 'it has other resources than its template' },
    { state: { annotation: '{' }, says: `its annotation ${IN_PLACE} cannot be read` },
  ])('is replaced: $says', ({ state, says }) => {
    expect(change(pod(state))).toEqual({ is: 'impossible', because: says });
  });

  it('is replaced when the API server has refused it', () => {
    expect(change(pod(), v2, 0, v1, refusals)).toEqual({
      is: 'impossible',
      because: 'the API server refuses the change: no',
    });
  });
});

describe('a pod that is changed again before it is done', () => {
  const back = (state: State) =>
    change(pod({ image: 'web:2', generation: 2, labels: v2.labels, annotation: changed(), ...state }), v1, 10_000, v2);

  it('waits for its kubelet, because a container that still runs may as well stay', () => {
    expect(back({ observed: 1 }).is).toBe('waiting');
    expect(back({}).is).toBe('waiting');
    expect(back({ annotation: changed(-60) })).toMatchObject({ is: 'impossible' });
  });

  it.each<{ name: string; state: State; id: string }>([
    { name: 'was stopped', state: { stopped: true }, id: 'c1' },
    { name: 'was started anew', state: { id: 'c2' }, id: 'c2' },
  ])('changes once the container $name', ({ state, id }) => {
    const done = back(state);
    const { patches } = done as Extract<PodChange, { is: 'due' }>;
    const record = JSON.parse(patches[0]?.body.metadata?.annotations?.[IN_PLACE] ?? '');
    expect(record).toEqual({
      from: 'h2',
      to: 'h1',
      at: at(0),
      changed: { generation: 3, containers: { web: { id, restarts: 4 } } },
    });
  });

  it('takes a resize back that was not finished', () => {
    const state = { cpu: '2', generation: 2, annotation: { ...changed(), changed: { generation: 1, containers: {} } } };
    expect(change(pod({ ...state, labels: bigger.labels }), v1, 0, bigger)).toMatchObject({
      patches: [{}, { subresource: 'resize' }],
    });
  });
});

describe('the end of a change', () => {
  const now = (state: State = {}) =>
    finish(pod({ image: 'web:2', generation: 2, labels: v2.labels, annotation: changed(), id: 'c2', ...state }));

  it('is one patch of the status, which also removes the record', () => {
    expect(now()).toMatchObject({
      what: 'is changed',
      patches: [
        {
          subresource: 'status',
          body: {
            metadata: { annotations: { [IN_PLACE]: null } },
            status: { conditions: [{ type: IN_PLACE_READY, status: 'True' }] },
          },
        },
      ],
    });
  });

  it.each<{ name: string; state: State }>([
    { name: 'the kubelet has not seen it', state: { observed: 1, id: 'c1' } },
    { name: 'the container is the one that was there before', state: { id: 'c1' } },
    { name: 'the container was never started', state: { id: '' } },
    { name: 'the containers are not ready', state: { ready: 'False' } },
    { name: 'a resize is pending', state: { conditions: stuck('PodResizePending', 'Deferred', -59) } },
    { name: 'a resize is in progress', state: { conditions: stuck('PodResizeInProgress', '', -500) } },
  ])('is not there while $name', ({ state }) => {
    expect(now(state)?.is).toBe('waiting');
  });

  it('notes a container anew that crashed before the kubelet saw the change', () => {
    const { patches } = now({ observed: 1, id: 'c9' }) as Extract<PodChange, { is: 'due' }>;
    const [{ body }] = patches as [(typeof patches)[number]];
    expect(JSON.parse(body.metadata?.annotations?.[IN_PLACE] ?? '')).toEqual(changed(0, 'c9'));
    // The images were seen, and only the resize was not: this is the new container.
    expect(now({ generation: 3, observed: 2 })?.is).toBe('waiting');
  });

  it('resizes first what is not resized, after a crash between both patches', () => {
    expect(now({ cpu: '3' })).toMatchObject({ what: 'is resized', patches: [{ subresource: 'resize' }] });
  });

  it.each<{ state: State; says: RegExp }>([
    { state: { conditions: stuck('PodResizePending', 'Infeasible', 0) }, says: /Infeasible/ },
    { state: { conditions: stuck('PodResizePending', 'Deferred', -60) }, says: /stuck \(Deferred\) for 60 seconds/ },
    { state: { conditions: stuck('PodResizeInProgress', 'Error', -60) }, says: /stuck \(Error\)/ },
    { state: { annotation: '[]' }, says: /cannot be read/ },
    { state: { annotation: { ...changed(), to: 'h9' } }, says: /was to become a pod of h9/ },
  ])('is a replacement where $says', ({ state, says }) => {
    expect(now(state)).toEqual({ is: 'impossible', because: expect.stringMatching(says) });
  });

  it('is a replacement where the API server refuses the rest, and nothing where the template is lost', () => {
    const one = pod({ image: 'web:2', generation: 2, labels: v2.labels, annotation: changed(), cpu: '3' });
    expect(finish(one, v2, refusals)).toMatchObject({ is: 'impossible' });
    expect(finishInPlace(one, undefined, { now: NOW, refusals: none })).toBeUndefined();
  });
});

describe('a pod that stays of its revision', () => {
  it.each<{ name: string; state: State; what: string | undefined }>([
    { name: 'is new', state: { gate: 'none', observed: null }, what: 'may serve' },
    { name: 'was about to leave', state: { annotation: leaving(-5), gate: 'False' }, what: 'may serve' },
    { name: 'has lost its condition to somebody', state: { gate: 'False' }, what: 'may serve' },
    { name: 'serves', state: {}, what: undefined },
    { name: 'has no gate', state: { gated: false, gate: 'none' }, what: undefined },
  ])('and $name', ({ state, what }) => {
    const done = finish(pod(state), v1);
    expect(done && 'what' in done ? done.what : undefined).toBe(what);
  });

  it('and is on its way out is left alone', () => {
    const one = pod({ gate: 'none' });
    expect(finish({ ...one, metadata: { ...one.metadata, deletionTimestamp: at(0) } }, v1)).toBeUndefined();
  });
});

it('is not ready, whatever its status says', () => {
  expect([isReady(pod()), isReady(pod({ annotation: changed() })), isReady(pod({ annotation: '?' }))]).toEqual([
    true,
    false,
    false,
  ]);
});

it('counts crashes since the change', () => {
  const crashing = (restartCount: number): Pod => {
    const one = pod({ annotation: changed() });
    const status = { name: 'web', restartCount, state: { waiting: { reason: 'CrashLoopBackOff' } } };
    return { ...one, status: { ...one.status, containerStatuses: [status] } };
  };
  expect([podFailure(crashing(7)), podFailure(crashing(8))]).toEqual([
    undefined,
    'pod "web-1": container "web" crashed 3 times',
  ]);
});

it('is looked at again when its grace period, or the patience with it, is over', () => {
  expect(nextChangeAt(pod(), 10_000)).toEqual([]);
  expect(nextChangeAt(pod({ annotation: leaving(0) }), 10_000)).toEqual([NOW + 10_000]);
  const conditions = stuck('PodResizePending', 'Deferred', 5);
  expect(nextChangeAt(pod({ annotation: changed(), conditions }), 10_000)).toEqual([NOW + 60_000, NOW + 65_000]);
});

it.each([
  '',
  '7',
  'null',
  '{}',
  '{"from":"a","to":"b","at":"never"}',
  '{"from":"a","to":"b","at":"2026-01-01","changed":{}}',
  '{"from":1,"to":"b","at":"2026-01-01"}',
  '{"from":"a","to":1,"at":"2026-01-01"}',
  '{"from":"a","to":"b","at":2026}',
  '{"from":"a","to":"b","at":"2026-01-01","changed":{"generation":1}}',
  '{"from":"a","to":"b","at":"2026-01-01","changed":{"generation":"1","containers":{}}}',
  '{"from":"a","to":"b","at":"2026-01-01","changed":{"generation":1,"containers":null}}',
  '{"from":"a","to":"b","at":"2026-01-01","changed":{"generation":1,"containers":{"web":null}}}',
  '{"from":"a","to":"b","at":"2026-01-01","changed":{"generation":1,"containers":{"web":{"id":1,"restarts":1}}}}',
  '{"from":"a","to":"b","at":"2026-01-01","changed":{"generation":1,"containers":{"web":{"id":"c"}}}}',
])('takes %s for no record', (annotation) => {
  expect(inPlaceRecord(pod({ annotation }))).toBeUndefined();
  expect(hasInPlaceGate(pod({ annotation }))).toBe(true);
});

describe('a resize', () => {
  it('is stuck where the kubelet says that it defers it or fails, and nowhere else', () => {
    const at = (type: string, reason: string, status = 'True') => {
      const [condition] = stuck(type, reason, 5) as [NonNullable<State['conditions']>[number]];
      return nextChangeAt(pod({ annotation: changed(), conditions: [{ ...condition, status }] }), 0).length > 1;
    };
    expect([at('PodResizePending', 'Deferred'), at('PodResizeInProgress', 'Error')]).toEqual([true, true]);
    expect([at('PodResizePending', 'Infeasible'), at('PodResizeInProgress', 'Deferred')]).toEqual([false, false]);
    expect([at('PodResizePending', 'Deferred', 'False'), at('Other', 'Deferred'), at('Other', 'Error')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('alone notes no container and no generation to come, but is recorded', () => {
    const { patches } = change(pod(), bigger) as Extract<PodChange, { is: 'due' }>;
    expect(recordIn(patches)).toMatchObject({ to: 'h3', changed: { generation: 1, containers: {} } });
  });

  it('of ours that was not done is no obstacle, unlike one of somebody else', () => {
    const annotation = { ...changed(), changed: { generation: 1, containers: {} } };
    const state = { cpu: '1', generation: 2, labels: bigger.labels };
    expect(change(pod({ ...state, annotation }), v1, 0, bigger).is).toBe('due');
    expect(change(pod(state), v1, 0, bigger).is).toBe('impossible');
  });

  it('that restarts one of several containers makes the pod leave', () => {
    const resources = (cpu: string) => ({ requests: { cpu } });
    const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
    const side = { name: 'side', image: 'side:1', resources: resources('2') };
    const version = (hash: string, cpu: string) =>
      versionOf(hash, {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'web:1', resources: resources(cpu), resizePolicy }, side] },
      });
    const one = pod();
    const both = { ...one, spec: { ...one.spec, containers: [...(one.spec?.containers ?? []), side] } };
    expect(change(both, version('h2', '2'), 10_000, version('h1', '1'))).toMatchObject({ what: 'leaves its Services' });
  });
});

describe('what is written', () => {
  it('to make a pod leave its Services says why, and since when', () => {
    const { patches } = change(pod(), v2, 1) as Extract<PodChange, { is: 'due' }>;
    expect(patches).toEqual([
      {
        subresource: 'status',
        body: {
          metadata: { annotations: { [IN_PLACE]: JSON.stringify(leaving(0)) } },
          status: {
            conditions: [
              {
                type: IN_PLACE_READY,
                status: 'False',
                reason: 'ChangingInPlace',
                message: 'The pod is about to be changed in place',
                lastTransitionTime: timestamp(NOW),
              },
            ],
          },
        },
      },
    ]);
  });

  it('to let it serve says since when', () => {
    const { patches } = finish(pod({ gate: 'none' }), v1) as Extract<PodChange, { is: 'due' }>;
    expect(patches[0]?.body.status).toEqual({
      conditions: [{ type: IN_PLACE_READY, status: 'True', lastTransitionTime: timestamp(NOW) }],
    });
  });

  it('notes a container that has no status yet as one that was not started', () => {
    const { status, ...one } = pod();
    const { containerStatuses: _, ...silent } = status ?? {};
    const { patches } = change({ ...one, status: silent }) as Extract<PodChange, { is: 'due' }>;
    expect(recordIn(patches).changed.containers).toEqual({ web: { id: '', restarts: 0 } });
  });

  it.each<{ name: string; state: State; containers: object }>([
    {
      name: 'keeps what the change before has not started anew',
      state: { stopped: true },
      containers: { web: { id: 'c1', restarts: 4 } },
    },
    { name: 'leaves out what it has', state: { id: 'c2' }, containers: {} },
  ])('about a pod that is changed again $name', ({ state, containers }) => {
    const one = pod({ image: 'web:2', generation: 2, labels: v2.labels, annotation: changed(), ...state });
    const { patches } = change(one, versionOf('h5', template('web:2')), 0, v2) as Extract<PodChange, { is: 'due' }>;
    expect(recordIn(patches)).toMatchObject({ from: 'h2', to: 'h5', changed: { generation: 2 } });
    expect(recordIn(patches).changed.containers).toEqual(containers);
  });

  it('is nothing where the templates do not allow it', () => {
    const args = { ...v2, template: { spec: { containers: [{ name: 'web', image: 'web:2', args: ['-v'] }] } } };
    expect(change(pod(), args)).toEqual({ is: 'impossible', because: 'args of container "web" changes' });
  });
});

function recordIn(patches: Extract<PodChange, { is: 'due' }>['patches']) {
  return JSON.parse(patches[0]?.body.metadata?.annotations?.[IN_PLACE] ?? '');
}

describe('a change of two containers', () => {
  const noted = { web: { id: 'c1', restarts: 4 }, side: { id: 's1', restarts: 0 } };
  const annotation = { ...leaving(0), changed: { generation: 2, containers: noted } };
  /** The IDs that the containers have now; none where the kubelet reports no such container. */
  const now = (ids: Readonly<Record<string, string | undefined>>, state: State = {}) => {
    const one = pod({ image: 'web:2', generation: 2, labels: v2.labels, annotation, ...state });
    const containerStatuses = Object.entries(ids).map(([name, containerID]) => ({
      name,
      restartCount: 0,
      ...(containerID && { containerID }),
    }));
    return finish({ ...one, status: { ...one.status, containerStatuses } });
  };

  it('is not done before both have been started anew', () => {
    expect(now({ web: 'c2', side: 's1' })?.is).toBe('waiting');
    expect(now({ web: 'c2', side: 's2' })).toMatchObject({ what: 'is changed' });
  });

  it.each([
    { name: 'runs as before', side: 's1' },
    { name: 'is not reported', side: undefined },
  ])('notes one that crashed before the kubelet saw the change, and keeps the other, which $name', ({ side }) => {
    const crashed = now({ web: 'c9', side }, { observed: 1 });
    const { patches } = crashed as Extract<PodChange, { is: 'due' }>;
    expect(recordIn(patches).changed.containers).toEqual({ ...noted, web: { id: 'c9', restarts: 0 } });
  });

  it('takes a container that is not reported for none that crashed', () => {
    expect(now({ web: undefined, side: 's1' }, { observed: 1 })?.is).toBe('waiting');
  });
});

describe('a kubelet that has not reported what it has seen', () => {
  const state: State = { image: 'web:2', generation: 1, observed: null, labels: v2.labels };

  it('has not seen the change', () => {
    expect(finish(pod({ ...state, annotation: changed(0, 'c1', 0), id: 'c2' }))?.is).toBe('waiting');
  });

  it('has not seen it when a container crashes, either', () => {
    expect(finish(pod({ ...state, annotation: changed(0, 'c1', 1), id: 'c9' }))).toMatchObject({
      what: 'has crashed before its change',
    });
  });
});

it.each<{ name: string; state: State }>([
  { name: 'of a resize that is over', state: { conditions: [{ ...condition('Infeasible'), status: 'False' }] } },
  { name: 'of another kind', state: { conditions: [{ ...condition('Infeasible'), type: 'Other' }] } },
])('a condition $name does not keep a change from its end', ({ state }) => {
  const done = { image: 'web:2', generation: 2, labels: v2.labels, annotation: changed(), id: 'c2' };
  expect(finish(pod({ ...done, ...state }))).toMatchObject({ what: 'is changed' });
});

it('what the kubelet said of a resize before it saw this one does not count', () => {
  const state = { image: 'web:2', generation: 2, observed: 1, labels: v2.labels, annotation: changed() };
  expect(finish(pod({ ...state, conditions: stuck('PodResizePending', 'Infeasible', 0) }))?.is).toBe('waiting');
});

function condition(reason: string) {
  return { type: 'PodResizePending', status: 'True', reason };
}
