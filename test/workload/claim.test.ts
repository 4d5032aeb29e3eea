import { describe, expect, it } from '@jest/globals';
import type { KubeObject, OwnerReference } from '../../src/runtime/object.ts';
import { type ClaimRules, claim } from '../../src/workload/claim.ts';

const ref = (uid: string, controller = true): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'X',
  name: uid,
  uid,
  controller,
});

function object(name: string, traits: Partial<KubeObject['metadata']> = {}): KubeObject {
  return { metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', ...traits } };
}

const production = { type: 'production' };
const testing = { type: 'testing' };
const deletionTimestamp = '2026-01-01T00:00:00Z';
const mine = { ownerReferences: [ref('me')] };
const theirs = { ownerReferences: [ref('them')] };

const rules: ClaimRules<KubeObject> = {
  matches: ({ metadata }) => metadata.labels?.type === 'production',
  isMarked: ({ metadata }) => metadata.labels?.made !== 'by a user',
  alive: ({ metadata }) => metadata.deletionTimestamp === undefined,
  refused: new Set(['refused']),
};

describe('controller_ref_manager_test.go TestClaimPods', () => {
  it.each([
    {
      name: 'claims orphans with the right labels',
      pods: [object('a', { labels: production }), object('b', { labels: testing })],
      owned: [],
      adopt: ['a'],
      release: [],
    },
    {
      name: 'claims several orphans in the order in which they are listed',
      pods: [object('b', { labels: production }), object('a', { labels: production })],
      owned: [],
      adopt: ['b', 'a'],
      release: [],
    },
    {
      name: 'adopts nothing while it is being deleted',
      owner: { deletionTimestamp },
      pods: [object('a', { labels: production }), object('b', { labels: production })],
      owned: [],
      adopt: [],
      release: [],
    },
    {
      name: 'keeps what it has while it is being deleted, and lets nothing go',
      owner: { deletionTimestamp },
      pods: [
        object('a', { labels: production, ...mine }),
        object('b', { labels: production }),
        object('c', { labels: testing, ...mine }),
      ],
      owned: ['a'],
      adopt: [],
      release: [],
    },
    {
      name: 'leaves what another controller owns alone',
      pods: [object('a', { labels: production, ...mine }), object('b', { labels: production, ...theirs })],
      owned: ['a'],
      adopt: [],
      release: [],
    },
    {
      name: 'releases what stopped matching',
      pods: [object('a', { labels: production, ...mine }), object('b', { labels: testing, ...mine })],
      owned: ['a'],
      adopt: [],
      release: ['b'],
    },
    {
      name: 'does not adopt an orphan that is on its way out, but counts its own that are',
      pods: [
        object('a', { labels: production, deletionTimestamp, ...mine }),
        object('b', { labels: production, deletionTimestamp }),
      ],
      owned: ['a'],
      adopt: [],
      release: [],
    },
    {
      name: 'claims and releases in one go',
      pods: [
        object('a', { labels: production, ...mine }),
        object('b', { labels: testing, ...mine }),
        object('c', { labels: production }),
        object('d', { labels: testing, ...mine }),
      ],
      owned: ['a'],
      adopt: ['c'],
      release: ['b', 'd'],
    },
    {
      name: 'claims nothing from another namespace',
      pods: [object('a', { labels: production }), object('b', { labels: production, namespace: 'other' })],
      owned: [],
      adopt: ['a'],
      release: [],
    },
    {
      name: 'a reference that does not control makes no owner',
      pods: [object('a', { labels: production, ownerReferences: [ref('them', false)] })],
      owned: [],
      adopt: ['a'],
      release: [],
    },
    {
      name: 'an owner of the same name before our time is another owner',
      pods: [object('a', { labels: production, ownerReferences: [{ ...ref('me'), uid: 'me-before' }] })],
      owned: [],
      adopt: [],
      release: [],
    },
    {
      name: 'what is on its way out is not worth a release',
      pods: [object('a', { labels: testing, deletionTimestamp, ...mine })],
      owned: ['a'],
      adopt: [],
      release: [],
    },
  ])('$name', ({ owner = {}, pods, owned, adopt, release }) => {
    const claimed = claim(object('owner', { uid: 'me', ...owner }), pods, rules);
    expect({
      owned: names(claimed.owned),
      adopt: names(claimed.adopt),
      release: names(claimed.release),
    }).toEqual({ owned, adopt, release });
  });
});

describe('controller_utils_test.go TestClaimedPodFiltering', () => {
  it('counts what is owned and selected, on its way out or not, and nothing else', () => {
    const pods = [
      object('mine', { labels: production, ...mine }),
      object('mine-leaving', { labels: production, deletionTimestamp, ...mine }),
      object('mine-unselected', { labels: testing, ...mine }),
      object('theirs', { labels: production, ...theirs }),
      object('nobodys', { labels: production }),
    ];
    const { owned } = claim(object('owner', { uid: 'me' }), pods, rules);
    expect(names(owned)).toEqual(['mine', 'mine-leaving']);
  });
});

describe("what is not the operator's to take", () => {
  const user = { ...production, made: 'by a user' };

  it.each([
    { name: 'an orphan without the mark is left to its user', traits: { labels: user }, owned: false },
    { name: 'one that it owns stays its own without the mark', traits: { labels: user, ...mine }, owned: true },
    { name: 'a refused adoption is not proposed', traits: { labels: production, uid: 'refused' }, owned: false },
    {
      name: 'nor is a refused release, and what should go is not counted',
      traits: { labels: testing, uid: 'refused', ...mine },
      owned: false,
    },
    {
      name: 'what it owns and selects is its own, whatever was refused before',
      traits: { labels: production, uid: 'refused', ...mine },
      owned: true,
    },
  ])('$name', ({ traits, owned }) => {
    const claimed = claim(object('owner', { uid: 'me' }), [object('a', traits)], rules);
    expect(claimed).toMatchObject({ adopt: [], release: [] });
    expect(names(claimed.owned)).toEqual(owned ? ['a'] : []);
  });
});

function names(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => metadata.name);
}
