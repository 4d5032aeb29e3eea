// The checker is only worth something if it notices: each promise is broken here on purpose, next to a history that
// looks much the same and keeps it.

import { describe, expect, it } from '@jest/globals';
import type { MyDeployment, MyDeploymentSpec, MyDeploymentStatus } from '../../src/kinds/my-deployment/types.gen.ts';
import type { Pod } from '../../src/workload/pod.ts';
import type { ControllerRevision } from '../../src/workload/revision.ts';
import { boundsOf } from './rollout-bounds.ts';
import { brokenPromises, type Excuses, type Recorded } from './rollout-promises.ts';

const RECREATE: Partial<MyDeploymentSpec> = { strategy: { type: 'Recreate' } };

/** A history in short sentences; versions are given out in the order of the calls. */
class History {
  readonly events: Recorded[] = [];
  #generation = 0;

  spec(spec: Partial<MyDeploymentSpec>, observedGeneration = 0): this {
    this.#generation += 1;
    return this.#owner(spec, { observedGeneration });
  }

  /** The same spec again, with a status that says it was observed. */
  observed(spec: Partial<MyDeploymentSpec>): this {
    return this.#owner(spec, { observedGeneration: this.#generation });
  }

  /** A status that says all is well. */
  atRest(spec: Partial<MyDeploymentSpec> & { readonly replicas: number }): this {
    const { replicas } = spec;
    const counts = { replicas, updatedReplicas: replicas, availableReplicas: replicas };
    return this.#owner(spec, { observedGeneration: this.#generation, counts });
  }

  deleted(spec: Partial<MyDeploymentSpec>): this {
    return this.#owner(spec, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  }

  pod(type: Recorded['type'], name: string, traits: Traits = {}): this {
    const { hash = 'new', ready = true, phase = 'Running', terminating = false, owner = 'web-uid' } = traits;
    if (owner === 'web-uid') this.#recordOnce(hash);
    const object: Pod = {
      metadata: {
        name,
        uid: name,
        resourceVersion: this.#version(),
        labels: { 'pod-template-hash': hash },
        ownerReferences: owner
          ? [
              {
                apiVersion: '',
                kind: owner === 'web-uid' ? 'MyDeployment' : 'Other',
                name: 'web',
                uid: owner,
                controller: true,
              },
            ]
          : [],
        ...(terminating && deletionAskedFor(traits.at)),
      },
      status: {
        phase,
        conditions: [
          {
            type: 'Ready',
            status: ready ? 'True' : 'False',
            lastTransitionTime: traits.since ?? '2026-01-01T00:00:00Z',
          },
        ],
      },
    };
    this.events.push({ kind: 'Pod', type, object });
    return this;
  }

  revision(type: Recorded['type'], hash: string, { number = 1, recorded }: RevisionTraits): this {
    const object: ControllerRevision = {
      metadata: {
        name: `web-${hash}`,
        uid: `web-${hash}`,
        resourceVersion: this.#version(),
        labels: { 'controller.kubernetes.io/hash': hash },
        ...(recorded !== undefined && {
          annotations: { 'mydeployment.kubebuilder.zq.com/replicas': String(recorded) },
        }),
        ownerReferences: [{ apiVersion: '', kind: 'MyDeployment', name: 'web', uid: 'web-uid', controller: true }],
      },
      revision: number,
    };
    this.events.push({ kind: 'ControllerRevision', type, object });
    return this;
  }

  pods(count: number, traits: Traits = {}): this {
    for (let index = 0; index < count; index++) this.pod('ADDED', `${traits.hash ?? 'new'}-${index}`, traits);
    return this;
  }

  broken(...disturbed: string[]): string[] {
    return this.brokenDespite({ harmed: new Set(disturbed) });
  }

  brokenDespite(excuses: Excuses): string[] {
    // Two watches deliver in any order: what counts is the version.
    return brokenPromises(this.events.toReversed(), excuses, 'everything').map((text) => text.split('\n')[0] as string);
  }

  /** Every pod has a revision that was recorded before it. */
  #recordOnce(hash: string): void {
    if (this.events.some(({ object: { metadata } }) => metadata.name === `web-${hash}`)) return;
    this.revision('ADDED', hash, {});
  }

  #owner(spec: Partial<MyDeploymentSpec>, facts: OwnerFacts): this {
    const { observedGeneration = 0, counts = { replicas: 0 }, ...metadata } = facts;
    const object = {
      metadata: {
        name: 'web',
        uid: 'web-uid',
        resourceVersion: this.#version(),
        generation: this.#generation,
        ...metadata,
      },
      spec,
      status: { ...counts, observedGeneration },
    } as MyDeployment;
    this.events.push({ kind: 'MyDeployment', type: 'MODIFIED', object });
    return this;
  }

  #version(): string {
    return String(this.events.length + 9); // from 9 to 10: versions are numbers, not text
  }
}

interface OwnerFacts {
  readonly observedGeneration?: number;
  readonly counts?: MyDeploymentStatus;
  readonly deletionTimestamp?: string;
}

interface RevisionTraits {
  readonly number?: number;
  readonly recorded?: number;
}

interface Traits {
  readonly hash?: string;
  readonly ready?: boolean;
  readonly phase?: string;
  readonly terminating?: boolean;
  readonly owner?: string;
  readonly since?: string;
  /** When its deletion was asked for. @default 00:00:30 */
  readonly at?: string;
}

function deletionAskedFor(at = '2026-01-01T00:00:30Z') {
  const deletionTimestamp = new Date(Date.parse(at) + 30_000).toISOString();
  return { deletionTimestamp, deletionGracePeriodSeconds: 30 };
}

const paced = (replicas: number, maxSurge: number | string, maxUnavailable: number | string) => ({
  replicas,
  strategy: { rollingUpdate: { maxSurge, maxUnavailable } },
});

describe('boundsOf', () => {
  it.each([
    { replicas: 10, maxSurge: '25%', maxUnavailable: '25%', ceiling: 13, floor: 8 },
    { replicas: 10, maxSurge: 3, maxUnavailable: 2, ceiling: 13, floor: 8 },
    { replicas: 1, maxSurge: '25%', maxUnavailable: '25%', ceiling: 2, floor: 1 },
    { replicas: 3, maxSurge: 0, maxUnavailable: '1%', ceiling: 3, floor: 2 },
    { replicas: 0, maxSurge: 3, maxUnavailable: 2, ceiling: 0, floor: 0 },
  ])('$replicas with $maxSurge and $maxUnavailable', ({ replicas, maxSurge, maxUnavailable, ceiling, floor }) => {
    const spec = paced(replicas, maxSurge, maxUnavailable) as MyDeploymentSpec;
    expect(boundsOf(spec)).toEqual({ ceiling, floor, recreate: false });
  });

  it('means one replica and a quarter where a spec says nothing', () => {
    expect(boundsOf({} as MyDeploymentSpec)).toEqual({ ceiling: 2, floor: 1, recreate: false });
  });
});

describe('the ceiling', () => {
  it('holds for the last pod that fits, and is broken by one more', () => {
    const history = new History().spec(paced(3, 1, 1)).pods(4);
    expect(history.broken()).toEqual([]);
    expect(history.pod('ADDED', 'one-more').broken()).toEqual(['5 pods where 4 are allowed']);
  });

  it('leaves out pods that are terminating, ended or of others', () => {
    const history = new History()
      .spec(paced(2, 0, 1))
      .pods(2)
      .pod('MODIFIED', 'new-0', { terminating: true })
      .pod('ADDED', 'instead')
      .pod('MODIFIED', 'new-1', { phase: 'Failed' })
      .pod('ADDED', 'for-the-failed')
      .pod('ADDED', 'stranger', { owner: 'another-uid' });
    expect(history.broken()).toEqual([]);
  });

  it('is what was recorded before another operator lowered it, but only while there are two', () => {
    const history = new History()
      .spec(paced(2, 0, 1))
      .revision('ADDED', 'new', { recorded: 5 })
      .revision('MODIFIED', 'new', { recorded: 2 })
      .pods(4);
    const tooMany = '4 pods where 2 are allowed';
    expect(history.brokenDespite({ harmed: new Set(), overlapped: true })).not.toContain(tooMany);
    expect(history.broken()).toContain(tooMany);
  });

  it('is that of the older spec too, until the newer one has been observed', () => {
    const larger = paced(5, 0, 1);
    const smaller = paced(2, 0, 1);
    const inFlight = new History().spec(larger).observed(larger).pods(3).spec(smaller, 1).pod('ADDED', 'late');
    expect(inFlight.broken()).toEqual([]);
    const afterwards = inFlight.observed(smaller).pod('ADDED', 'too-late');
    expect(afterwards.broken()).toEqual(['5 pods where 2 are allowed']);
  });

  it('does not count what was adopted against whoever adopts', () => {
    const history = new History()
      .spec(paced(1, 0, 1))
      .pods(1)
      .pod('ADDED', 'orphan', { owner: '' });
    expect(history.pod('MODIFIED', 'orphan').broken()).toEqual([]);
  });
});

describe('a pod that the operator did not make', () => {
  const beside = (owner: string) =>
    new History()
      .spec(paced(2, 0, 1))
      .pods(1)
      .pod('ADDED', 'bare', { hash: 'foreign', owner });
  const touched = ["pod bare, which is not the operator's, was touched"];

  it.each([
    { name: "nobody's", owner: '' },
    { name: "another controller's", owner: 'another-uid' },
  ])('$name: may come, become ready and go by the hand of its user, and is never touched', ({ owner }) => {
    const traits = { hash: 'foreign', owner };
    expect(beside(owner).pod('MODIFIED', 'bare', traits).broken()).toEqual([]);
    expect(beside(owner).pod('DELETED', 'bare', traits).broken('bare')).toEqual([]);
    expect(beside(owner).pod('DELETED', 'bare', traits).broken()).toEqual(touched);
    expect(
      beside(owner)
        .pod('MODIFIED', 'bare', { ...traits, terminating: true })
        .broken(),
    ).toEqual(touched);
    expect(beside(owner).pod('MODIFIED', 'bare', { hash: 'foreign' }).broken()).toContain(touched[0]);
  });
});

describe('the floor', () => {
  const rolling = () =>
    new History()
      .spec(paced(3, 1, 1))
      .observed(paced(3, 1, 1))
      .pods(3, { hash: 'old' });
  /** Two old pods, both needed, and a new one that is ready since then and counts after twenty seconds. */
  const surging = (since: string) =>
    new History()
      .spec({ ...paced(2, 1, 0), minReadySeconds: 20 })
      .pods(2, { hash: 'old' })
      .pod('ADDED', 'new-0', { ready: false })
      .pod('MODIFIED', 'new-0', { since });
  const terminate = (history: History, name: string) =>
    history.pod('MODIFIED', name, { hash: 'old', terminating: true });

  it('holds as long as enough are left, and is broken by one fewer', () => {
    const history = terminate(rolling(), 'old-0');
    expect(history.broken()).toEqual([]);
    expect(terminate(history, 'old-1').broken()).toEqual([
      'old-1 was taken away, 1 are left where 2 have to be available',
    ]);
  });

  it('does not rely on pods that are not ready', () => {
    const history = rolling().pod('ADDED', 'new-0', { ready: false });
    expect(terminate(terminate(history, 'old-0'), 'old-1').broken()).toHaveLength(1);
  });

  it('does not rely on pods that have not been ready for long enough', () => {
    // The deletion was asked for at 00:00:30, thirty seconds of grace before its deletionTimestamp.
    expect(terminate(surging('2026-01-01T00:00:10Z'), 'old-0').broken()).toEqual([]);
    expect(terminate(surging('2026-01-01T00:00:11Z'), 'old-0').broken()).toHaveLength(1);
  });

  it('takes off what the test itself took away, and no more', () => {
    const history = terminate(terminate(rolling(), 'old-0'), 'old-1');
    expect(history.broken('old-0')).toEqual([]);
    expect(terminate(history, 'old-2').broken('old-0')).toHaveLength(1);
  });

  it('counts a pod that the test harmed until it is well again', () => {
    const harmed = rolling().pod('MODIFIED', 'old-2', { hash: 'old', ready: false });
    const recovered = () =>
      rolling().pod('MODIFIED', 'old-2', { hash: 'old', ready: false }).pod('MODIFIED', 'old-2', { hash: 'old' });
    expect(terminate(harmed, 'old-0').broken('old-2')).toEqual([]);
    expect(terminate(harmed, 'old-0').broken()).not.toEqual([]);
    expect(terminate(terminate(recovered(), 'old-0'), 'old-1').broken('old-2')).toHaveLength(1);
  });

  it('counts a pod that the test harmed until it has been well for long enough', () => {
    const spec = { ...paced(3, 1, 1), minReadySeconds: 20 };
    const history = (since: string) =>
      new History()
        .spec(spec)
        .pods(3, { hash: 'old' })
        .pod('MODIFIED', 'old-2', { hash: 'old', ready: false })
        .pod('MODIFIED', 'old-2', { hash: 'old', since });
    const takeTwo = (before: History) => terminate(terminate(before, 'old-0'), 'old-1').broken('old-2');
    expect(terminate(history('2026-01-01T00:00:11Z'), 'old-0').broken('old-2')).toEqual([]);
    expect(takeTwo(history('2026-01-01T00:00:10Z'))).toHaveLength(1);
  });

  it('counts a pod that the test harmed twice as it was before the first time', () => {
    const since = '2026-01-01T00:00:25Z';
    const history = new History()
      .spec({ ...paced(3, 1, 1), minReadySeconds: 20 })
      .pods(3, { hash: 'old' })
      .pod('MODIFIED', 'old-2', { hash: 'old', ready: false })
      .pod('MODIFIED', 'old-2', { hash: 'old', since })
      .pod('MODIFIED', 'old-2', { hash: 'old', ready: false });
    expect(terminate(history, 'old-0').broken('old-2')).toEqual([]);
    expect(terminate(history, 'old-1').broken('old-2')).toHaveLength(1);
  });

  it('counts a pod that would be available by now, had the test not taken it', () => {
    const history = (since: string) =>
      surging(since).pod('MODIFIED', 'new-0', { since, terminating: true, at: '2026-01-01T00:00:29Z' });
    expect(terminate(history('2026-01-01T00:00:10Z'), 'old-0').broken('new-0')).toEqual([]);
    expect(terminate(history('2026-01-01T00:00:11Z'), 'old-0').broken('new-0')).toHaveLength(1);
  });

  it('counts what the test took away until the status says that all is well, if it is one operator that says so', () => {
    const restored = terminate(rolling(), 'old-0')
      .pod('ADDED', 'new-0')
      .atRest(paced(3, 1, 1));
    const history = terminate(terminate(restored, 'old-1'), 'old-2');
    const harmed = new Set(['old-0']);
    expect(history.brokenDespite({ harmed })).toHaveLength(1);
    expect(history.brokenDespite({ harmed, overlapped: true })).toEqual([]);
  });

  it('does not protect a pod that is not available by the newest spec, observed or not', () => {
    const longer = { ...paced(2, 1, 0), minReadySeconds: 40 };
    const history = (spec: object) =>
      new History()
        .spec(paced(2, 1, 0))
        .pods(2, { hash: 'old' })
        .spec(spec);
    expect(terminate(history(longer), 'old-0').broken()).toEqual([]);
    expect(terminate(history(paced(2, 1, 0)), 'old-0').broken()).toHaveLength(1);
  });

  it('is gone with the owner', () => {
    const history = rolling().deleted(paced(3, 1, 1));
    for (const name of ['old-0', 'old-1', 'old-2']) terminate(history, name);
    expect(history.broken()).toEqual([]);
  });

  it('is broken by letting go of a pod just as by deleting it', () => {
    const history = terminate(rolling(), 'old-0').pod('MODIFIED', 'old-1', { hash: 'old', owner: '' });
    expect(history.broken()).toHaveLength(1);
  });
});

describe('Recreate', () => {
  const spec = { replicas: 2, ...RECREATE };

  it('is broken by a new pod while an old one is still terminating', () => {
    const history = new History()
      .spec(spec)
      .pods(1, { hash: 'old' })
      .pod('MODIFIED', 'old-0', { hash: 'old', terminating: true });
    expect(history.pod('ADDED', 'new-0').broken()).toEqual([
      'Recreate made a pod while 1 of another template had not ended',
    ]);
  });

  it('is kept when the old ones are gone or have ended', () => {
    const history = new History()
      .spec(spec)
      .pods(2, { hash: 'old' })
      .pod('DELETED', 'old-0', { hash: 'old', terminating: true })
      .pod('MODIFIED', 'old-1', { hash: 'old', phase: 'Failed' })
      .pods(2);
    expect(history.broken()).toEqual([]);
  });
});

it('tells what led to it', () => {
  const [text = ''] = brokenPromises(new History().spec(paced(1, 0, 1)).pods(2).events, { harmed: new Set() });
  expect(text).toMatch(
    /^2 pods where 1 are allowed\n.*MyDeployment web MODIFIED.*\n.*\n.*new-0 ADDED.*\n.*new-1 ADDED, Running/,
  );
});

describe('history', () => {
  const spec = paced(2, 1, 1);

  it('is broken by a pod of a revision that nobody recorded', () => {
    const history = new History().spec(spec).pods(1);
    const [{ object }] = history.events.slice(-1) as unknown as [{ object: Pod }];
    const labels = { 'pod-template-hash': 'unheard-of' };
    const unknown = { ...object, metadata: { ...object.metadata, uid: 'x', name: 'x', resourceVersion: '99', labels } };
    history.events.push({ kind: 'Pod', type: 'ADDED', object: unknown });
    expect(history.broken()).toEqual(['pod x is of revision unheard-of, which nobody recorded']);
  });

  it('is broken by more pods of a revision than are recorded, and by records of more than are allowed', () => {
    const recorded = (count: number) => new History().spec(spec).revision('ADDED', 'new', { recorded: count });
    expect(recorded(2).pods(2).broken()).toEqual([]);
    expect(recorded(1).pods(2).broken()).toEqual(['2 pods of revision new, which is recorded as meant to have 1']);
    expect(recorded(4).broken()).toEqual(['the revisions are recorded to have 4 pods where 3 are allowed']);
  });

  it('is broken by a number that goes down, and by forgetting a revision that has pods', () => {
    const history = new History().spec(spec).revision('ADDED', 'new', { number: 3 }).pods(1);
    expect(history.revision('MODIFIED', 'new', { number: 4 }).broken()).toEqual([]);
    expect(history.revision('MODIFIED', 'new', { number: 2 }).broken()).toEqual([
      'revision web-new went back from number 4 to 2',
    ]);
    const forgotten = new History().spec(spec).pods(1).revision('DELETED', 'new', {});
    expect(forgotten.broken()).toEqual(['revision web-new was deleted while 1 of its pods live']);
    expect(forgotten.broken('web-new')).toEqual([]);
  });

  it('is broken by a new revision while paused', () => {
    const paused = { ...spec, paused: true };
    const history = new History().spec(paused).observed(paused).revision('ADDED', 'new', {});
    expect(history.broken()).toEqual(['web-new was rolled out although it is paused']);
  });
});
