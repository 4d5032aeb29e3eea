import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { podsToDelete } from '../../src/workload/deletion-order.ts';
import { fullestFirst } from '../../src/workload/fullest-first.ts';
import type { Pod } from '../../src/workload/pod.ts';
import { podDiff } from '../../src/workload/pod-diff.ts';

interface Traits {
  readonly ready?: boolean;
  readonly cost?: string;
  readonly node?: string;
}

/** A pod in the zone of the same name as the first letter of its own. */
function pod(name: string, { ready = true, cost, node = `node-${name[0]}` }: Traits = {}): Pod {
  const annotations = { 'controller.kubernetes.io/pod-deletion-cost': cost ?? '0' };
  return {
    metadata: { name, uid: name, resourceVersion: '1', ...(cost !== undefined && { annotations }) },
    spec: { nodeName: node },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}

const pods = (...names: readonly string[]): Pod[] => names.map((name) => pod(name));
const domainOf = ({ spec }: Pod): string => spec?.nodeName?.replace(/^node-/, '') ?? '';

function picked(from: readonly Pod[], count: number, siblings: readonly Pod[] = from): string[] {
  const context = { siblings, minReadySeconds: 0, now: 0, domainOf };
  return podsToDelete(from, count, context).map(({ metadata }) => metadata.name);
}

function counts(left: readonly Pod[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(left, domainOf)].map(([domain, members]) => [domain, members.length]));
}

describe('of domains of the same size', () => {
  const inOrder = (...names: readonly string[]) => pods(...names).map((each) => ({ pod: each, rank: '' }));

  it.each([
    { name: 'the one whose next pod comes first', ranked: inOrder('b1', 'a1', 'a2', 'b2'), gone: 'b1 a1 a2 b2' },
    { name: 'also when it was found later', ranked: inOrder('a1', 'b1', 'b2', 'a2', 'a3'), gone: 'a1 b1 a2 b2 a3' },
    { name: 'among three', ranked: inOrder('a1', 'c1', 'b1', 'b2', 'c2'), gone: 'c1 b1 a1 b2 c2' },
  ])('loses a pod first: $name', ({ ranked, gone }) => {
    const siblings = ranked.map((each) => each.pod);
    const order = fullestFirst(ranked, 9, { siblings, domainOf: (each) => each.metadata.name[0] ?? '' });
    expect(order.map(({ metadata }) => metadata.name).join(' ')).toBe(gone);
  });

  it('a domain without siblings is the smallest', () => {
    const ranked = inOrder('b1', 'a1');
    const siblings = pods('a1');
    const [first] = fullestFirst(ranked, 1, { siblings, domainOf: (each) => each.metadata.name[0] ?? '' });
    expect(first?.metadata.name).toBe('a1');
  });
});

describe('deletions that are spread', () => {
  it.each([
    { name: 'from the fullest domain', from: pods('a1', 'a2', 'a3', 'b1', 'c1'), count: 1, gone: /^a/ },
    {
      name: 'counted anew at each pick',
      from: pods('a1', 'a2', 'a3', 'b1', 'b2', 'c1'),
      count: 3,
      gone: /^a.*a.*b|^a.*b.*a/,
    },
    {
      name: 'a pod that is not ready first, wherever it is',
      from: [...pods('a1', 'a2'), pod('b1', { ready: false })],
      count: 1,
      gone: /^b1$/,
    },
    {
      name: 'a pod that is not scheduled first, wherever its node would be',
      from: [...pods('a1', 'a2'), pod('b1', { node: '' })],
      count: 1,
      gone: /^b1$/,
    },
    {
      name: 'a cheaper pod first, wherever it is',
      from: [...pods('a1', 'a2'), pod('b1', { cost: '-1' })],
      count: 1,
      gone: /^b1$/,
    },
    {
      name: 'a pod that costs more last',
      from: [pod('a1', { cost: '9' }), pod('a2', { cost: '9' }), ...pods('b1')],
      count: 1,
      gone: /^b1$/,
    },
  ])('$name', ({ from, count, gone }) => {
    expect(picked(from, count).join()).toMatch(gone);
  });

  it('counts a pod that goes first for another reason as gone', () => {
    const from = [pod('a1', { ready: false }), pod('a2'), pod('b1'), pod('b2')];
    expect(picked(from, 2)).toEqual(['a1', expect.stringMatching(/^b/)]);
  });

  it('counts the pods of other revisions, but not those that terminate', () => {
    const [a1, a2, b1] = pods('a1', 'a2', 'b1') as [Pod, Pod, Pod];
    const leaving = { ...a2, metadata: { ...a2.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(picked([a1, b1], 1, [a1, a2, b1])).toEqual(['a1']);
    expect(picked([a1, b1], 1, [a1, leaving, b1, pod('b9')])).toEqual(['b1']);
  });

  it('does not count pods that have ended', () => {
    const [a1, a2, b1] = pods('a1', 'a2', 'b1') as [Pod, Pod, Pod];
    const ended = { ...a2, status: { phase: 'Failed' } };
    expect(
      picked([b1, a1], 1, [a1, b1, pod('b2'), ended, { ...ended, metadata: { ...ended.metadata, uid: 'a3' } }]),
    ).toEqual(['b1']);
  });

  it('is the native order where all pods are in one domain', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 8 }), fc.nat(8), (readiness, count) => {
        const from = readiness.map((ready, index) => pod(`a${index}`, { ready, node: `node-${index % 3}` }));
        const context = { siblings: from, minReadySeconds: 0, now: 0 };
        const spread = podsToDelete(from, count, { ...context, domainOf: () => '' });
        expect(spread).toEqual(podsToDelete(from, count, context));
      }),
    );
  });

  it('leaves domains as even as can be, whatever they were', () => {
    const size = fc.nat(6);
    fc.assert(
      fc.property(size, size, size, fc.nat(18), (a, b, c, count) => {
        const sizes: Record<string, number> = { a, b, c };
        const from = Object.entries(sizes).flatMap(([zone, n]) =>
          pods(...Array.from({ length: n }, (_, i) => `${zone}${i}`)),
        );
        const gone = new Set(picked(from, count));
        expect(gone.size).toBe(Math.min(count, from.length));
        const left = counts(from.filter(({ metadata }) => !gone.has(metadata.name)));
        const most = Math.max(0, ...Object.values(left));
        // A domain that lost a pod is at most one behind the fullest.
        for (const [zone, before] of Object.entries(sizes))
          if ((left[zone] ?? 0) < before) expect(left[zone] ?? 0).toBeGreaterThanOrEqual(most - 1);
      }),
    );
  });

  it('goes on counting from one revision to the next', () => {
    const [old, young] = [pods('a1', 'a2', 'b1'), pods('a3', 'b2', 'b3')];
    const groups = [old, young].map((active, index) => ({
      revision: `${index}`,
      source: undefined,
      active,
      desired: 2,
    }));
    const bounds = { maxTotalPods: 6, minAvailable: 0, minReadySeconds: 0, now: 0 };
    const actions = podDiff(groups, { ...bounds, siblings: [...old, ...young], domainOf });
    const zones = actions.map((action) => (action.do === 'deletePod' ? action.name[0] : ''));
    expect(zones.toSorted()).toEqual(['a', 'b']);
  });
});
