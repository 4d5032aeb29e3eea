import { describe, expect, it } from '@jest/globals';
import { gateLine } from '../../../src/kubectl/policy/gate-words.ts';
import { policyLines } from '../../../src/kubectl/policy/lines.ts';
import { policyView } from '../../../src/kubectl/policy/view.ts';
import { plain } from '../../../src/kubectl/terminal/style.ts';
import { NOW, secondsAgo } from '../../kinds/my-deployment/fixture.ts';
import { type SceneOptions, SPEC, standing } from './scene.ts';

const drawn = (scene: SceneOptions, room = Number.POSITIVE_INFINITY) =>
  policyLines(policyView(standing(scene), NOW), room, plain);
const errors = { name: 'errors', step: 2, message: '2 of 5 were good.', values: ['0.1', '0.2'] } as const;

describe('the steps of a policy', () => {
  it.each<{ name: string; scene: SceneOptions; lines: readonly string[] }>([
    {
      name: 'at a pause until promoted',
      scene: { gates: [{ state: 'Passed', message: 'Job "smoke" succeeded' }] },
      lines: [
        'rolloutpolicy/web  revision 3 is at step 1 of 3, 1 pod',
        '  ▶ step 1  1 pod         waits for promotion, 5m so far: kubectl md rollout promote web',
        '      gate "smoke" (Passed): Job "smoke" succeeded; measured 12s ago',
        '  ○ step 2  25% = 3 pods',
        '  ○ step 3  50% = 5 pods',
        '  ○ all     10 pods',
      ],
    },
    {
      name: 'at a gate and a timed pause',
      scene: { step: { step: 2 }, gates: [errors] },
      lines: [
        'rolloutpolicy/web  revision 3 is at step 2 of 3, 25% = 3 pods',
        '  ✔ step 1  1 pod',
        '  ▶ step 2  25% = 3 pods  waits for gate "errors", 5m so far; waits 5m more',
        '      gate "errors" (Pending): 2 of 5 were good; values 0.1, 0.2; at most 0.5 is good; measured 12s ago',
        '  ○ step 3  50% = 5 pods',
        '  ○ all     10 pods',
      ],
    },
    {
      name: 'at two gates, and a third that has passed',
      scene: {
        spec: {
          steps: [{ replicas: 1, gates: ['smoke', 'errors', 'more'] }],
          gates: [...(SPEC.gates ?? []), { name: 'more', job: { fromCronJob: 'more' } }],
        },
        gates: [
          { message: 'Job "smoke" is running' },
          { name: 'more', state: 'Passed', message: 'Job "more" succeeded' },
        ],
      },
      lines: [
        'rolloutpolicy/web  revision 3 is at step 1 of 1, 1 pod',
        '  ▶ step 1  1 pod    waits for gates "smoke", "errors", 5m so far',
        '      gate "smoke" (Pending): Job "smoke" is running; measured 12s ago',
        '      gate "errors": not measured yet',
        '      gate "more" (Passed): Job "more" succeeded; measured 12s ago',
        '  ○ all     10 pods',
      ],
    },
    {
      name: 'before the pods are available',
      scene: { step: { step: 3, since: undefined } as never },
      lines: [
        'rolloutpolicy/web  revision 3 is at step 3 of 3, 50% = 5 pods',
        '  ✔ step 1  1 pod',
        '  ✔ step 2  25% = 3 pods',
        '  ▶ step 3  50% = 5 pods  waits for its pods to be available',
        '  ○ all     10 pods',
      ],
    },
    {
      name: 'at zero replicas',
      scene: { step: { since: undefined } as never, object: { replicas: 0 } },
      lines: [
        'rolloutpolicy/web  revision 3 is at step 1 of 3, 0 pods',
        '  ▶ step 1  0 pods        waits until there are replicas again',
        '      gate "smoke": not measured yet',
        '  ○ step 2  25% = 0 pods',
        '  ○ step 3  50% = 0 pods',
        '  ○ all     0 pods',
      ],
    },
    {
      name: 'after the last step',
      scene: { step: { step: 4 } },
      lines: [
        'rolloutpolicy/web  revision 3 rolls out to all 10 pods',
        '  ✔ step 1  1 pod',
        '  ✔ step 2  25% = 3 pods',
        '  ✔ step 3  50% = 5 pods',
        '  ▶ all     10 pods',
      ],
    },
    { name: 'after the rollout', scene: { completed: 3 }, lines: ['rolloutpolicy/web  no rollout is under way'] },
    {
      name: 'after a rejection, whatever it says',
      scene: { rejected: { message: '\u001b[2Jboom' } },
      lines: ['rolloutpolicy/web  revision 3 was rejected (PodFailures): \\u001b[2Jboom'],
    },
    {
      name: 'of a policy that is not accepted',
      scene: { completed: 3, spec: { gates: [] } },
      lines: ['rolloutpolicy/web  not accepted: spec.steps: there is no gate "smoke"'],
    },
  ])('$name', ({ scene, lines }) => {
    expect(drawn(scene)).toEqual(lines);
  });

  it('where there is little room, only those that matter most', () => {
    expect(drawn({}, 5)).toHaveLength(3);
    expect(drawn({}, 5)[1]).toContain('▶ step 1');
    expect(drawn({}, 1)).toEqual(['rolloutpolicy/web  revision 3 is at step 1 of 3, 1 pod']);
  });
});

describe('a gate in a line', () => {
  const [, gate] = SPEC.gates ?? [];
  const result = { name: 'errors', number: 3, step: 2, state: 'NoData' } as const;

  it.each([
    { result: undefined, line: 'gate "errors": not measured yet' },
    {
      result: { ...result, message: 'no sample', measuredAt: secondsAgo(30) },
      line: 'gate "errors" (NoData): no sample; at most 0.5 is good; measured 30s ago',
    },
    {
      result: { ...result, state: 'Failed', values: ['1', '2', '3', '4', '5', '6'] } as const,
      line: 'gate "errors" (Failed): values 2, 3, 4, 5, 6; at most 0.5 is good',
    },
  ])('$line', ({ result: measured, line }) => {
    expect(gateLine(gate as NonNullable<typeof gate>, measured, NOW)).toBe(line);
  });

  it('names both bounds', () => {
    const both = { name: 'rate', prometheus: { query: 'q', min: '1', max: '2' } };
    expect(gateLine(both, result, NOW)).toBe('gate "rate" (NoData): at least 1 and at most 2 is good');
  });
});
