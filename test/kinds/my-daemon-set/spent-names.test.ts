import { describe, expect, it } from '@jest/globals';
import { daemonPodName } from '../../../src/kinds/my-daemon-set/daemon-pod.ts';
import { spend } from '../../../src/kinds/my-daemon-set/spent-names.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { podOn } from './fixture.ts';

const pod = (attempt: number, look: 'ready' | 'unscheduled' = 'ready'): Pod =>
  podOn('a', { look, name: daemonPodName('agent', 'a', attempt) });

describe('a name is spent', () => {
  it.each<{ name: string; before: [string, number][]; gone: Pod; spent: number | undefined }>([
    { name: 'when its pod has gone', before: [], gone: pod(0), spent: 1 },
    { name: 'even if that never came to its node', before: [['a', 4]], gone: pod(4, 'unscheduled'), spent: 5 },
    { name: 'with those that strangers had in between', before: [['a', 1]], gone: pod(3), spent: 4 },
    { name: 'with as many as fifteen of them', before: [], gone: pod(15), spent: 16 },
    { name: 'not when it is further ahead than anybody looks', before: [], gone: pod(16), spent: undefined },
    { name: 'once: a pod of an earlier name changes nothing', before: [['a', 5]], gone: pod(2), spent: 5 },
    {
      name: 'never for a pod with a name of its own',
      before: [],
      gone: podOn('a', { name: 'adopted' }),
      spent: undefined,
    },
    { name: 'at its node only', before: [['b', 7]], gone: pod(0), spent: 1 },
  ])('$name', ({ before, gone, spent }) => {
    const known = new Map(before);
    const after = spend(known, 'agent', gone);
    expect(after.get('a')).toBe(spent);
    expect(after.get('b')).toBe(known.get('b'));
    expect([...known]).toEqual(before);
  });

  it('never for a pod that may go anywhere', () => {
    const { spec: _, ...nowhere } = pod(0);
    expect(spend(new Map(), 'agent', nowhere).size).toBe(0);
  });
});
