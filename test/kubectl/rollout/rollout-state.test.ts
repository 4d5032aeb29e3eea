import { describe, expect, it } from '@jest/globals';
import { progressLine } from '../../../src/kubectl/rollout/progress-line.ts';
import { rolloutState, wrongRevision } from '../../../src/kubectl/rollout/rollout-state.ts';
import { plain } from '../../../src/kubectl/terminal/style.ts';
import { myDeployment } from '../../kinds/my-deployment/fixture.ts';

const counted = (updatedReplicas: number, replicas: number, availableReplicas: number, more: object = {}) =>
  myDeployment({
    replicas: 4,
    metadata: { generation: 2 },
    status: { observedGeneration: 2, replicas, updatedReplicas, availableReplicas, ...more },
  });
const selectsAll = {
  type: 'Stalled',
  status: 'True',
  reason: 'SelectingAll',
  message: 'It selects\nall pods',
} as const;
const held = (reason: string) =>
  ({ type: 'Reconciling', status: 'True', reason, message: 'Step 1 of 3 is held.' }) as const;
const rejected = {
  type: 'Stalled',
  status: 'True',
  reason: 'RevisionRejected',
  message: 'Revision 3 was rejected',
} as const;
const pausedOne = { ...counted(1, 4, 4), spec: { ...counted(1, 4, 4).spec, paused: true } };
const timedOut = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' } as const;

describe("how far a rollout is, in kubectl's words", () => {
  it.each([
    {
      object: counted(4, 4, 4, { observedGeneration: 1 }),
      is: 'moving',
      line: 'Waiting for mydeployment spec update to be observed...',
    },
    { object: myDeployment(), is: 'moving', line: 'Waiting for mydeployment spec update to be observed...' },
    {
      object: counted(2, 5, 4),
      is: 'moving',
      line: 'Waiting for mydeployment "web" rollout to finish: 2 out of 4 new replicas have been updated...',
    },
    {
      object: counted(4, 5, 4),
      is: 'moving',
      line: 'Waiting for mydeployment "web" rollout to finish: 1 old replicas are pending termination...',
    },
    {
      object: counted(4, 4, 3),
      is: 'moving',
      line: 'Waiting for mydeployment "web" rollout to finish: 3 of 4 updated replicas are available...',
    },
    { object: counted(4, 4, 4), is: 'done', line: 'mydeployment "web" successfully rolled out' },
    {
      object: counted(2, 5, 4, { conditions: [timedOut] }),
      is: 'failed',
      line: 'mydeployment "web" exceeded its progress deadline',
    },
    {
      object: counted(4, 4, 4, { conditions: [selectsAll] }),
      is: 'failed',
      line: 'mydeployment "web" is stalled (SelectingAll): It selects all pods.',
    },
    {
      object: counted(4, 4, 4, { observedGeneration: 1, conditions: [selectsAll] }),
      is: 'moving',
      line: 'Waiting for mydeployment spec update to be observed...',
    },
    {
      object: counted(4, 4, 4, { conditions: [{ ...selectsAll, status: 'False' }] }),
      is: 'done',
      line: 'mydeployment "web" successfully rolled out',
    },
    {
      object: counted(1, 5, 5, { conditions: [held('AwaitingPromotion')] }),
      is: 'waiting',
      line: 'Waiting for mydeployment "web" rollout to finish: step 1 of 3 is held (kubectl md rollout promote web)...',
    },
    {
      object: counted(1, 5, 5, { conditions: [held('GatePending')] }),
      is: 'moving',
      line: 'Waiting for mydeployment "web" rollout to finish: step 1 of 3 is held...',
    },
    {
      object: counted(1, 5, 5, { observedGeneration: 1, conditions: [held('AwaitingPromotion')] }),
      is: 'moving',
      line: 'Waiting for mydeployment spec update to be observed...',
    },
    {
      object: counted(1, 5, 5, { conditions: [held('RollingOut')] }),
      is: 'moving',
      line: 'Waiting for mydeployment "web" rollout to finish: 1 out of 4 new replicas have been updated...',
    },
    {
      object: pausedOne,
      is: 'waiting',
      line: 'Waiting for mydeployment "web" rollout to finish: 1 out of 4 new replicas have been updated...',
    },
    {
      object: counted(0, 4, 4, { conditions: [rejected] }),
      is: 'failed',
      line: 'mydeployment "web" is stalled (RevisionRejected): Revision 3 was rejected.',
    },
  ])('$line', ({ object, is, line }) => {
    expect(rolloutState(object)).toEqual({ is, line });
  });

  it.each([
    { asked: 0, running: 3, says: undefined },
    { asked: 3, running: 3, says: undefined },
    { asked: 2, running: 3, says: 'desired revision (2) is different from the running revision (3)' },
    { asked: 2, running: undefined, says: 'desired revision (2) is different from the running revision (none)' },
  ])('asked for $asked while $running runs', ({ asked, running, says }) => {
    expect(wrongRevision(asked, running)).toBe(says);
  });
});

describe('the progress line', () => {
  it('shows a bar, the counts and the time, and fits', () => {
    const line = progressLine(counted(2, 5, 3), { since: 12_000, columns: 80, style: plain });
    expect(line).toBe(`${'▒'.repeat(12)}${'▓'.repeat(18)} 2 of 4 updated, 3 available, 3 old  12s`);
    expect(progressLine(counted(2, 5, 3), { since: 0, columns: 20, style: plain })).toHaveLength(19);
  });

  it.each([
    { reason: 'AwaitingPromotion', says: '4 old, waits for promotion  0s' },
    { reason: 'StepPaused', says: '4 old, pauses  0s' },
    { reason: 'GatePending', says: '4 old, waits for gates  0s' },
    { reason: 'RollingOut', says: '4 old  0s' },
  ])('says what a step waits for: $reason', ({ reason, says }) => {
    const object = counted(1, 5, 5, { conditions: [held(reason)] });
    expect(progressLine(object, { since: 0, columns: 100, style: plain })).toContain(says);
    const unseen = counted(1, 5, 5, { observedGeneration: 1, conditions: [held(reason)] });
    expect(progressLine(unseen, { since: 0, columns: 100, style: plain })).toContain('4 old  0s');
  });

  it('says that it is paused', () => {
    const object = { ...counted(0, 4, 4), spec: { ...counted(0, 4, 4).spec, paused: true } };
    expect(progressLine(object, { since: 0, columns: 100, style: plain })).toContain('4 available, 4 old, paused');
  });
});
