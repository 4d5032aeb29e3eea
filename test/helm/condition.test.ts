import { describe, expect, it } from '@jest/globals';
import { conditionFor, type Profile } from '../../src/helm/condition.ts';
import type { KindName } from '../../src/kinds/kind-name.ts';
import { KINDS } from '../../src/kinds/kinds.ts';

const names = Object.keys(KINDS) as KindName[];
const either = [true, false];
const profiles: readonly Profile[] = [names, ...names.map((name) => [name])].flatMap((kinds) =>
  either.flatMap((webhooks) =>
    either.map((certManager) => {
      return {
        kinds,
        webhooks,
        certManager,
        namespaces: false,
        serviceMonitor: false,
        defaultSpread: true,
        shards: false,
      };
    }),
  ),
);

function conditionOf(isThere: (profile: Profile) => boolean): string {
  return conditionFor(new Set(profiles.filter(isThere)), new Set(profiles));
}

describe('the condition for a part that is there', () => {
  it.each<{ when: string; isThere: (profile: Profile) => boolean; condition: string }>([
    { when: 'always', isThere: () => true, condition: '' },
    { when: 'with webhooks', isThere: ({ webhooks }) => webhooks, condition: '$.Values.webhooks' },
    { when: 'without webhooks', isThere: ({ webhooks }) => !webhooks, condition: 'not $.Values.webhooks' },
    {
      when: 'with any certificate',
      isThere: ({ webhooks, certManager }) => webhooks || certManager,
      condition: 'or $.Values.webhooks (eq $.Values.certificates "cert-manager")',
    },
    {
      when: 'for one kind, with webhooks',
      isThere: ({ kinds, webhooks }) => webhooks && kinds.includes('ModelBox'),
      condition: 'and $.Values.webhooks (has "ModelBox" $.Values.kinds)',
    },
    {
      when: 'for either of two kinds',
      isThere: ({ kinds }) => kinds.includes('ModelBox') || kinds.includes('ImoocPod'),
      condition: 'or (has "ImoocPod" $.Values.kinds) (has "ModelBox" $.Values.kinds)',
    },
    {
      when: 'without two kinds',
      isThere: ({ kinds }) => !kinds.includes('ModelBox') && !kinds.includes('ImoocPod'),
      condition: 'not (or (has "ImoocPod" $.Values.kinds) (has "ModelBox" $.Values.kinds))',
    },
  ])('$when', ({ isThere, condition }) => {
    expect(conditionOf(isThere)).toBe(condition);
  });

  it('is not guessed', () => {
    const isOdd = ({ kinds, webhooks, certManager }: Profile): boolean =>
      kinds.length === 1 ? webhooks !== certManager : webhooks;
    expect(() => conditionOf(isOdd)).toThrow('no simple condition tells 14 of 28 profiles apart');
  });
});
