import { describe, expect, it } from '@jest/globals';
import { podsToReplace } from '../../../src/kinds/my-daemon-set/rolling.ts';
import { observe } from '../../../src/kinds/my-daemon-set/snapshot.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { type Look, NOW, node, podOn, snapshotOf } from './fixture.ts';

/**
 * A nodes in a word, a letter for each node: O old and ready, o old and not ready, N new and ready, n new and not ready,
 * t old and being deleted, - no pod. Nodes are called a, b, c and so on.
 */
function nodesOf(word: string, maxUnavailable?: number | string, taints: Readonly<Record<string, string>> = {}) {
  const names = [...word].map((_, index) => String.fromCharCode(97 + index));
  const looks: Record<string, Look> = { O: 'ready', o: 'starting', N: 'ready', n: 'starting', t: 'terminating' };
  const pods = [...word].flatMap((letter, index): Pod[] => {
    const look = looks[letter];
    const image = letter.toLowerCase() === 'n' ? 'agent:v2' : 'agent:v1';
    return look === undefined ? [] : [podOn(names[index] as string, { look, image })];
  });
  const nodes = names.map((name) => node(name, ...(taints[name] === undefined ? [] : [taints[name]])));
  return observe(snapshotOf(maxUnavailable === undefined ? {} : { maxUnavailable }, nodes, pods), NOW);
}

const replaced = (...args: Parameters<typeof nodesOf>) =>
  podsToReplace(nodesOf(...args))
    .map(({ spec }) => spec?.nodeName)
    .join('');

describe('which pods of an old image go next', () => {
  it.each<{ name: string; nodes: string; maxUnavailable?: number | string; goes: string }>([
    { name: 'one at a time, unless told otherwise', nodes: 'OOOO', goes: 'a' },
    { name: 'nobody while one is without', nodes: '-OOO', goes: '' },
    { name: 'nobody while one is going', nodes: 'tOOO', goes: '' },
    { name: 'nobody while a new one starts', nodes: 'nOOO', goes: '' },
    { name: 'the next when the new one serves', nodes: 'NOOO', goes: 'b' },
    { name: 'nobody when all are new', nodes: 'NNNN', goes: '' },
    { name: 'as many as the bound leaves', nodes: 'OOOOOOOOOO', maxUnavailable: 3, goes: 'abc' },
    { name: 'fewer where some are without', nodes: 'Nn-OOOOOOO', maxUnavailable: 3, goes: 'd' },
    { name: 'those that serve nobody go at once, beyond any bound', nodes: 'ooOO', goes: 'ab' },
    { name: 'those that serve nobody leave room for no other', nodes: 'oOOO', goes: 'a' },
    { name: 'a share rounds up', nodes: 'OOOOO', maxUnavailable: '25%', goes: 'ab' },
    { name: 'the smallest share is one', nodes: 'OOO', maxUnavailable: '1%', goes: 'a' },
    { name: 'all at once', nodes: 'OOO', maxUnavailable: '100%', goes: 'abc' },
    { name: 'a new image that never works stops at the bound', nodes: 'nnOO', maxUnavailable: 2, goes: '' },
  ])('$name: $nodes', ({ nodes, maxUnavailable, goes }) => {
    expect(replaced(nodes, maxUnavailable)).toBe(goes);
  });

  it('a node that should have no pod does not hold up the others', () => {
    const down = { a: 'node.kubernetes.io/unreachable:NoSchedule' };
    expect(replaced('tOOO', undefined, down)).toBe('b');
    expect(replaced('oOOO', undefined, down)).toBe('ab');
  });

  it('a share is of the nodes that should have a pod', () => {
    const dedicated = { a: 'NoSchedule', b: 'NoSchedule', c: 'NoSchedule' };
    expect(replaced('---OOO', '50%', dedicated)).toBe('de');
  });
});
