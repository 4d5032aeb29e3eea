import { describe, expect, it } from '@jest/globals';
import type { RevisionRecord } from '../../../src/kinds/my-deployment/plan/record.ts';
import { outcomeOf } from '../../../src/kubectl/policy/outcome.ts';
import { rejectionTest } from '../../../src/kubectl/policy/standing.ts';
import { previousRevision } from '../../../src/kubectl/revisions.ts';
import { historyTable, templateText } from '../../../src/kubectl/rollout/history.ts';
import { factsOf, objectOf, type SceneOptions } from './scene.ts';

const newest = (scene: SceneOptions) => factsOf(scene).revisions.at(-1) as RevisionRecord;

describe('what became of a revision', () => {
  it.each<{ outcome: string; scene: SceneOptions }>([
    { outcome: '', scene: { step: 'none' } },
    { outcome: 'at step 2', scene: { step: { step: 2 } } },
    { outcome: 'completed', scene: { completed: 3 } },
    {
      outcome: 'completed; step 1 promoted by alice; step 2 promoted',
      scene: {
        completed: 3,
        promotions: [
          { number: 2, step: 9 },
          { number: 3, step: 1, by: 'alice' },
          { number: 3, step: 2 },
        ],
      },
    },
    { outcome: 'rejected (PodFailures): exit code 3', scene: { rejected: { message: 'exit code\n3.' } } },
    { outcome: 'aborted by bob', scene: { rejected: { reason: 'Aborted', by: 'bob', message: '' } } },
    {
      outcome: 'at step 1; as revision 1 rejected (PodFailures): boom',
      scene: { rejected: { number: 1, message: 'boom' } },
    },
    { outcome: 'rejected (PodFailures): \\u001b[2J', scene: { rejected: { message: '\u001b[2J' } } },
  ])('"$outcome"', ({ outcome, scene }) => {
    expect(outcomeOf(newest(scene), 3)).toBe(outcome);
  });

  it('is not under way once there is a newer one', () => {
    expect(outcomeOf(newest({ step: { step: 2 } }), 4)).toBe('replaced at step 2');
    expect(outcomeOf(newest({ completed: 3 }), 4)).toBe('completed');
  });

  it('is a column of the history, and a line above the template', () => {
    const { revisions } = factsOf({ rejected: { message: 'boom' } });
    expect(historyTable('web', revisions).split('\n').slice(1)).toEqual([
      'REVISION  CHANGE-CAUSE  OUTCOME',
      '2         <none>        completed',
      '3         <none>        rejected (PodFailures): boom',
      '',
    ]);
    expect(templateText('web', revisions[1] as RevisionRecord, 3)).toContain(
      '\nOutcome: rejected (PodFailures): boom\n',
    );
  });
});

describe('undo', () => {
  const back = (scene: SceneOptions) => {
    const { object, revisions, policies } = factsOf(scene);
    const isRejected = rejectionTest(object, policies);
    return {
      revisions,
      isRejected,
      to: (version: string) => previousRevision(objectOf({ object: { version } }), revisions, isRejected),
    };
  };

  it('without a number skips what was rejected under the policy', () => {
    expect(back({ rejected: {} }).to('v9').number).toBe(2);
    expect(back({ rejected: { policy: 'deleted' } }).to('v9').number).toBe(3);
    expect(back({ rejected: { number: 1 } }).to('v9').number).toBe(3);
    expect(back({}).to('v9').number).toBe(3);
  });

  it('knows the rejected one when it is named', () => {
    const { revisions, isRejected } = back({ rejected: {} });
    expect(revisions.map(isRejected)).toEqual([false, true]);
  });
});
