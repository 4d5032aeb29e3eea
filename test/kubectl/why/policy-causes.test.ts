import { describe, expect, it } from '@jest/globals';
import { observe } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import type { CauseName } from '../../../src/kubectl/why/cause.ts';
import { why } from '../../../src/kubectl/why/diagnosis.ts';
import type { RolloutPolicy } from '../../../src/policy/types.gen.ts';
import { mixedPods, NOW, secondsAgo } from '../../kinds/my-deployment/fixture.ts';
import { objectOf, policy, revisionsOf, type SceneOptions } from '../policy/scene.ts';

function found(scene: SceneOptions, policies: readonly RolloutPolicy[] = [policy(scene)]) {
  const status = { observedGeneration: 1, replicas: 10, updatedReplicas: 1, availableReplicas: 10 };
  const object = objectOf({ object: { ...scene.object, status: { ...status, ...scene.object?.status } } });
  const revisions = revisionsOf(object, scene);
  const rollout = observe({ object, revisions, pods: mixedPods(object, revisions[1] as never, 1, 1), policies }, NOW);
  const nothing = { pods: [], events: [], nodes: [], claims: [], budgets: [], lease: undefined };
  return why({ rollout, policies, now: NOW, ...nothing });
}

const stalled = (reason: string, message: string): SceneOptions => ({
  object: { status: { replicas: 10, conditions: [{ type: 'Stalled', status: 'True', reason, message }] } },
});
const passed = [{ state: 'Passed' }] as const;
const errors = (more: object) => ({ step: { step: 2 }, gates: [{ name: 'errors', step: 2, ...more }] }) as SceneOptions;

describe('why a rollout under a policy does not go on', () => {
  it.each<{ name: CauseName; scene: SceneOptions; sentence: string; evidence?: string; advice?: string }>([
    {
      name: 'awaiting-promotion',
      scene: { gates: passed },
      sentence: 'Step 1 of 3, 1 pod, has been waiting for promotion for 5m.',
      evidence: 'all its pods were available 5m ago',
      advice: 'kubectl md rollout promote web',
    },
    {
      name: 'step-paused',
      scene: { step: { step: 2, since: NOW - 60_000 }, gates: [{ name: 'errors', step: 2, state: 'Passed' }] },
      sentence: 'Step 2 of 3, 25% = 3 pods, pauses for 9m more.',
      advice: 'It goes on by itself; kubectl md rollout promote web ends the pause now.',
    },
    {
      name: 'gate-pending',
      scene: errors({ message: '2 of 5 were good', values: ['0.1', '0.2'] }),
      sentence: 'Step 2 of 3, 25% = 3 pods, waits for gate "errors".',
      evidence: 'gate "errors" (Pending): 2 of 5 were good; values 0.1, 0.2; at most 0.5 is good; measured 12s ago',
    },
    {
      name: 'gate-pending',
      scene: errors({ state: 'NoData', message: 'no sample' }),
      sentence: 'Step 2 of 3, 25% = 3 pods, waits for gate "errors".',
      advice: 'See what the query yields in Prometheus: it has to be one sample that is a number.',
    },
    {
      name: 'gate-pending',
      scene: errors({ state: 'Error', message: 'refused' }),
      sentence: 'Step 2 of 3, 25% = 3 pods, waits for gate "errors".',
      advice: 'The gate is measured again and again; see whether what it asks is there and answers.',
    },
    {
      name: 'gate-failed',
      scene: { ...errors({ state: 'Failed', message: '3 is above the maximum 0.5' }), ...stalled('GateFailed', 'x') },
      sentence: 'Step 2 of 3, 25% = 3 pods, cannot be left: gate "errors" failed, which is final for it.',
      evidence: 'gate "errors" (Failed): 3 is above the maximum 0.5; at most 0.5 is good; measured 12s ago',
      advice: 'Fix the template and apply it, or try again from the first step: kubectl md rollout retry web',
    },
    {
      name: 'rejected',
      scene: { rejected: {}, ...stalled('RevisionRejected', 'x') },
      sentence:
        'Revision 3 was rejected (PodFailures): container "web" of pod "web-1" ended with exit code 3: no database, 60s ago. The pods are those of revision 2, or become so; the spec stays as it is.',
      advice: 'Fix the template and apply it, or try the same one again: kubectl md rollout retry web',
    },
    {
      name: 'rejected',
      scene: { rejected: { reason: 'Aborted', by: 'bob', message: 'aborted by bob' } },
      sentence:
        'Revision 3 was aborted by bob, 60s ago. The pods are those of revision 2, or become so; the spec stays as it is.',
    },
    {
      name: 'policy-not-accepted',
      scene: { spec: { gates: [] }, ...stalled('PolicyNotAccepted', 'x') },
      sentence:
        'RolloutPolicy "web" is not accepted, so a rollout holds where it is: spec.steps: there is no gate "smoke".',
      advice: 'Correct the policy. Deleting it lets the rollout go on at the native pace.',
    },
    {
      name: 'stable-lost',
      scene: { ...stalled('StableRevisionLost', 'The stable revision is gone'), step: { since: undefined } as never },
      sentence: 'The stable revision is gone.',
    },
    {
      name: 'stable-unhealthy',
      scene: { ...stalled('StableUnhealthy', 'Half of the pods fail'), step: { since: undefined } as never },
      sentence: 'Half of the pods fail.',
    },
    {
      name: 'no-way-back',
      scene: { ...stalled('PodFailures', 'There is no revision to go back to: boom.'), step: 'none' },
      sentence: 'There is no revision to go back to: boom.',
    },
  ])('$name: $sentence', ({ name, scene, sentence, evidence, advice }) => {
    const [cause] = found(scene);
    expect(cause).toMatchObject({ name, sentence, ...(advice !== undefined && { advice }) });
    if (evidence !== undefined) expect(cause?.evidence).toContain(evidence);
    expect(found(scene).map((each) => each.name)).not.toContain('stalled');
  });

  it('names every gate that holds, and the pause after them', () => {
    expect(found({}).map(({ name }) => name)).toEqual(['gate-pending', 'awaiting-promotion']);
  });

  it('names policies that have no effect', () => {
    const younger = policy({ policy: { name: 'other', uid: 'other', creationTimestamp: secondsAgo(1) } });
    const causes = found({ completed: 3 }, [policy(), younger]);
    expect(causes[0]).toMatchObject({
      name: 'policy-conflicted',
      sentence: 'RolloutPolicy "other" has no effect: "web" is about the same MyDeployment and is older.',
    });
  });

  it('says nothing of policies about others, nor of deleted ones', () => {
    const others = [policy({ spec: { targetRef: { name: 'shop' } } }), policy({ policy: { deletionTimestamp: 'x' } })];
    expect(found({}, others).map(({ name }) => name)).toEqual(['moving']);
  });

  it('does not send back to a rejected revision', () => {
    const timedOut = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' } as const;
    const scene = { rejected: {}, object: { version: 'v9', status: { replicas: 10, conditions: [timedOut] } } };
    const advice = (each: SceneOptions) => found(each).find(({ name }) => name === 'deadline')?.advice;
    expect(advice(scene)).toBe('kubectl md rollout undo web returns to revision 2.');
    expect(advice({ object: scene.object })).toBe('kubectl md rollout undo web returns to revision 3.');
  });
});
