import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { podPattern } from '../../../src/kinds/rollout-policy/gates/pod-pattern.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';

const named = (...names: readonly string[]): KubeObject[] =>
  names.map((name) => ({ metadata: { name, uid: name, resourceVersion: '1' } }));

describe('the pattern for pods', () => {
  it('matches nothing when there are none', () => {
    expect(podPattern([])).toBe('-');
  });

  it('takes a dot in a name for a dot', () => {
    expect(podPattern(named('a.b-1', 'c'))).toBe('a[.]b-1|c');
  });

  it('is made of at most 500 names, the first ones by name', () => {
    const names = Array.from({ length: 600 }, (_, index) => `web-${String(index).padStart(3, '0')}`);
    const parts = podPattern(named(...names.toReversed())).split('|');
    expect([parts.length, parts[0], parts.at(-1)]).toEqual([500, 'web-000', 'web-499']);
  });

  it('matches exactly the names that it is made of, in whatever quotes it stands', () => {
    const name = fc.stringMatching(/^[a-z0-9]([-.a-z0-9]{0,10}[a-z0-9])?$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 5 }), name, (names, other) => {
        const pattern = podPattern(named(...names));
        const matches = new RegExp(`^(?:${pattern})$`); // as Prometheus anchors it
        for (const each of names) expect(matches.test(each)).toBe(true);
        expect(matches.test(other)).toBe(names.includes(other));
        expect(pattern).not.toMatch(/["'`\\]/);
      }),
    );
  });
});
