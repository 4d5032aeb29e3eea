import { describe, expect, it } from '@jest/globals';
import { withUsedName } from '../../../src/kinds/my-daemon-set/used-names.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { nodePodName } from '../../../src/workload/pod-name.ts';
import { podOn } from './fixture.ts';

const pod = (attempt: number, look: 'ready' | 'unscheduled' = 'ready'): Pod =>
  podOn('a', { look, name: nodePodName('agent', 'a', attempt) });

describe('a name is usedNames', () => {
  it.each<{ name: string; before: [string, number][]; gone: Pod; usedNames: number | undefined }>([
    { name: 'when its pod has gone', before: [], gone: pod(0), usedNames: 1 },
    { name: 'even if that never came to its node', before: [['a', 4]], gone: pod(4, 'unscheduled'), usedNames: 5 },
    { name: 'with those that strangers had in between', before: [['a', 1]], gone: pod(3), usedNames: 4 },
    { name: 'with as many as fifteen of them', before: [], gone: pod(15), usedNames: 16 },
    { name: 'not when it is further ahead than anybody looks', before: [], gone: pod(16), usedNames: undefined },
    { name: 'once: a pod of an earlier name changes nothing', before: [['a', 5]], gone: pod(2), usedNames: 5 },
    {
      name: 'never for a pod with a name of its own',
      before: [],
      gone: podOn('a', { name: 'adopted' }),
      usedNames: undefined,
    },
    { name: 'at its node only', before: [['b', 7]], gone: pod(0), usedNames: 1 },
  ])('$name', ({ before, gone, usedNames }) => {
    const known = new Map(before);
    const after = withUsedName(known, 'agent', gone);
    expect(after.get('a')).toBe(usedNames);
    expect(after.get('b')).toBe(known.get('b'));
    expect([...known]).toEqual(before);
  });

  it('never for a pod that may go anywhere', () => {
    const { spec: _, ...nowhere } = pod(0);
    expect(withUsedName(new Map(), 'agent', nowhere).size).toBe(0);
  });
});
