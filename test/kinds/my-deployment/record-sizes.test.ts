import { describe, expect, it } from '@jest/globals';
import { withUpdate } from '../../../src/kinds/my-deployment/plan/history.ts';
import { withMinAvailable } from '../../../src/kinds/my-deployment/plan/keep-min-available.ts';
import { announceSizes, recordSizes } from '../../../src/kinds/my-deployment/plan/record-sizes.ts';
import { observe, type Revision, type Rollout } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import {
  mixedPods,
  myDeployment,
  NOW,
  type ObjectOptions,
  type RevisionOptions,
  revision,
  snapshotOf,
} from './fixture.ts';

const P = 'mydeployment.kubebuilder.zq.com';
const CAUSE = 'kubernetes.io/change-cause';

/** Of 10 replicas and a surge of 3, one old revision and one new. */
function rolloutOf(old: RevisionOptions, update?: RevisionOptions, options: ObjectOptions = {}): Rollout {
  const object = myDeployment({ replicas: 10, maxSurge: 3, maxUnavailable: 2, ...options });
  const revisions = [revision(object, 'v1', old), ...(update ? [revision(object, 'v2', update)] : [])];
  return observe(snapshotOf(object, revisions), NOW);
}

function sized(rollout: Rollout, sizes: Readonly<Record<string, number>>): ReadonlyMap<Revision, number> {
  const version = (one: Revision): string => String(one.template?.spec.containers[0]?.image?.slice('web:'.length));
  return new Map(
    rollout.revisions.flatMap((one) => (version(one) in sizes ? [[one, sizes[version(one)] as number]] : [])),
  );
}

const full = { of: 10, ceiling: 13 };

describe('the records of a step', () => {
  it('are written down before up, each with one write', () => {
    const rollout = rolloutOf({ number: 1, replicas: 10, ...full }, { number: 2, replicas: 0, ...full });
    const actions = recordSizes(rollout, sized(rollout, { v1: 8, v2: 5 }), 'changed');
    expect(actions).toEqual([
      {
        do: 'updateRevision',
        name: rollout.revisions[0]?.name,
        uid: 'v1-uid',
        resourceVersion: '7',
        annotations: { [`${P}/replicas`]: '8' },
      },
      {
        do: 'updateRevision',
        name: rollout.revisions[1]?.name,
        uid: 'v2-uid',
        resourceVersion: '7',
        annotations: { [`${P}/replicas`]: '5' },
      },
    ]);
  });

  it('has what is recorded of the attempt in the write of the update alone', () => {
    const rollout = rolloutOf({ number: 1, replicas: 10, ...full }, { number: 2, replicas: 0, ...full });
    const actions = recordSizes(rollout, sized(rollout, { v1: 8, v2: 5 }), 'changed', { step: '1' });
    expect(actions).toMatchObject([{ uid: 'v1-uid' }, { uid: 'v2-uid', annotations: { step: '1' } }]);
    expect(actions[0]).not.toHaveProperty('annotations.step');
  });

  it('controller_history_test.go TestRealHistory_UpdateControllerRevision, no noop: none where nothing changed', () => {
    const rollout = rolloutOf({ number: 1, replicas: 8, ...full }, { number: 2, replicas: 5, ...full });
    expect(recordSizes(rollout, sized(rollout, { v1: 8, v2: 5 }), 'changed')).toEqual([]);
    expect(recordSizes(rollout, new Map(), 'active')).toEqual([]);
  });

  it.each([
    { name: 'changed', of: 5, replicas: 8, scope: 'changed', written: 0 },
    { name: 'active, with pods', of: 5, replicas: 8, scope: 'active', written: 1 },
    { name: 'active, without pods', of: 5, replicas: 0, scope: 'active', written: 0 },
  ] as const)('note the size of the owner: $name', ({ of, replicas, scope, written }) => {
    const rollout = rolloutOf({ number: 1, replicas, of, ceiling: 13 });
    const actions = recordSizes(rollout, new Map(), scope);
    expect(actions).toHaveLength(written);
    if (written > 0) expect(actions).toMatchObject([{ annotations: { [`${P}/desired-replicas`]: '10' } }]);
  });

  it('are written down before up, also when it is the newer revision that shrinks', () => {
    const rollout = rolloutOf({ number: 1, replicas: 3, ...full }, { number: 2, replicas: 10, ...full });
    expect(recordSizes(rollout, sized(rollout, { v1: 6, v2: 7 }), 'changed')).toMatchObject([
      { uid: 'v2-uid', annotations: { [`${P}/replicas`]: '7' } },
      { uid: 'v1-uid', annotations: { [`${P}/replicas`]: '6' } },
    ]);
  });

  it('are completed where a count was never recorded', () => {
    const rollout = rolloutOf({ number: 1 });
    expect(recordSizes(rollout, new Map(), 'changed')).toMatchObject([
      { annotations: { [`${P}/replicas`]: '0', [`${P}/desired-replicas`]: '10', [`${P}/max-replicas`]: '13' } },
    ]);
  });
});

describe('the record of the new revision', () => {
  it('is made with its counts and its cause', () => {
    const options = { metadata: { annotations: { [CAUSE]: 'faster', other: 'x' } } };
    const rollout = withUpdate(rolloutOf({ number: 4, replicas: 10, ...full }, undefined, options));
    const actions = recordSizes(rollout, sized(rollout, { v1: 8, v2: 5 }), 'changed');
    expect(actions).toMatchObject([
      { do: 'updateRevision', annotations: { [`${P}/replicas`]: '8' } },
      {
        do: 'createRevision',
        manifest: {
          revision: 5,
          metadata: {
            name: rollout.update.name,
            annotations: {
              [`${P}/replicas`]: '5',
              [`${P}/desired-replicas`]: '10',
              [`${P}/max-replicas`]: '13',
              [CAUSE]: 'faster',
            },
          },
        },
      },
    ]);
  });

  it('is made even when there is no room for a pod yet', () => {
    const rollout = withUpdate(rolloutOf({ number: 1, replicas: 13, ...full }));
    expect(recordSizes(rollout, sized(rollout, { v2: 0 }), 'changed')).toMatchObject([{ do: 'createRevision' }]);
  });

  it('is renumbered when an old template is back, keeping its former numbers', () => {
    const rollout = rolloutOf(
      { number: 5, replicas: 10, ...full },
      { number: 3, replicas: 0, ...full, annotations: { [`${P}/revision-history`]: '1' } },
    );
    expect(recordSizes(rollout, sized(rollout, { v2: 3 }), 'changed')).toEqual([
      {
        do: 'updateRevision',
        name: rollout.update?.name,
        uid: 'v2-uid',
        resourceVersion: '7',
        number: 6,
        annotations: { [`${P}/replicas`]: '3', [`${P}/revision-history`]: '1,3' },
      },
    ]);
  });

  it.each([
    { first: '10000', length: 2000, kept: true },
    { first: '100000', length: 2001, kept: false },
  ])('keeps the first of its former numbers in a list of $length characters: $kept', ({ first, length, kept }) => {
    const others = Array.from({ length: 398 }, (_, index) => 1000 + index).join(',');
    expect(`${first},${others},9999`).toHaveLength(length);
    const rollout = rolloutOf(
      { number: 200_000, replicas: 10, ...full },
      { number: 9999, replicas: 0, ...full, annotations: { [`${P}/revision-history`]: `${first},${others}` } },
    );
    expect(recordSizes(rollout, new Map(), 'changed')).toMatchObject([
      { annotations: { [`${P}/revision-history`]: kept ? `${first},${others},9999` : `${others},9999` } },
    ]);
  });

  it('takes over a cause that somebody gives later, and keeps the one it has otherwise', () => {
    const update = { number: 2, replicas: 10, ...full, annotations: { [CAUSE]: 'old words' } };
    const told = rolloutOf({ number: 1, replicas: 0 }, update, { metadata: { annotations: { [CAUSE]: 'new words' } } });
    expect(recordSizes(told, new Map(), 'changed')).toMatchObject([{ annotations: { [CAUSE]: 'new words' } }]);
    expect(recordSizes(rolloutOf({ number: 1, replicas: 0 }, update), new Map(), 'changed')).toEqual([]);
  });

  it('never carries the cause on to old revisions', () => {
    const rollout = rolloutOf({ number: 1, replicas: 10, ...full }, undefined, {
      metadata: { annotations: { [CAUSE]: 'x' } },
    });
    expect(recordSizes(rollout, new Map(), 'changed')).toEqual([]);
  });
});

describe('what people are told', () => {
  it('is one event a step, however many revisions and pods it moves', () => {
    const rollout = withUpdate(rolloutOf({ number: 1, replicas: 10, ...full }));
    const [old, update] = rollout.revisions.map(({ name }) => name);
    const sizings = `scaled down revision ${old} from 10 to 8; scaled up revision ${update} from 0 to 5`;
    expect(announceSizes(rollout, sized(rollout, { v1: 8, v2: 5 }))).toEqual([
      { type: 'Normal', reason: 'RevisionCreated', message: `Created revision 2: ${update}; ${sizings}` },
    ]);
  });

  it('is about sizes alone once the revision is known', () => {
    const rollout = rolloutOf({ number: 1, replicas: 8, ...full }, { number: 2, replicas: 5, ...full });
    const [old, update] = rollout.revisions.map(({ name }) => name);
    const message = `Scaled down revision ${old} from 8 to 5; scaled up revision ${update} from 5 to 8`;
    expect(announceSizes(rollout, sized(rollout, { v1: 5, v2: 8 }))).toEqual([
      { type: 'Normal', reason: 'ScalingRevision', message },
    ]);
  });

  it('is told from the count on record, which pods that have to stay may have raised', () => {
    const object = myDeployment({ replicas: 2, maxSurge: 1, maxUnavailable: 0 });
    const only = revision(object, 'v2', { number: 1, replicas: 1, of: 2, ceiling: 3 });
    const rollout = withMinAvailable(observe(snapshotOf(object, [only], mixedPods(object, only, 2, 2)), NOW));
    expect(rollout.update?.desired).toBe(2);
    expect(announceSizes(rollout, new Map())).toMatchObject([
      { message: `Scaled up revision ${rollout.update?.name} from 1 to 2` },
    ]);
  });

  it('includes that an old revision is back', () => {
    const rollout = rolloutOf({ number: 2, replicas: 10, ...full }, { number: 1, replicas: 0, ...full });
    const message = `Revision 1 is back as revision 3: ${rollout.update?.name}`;
    expect(announceSizes(rollout, new Map())).toEqual([{ type: 'Normal', reason: 'RevisionReused', message }]);
  });

  it('is nothing when nothing changes', () => {
    const rollout = rolloutOf({ number: 1, replicas: 8, ...full }, { number: 2, replicas: 5, ...full });
    expect(announceSizes(rollout, sized(rollout, { v1: 8 }))).toEqual([]);
  });
});
