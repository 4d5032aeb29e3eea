import { describe, expect, it } from '@jest/globals';
import type { Verb } from '../../../src/kubectl/policy/asked.ts';
import { decide } from '../../../src/kubectl/policy/decide.ts';
import { standingOf } from '../../../src/kubectl/policy/standing.ts';
import { ABORT } from '../../../src/policy/requests.ts';
import { NOW } from '../../kinds/my-deployment/fixture.ts';
import { factsOf, policy, type SceneOptions, standing } from './scene.ts';

const passed = [{ state: 'Passed' }] as const;
const errors = { name: 'errors', step: 2 } as const;

interface Case {
  readonly name: string;
  readonly verb: Verb;
  readonly scene?: SceneOptions;
}

describe('what a verb asks for', () => {
  it.each<Case & { request: object; will: string; waitsUntil?: string }>([
    {
      name: 'promote at a pause',
      verb: 'promote',
      scene: { gates: passed },
      request: { number: 3, step: 1 },
      will: 'on to step 2 of 3, 25% = 3 pods',
    },
    {
      name: 'promote while a gate is pending',
      verb: 'promote',
      request: { number: 3, step: 1 },
      will: 'step 1 of 3, 1 pod; it waits for gate "smoke": not measured yet',
    },
    {
      name: 'promote before the pods are available',
      verb: 'promote',
      scene: { step: { since: undefined } as never },
      request: { number: 3, step: 1 },
      will: 'step 1 of 3, 1 pod; it waits for its pods to be available',
    },
    {
      name: 'promote a pause with a duration',
      verb: 'promote',
      scene: { step: { step: 2 }, gates: [{ ...errors, state: 'Passed' }] },
      request: { number: 3, step: 2 },
      will: 'on to step 3 of 3, 50% = 5 pods',
    },
    {
      name: 'promote while it is paused',
      verb: 'promote',
      scene: { gates: passed, object: { paused: true } },
      request: { number: 3, step: 1 },
      will: 'on to step 2 of 3, 25% = 3 pods',
      waitsUntil: 'it is resumed',
    },
    {
      name: 'promote without replicas',
      verb: 'promote',
      scene: { gates: passed, object: { replicas: 0 } },
      request: { number: 3, step: 1 },
      will: 'on to step 2 of 3, 25% = 0 pods',
      waitsUntil: 'it has replicas',
    },
    {
      name: 'promote in full',
      verb: 'promoteFull',
      request: { number: 3, step: 1, full: true },
      will: 'skips the steps that are left, on to all 10 pods',
    },
    {
      name: 'promote in full where there is no pause',
      verb: 'promoteFull',
      scene: { step: { step: 3 } },
      request: { number: 3, step: 3, full: true },
      will: 'skips the steps that are left, on to all 10 pods',
    },
    {
      name: 'abort in a step',
      verb: 'abort',
      request: { number: 3 },
      will: 'rejects revision 3 and goes back to revision 2; the spec stays as it is',
    },
    {
      name: 'abort after the last step',
      verb: 'abort',
      scene: { step: { step: 4 } },
      request: { number: 3 },
      will: 'rejects revision 3 and goes back to revision 2; the spec stays as it is',
    },
    {
      name: 'retry what was rejected',
      verb: 'retry',
      scene: { rejected: {} },
      request: { number: 3 },
      will: 'tries revision 3 again, from step 1 of 3, 1 pod',
    },
    {
      name: 'retry without steps',
      verb: 'retry',
      scene: { rejected: {}, spec: { steps: [] } },
      request: { number: 3 },
      will: 'tries revision 3 again',
    },
    {
      name: 'retry after a failed gate',
      verb: 'retry',
      scene: { gates: [{ state: 'Failed', message: 'the Job failed' }] },
      request: { number: 3 },
      will: 'tries revision 3 again, from step 1 of 3, 1 pod',
    },
  ])('$name', ({ verb, scene, request, will, waitsUntil }) => {
    expect(decide(verb, standing(scene), NOW)).toMatchObject({ is: 'asked', verb, request, will, waitsUntil });
  });

  it.each<Case & { because: string }>([
    {
      name: 'after a rejection',
      verb: 'promote',
      scene: { rejected: {} },
      because:
        'there is nothing to promote: revision 3 was rejected (PodFailures): container "web" of pod "web-1" ended with exit code 3: no database',
    },
    {
      name: 'when it is complete',
      verb: 'promote',
      scene: { completed: 3 },
      because: 'there is nothing to promote: no rollout is under way',
    },
    {
      name: 'when nothing is recorded',
      verb: 'promoteFull',
      scene: { step: 'none' },
      because: 'there is nothing to promote: no rollout is under way',
    },
    {
      name: 'when another policy recorded the step',
      verb: 'promote',
      scene: { step: { policy: 'another' } },
      because: 'there is nothing to promote: no rollout is under way',
    },
    {
      name: 'when the step is of an earlier attempt',
      verb: 'promote',
      scene: { step: { number: 1 } },
      because: 'there is nothing to promote: no rollout is under way',
    },
    {
      name: 'after the last step',
      verb: 'promote',
      scene: { step: { step: 4 } },
      because: 'no step is left to promote',
    },
    {
      name: 'in full after the last step',
      verb: 'promoteFull',
      scene: { step: { step: 4 } },
      because: 'no step is left to promote',
    },
    {
      name: 'in a step without a pause',
      verb: 'promote',
      scene: { step: { step: 3, since: undefined } as never },
      because:
        'step 3 of 3, 50% = 5 pods, has no pause that a promotion could end; it waits for its pods to be available',
    },
    {
      name: 'when the pause is over and the gate is not',
      verb: 'promote',
      scene: { step: { step: 2, since: NOW - 601_000 } },
      because:
        'step 2 of 3, 25% = 3 pods, has no pause that a promotion could end; it waits for gate "errors": not measured yet',
    },
    {
      name: 'twice',
      verb: 'promote',
      scene: { step: { promoted: true } },
      because: 'step 1 of 3, 1 pod, is promoted already; it waits for gate "smoke": not measured yet',
    },
    {
      name: 'while it is being aborted',
      verb: 'promote',
      scene: { policy: { annotations: { [ABORT]: '{"number":3}' } } },
      because: 'revision 3 is being aborted',
    },
    {
      name: 'when the policy is not accepted',
      verb: 'promote',
      scene: { object: { strategy: { type: 'Recreate' } } },
      because:
        'rolloutpolicy "web" is not accepted: spec.steps: a target with strategy Recreate cannot roll out in steps, only go back',
    },
    {
      name: 'when the stable revision is gone',
      verb: 'promoteFull',
      scene: { step: { stable: 'web-gone' } },
      because: 'the stable revision "web-gone" is gone or cannot be read',
    },
    {
      name: 'when the stable revision is gone',
      verb: 'abort',
      scene: { step: { stable: 'web-gone' } },
      because: 'the stable revision "web-gone" is gone or cannot be read',
    },
    {
      name: 'when it is paused with a template that is not recorded',
      verb: 'abort',
      scene: { object: { version: 'v3', paused: true } },
      because: 'it is paused, and its newest template or steps wait until it is resumed',
    },
    {
      name: 'after an abort',
      verb: 'abort',
      scene: { rejected: { reason: 'Aborted', by: 'bob' } },
      because: 'there is nothing to abort: revision 3 was aborted by bob',
    },
    {
      name: 'when the newest steps are not accepted',
      verb: 'promote',
      scene: { step: { steps: 'other' }, spec: { gates: [] } },
      because: 'rolloutpolicy "web" is not accepted: spec.steps: there is no gate "smoke"',
    },
    {
      name: 'when the newest template is not recorded',
      verb: 'abort',
      scene: { object: { version: 'v3' } },
      because: 'the operator has not seen the newest template and steps yet',
    },
    {
      name: 'when the operator still sees another revision',
      verb: 'retry',
      scene: { object: { status: { replicas: 10, updateRevision: 'web-other' } } },
      because: 'the operator has not seen the newest template and steps yet',
    },
    {
      name: 'when the steps have just changed',
      verb: 'promote',
      scene: { step: { steps: 'other' } },
      because: 'the operator has not seen the newest template and steps yet',
    },
    {
      name: 'when nothing is under way',
      verb: 'abort',
      scene: { completed: 3 },
      because: 'there is nothing to abort: no rollout is under way',
    },
    {
      name: 'without a stable revision',
      verb: 'abort',
      scene: { step: { stable: undefined } as never },
      because: 'there is no stable revision to go back to',
    },
    {
      name: 'when it moves',
      verb: 'retry',
      because: 'there is nothing to retry: revision 3 is at step 1 of 3, 1 pod',
    },
    {
      name: 'when it is complete',
      verb: 'retry',
      scene: { completed: 3 },
      because: 'there is nothing to retry: no rollout is under way',
    },
  ])('$verb is refused $name', ({ verb, scene, because }) => {
    expect(decide(verb, standing(scene), NOW)).toEqual({ is: 'refused', because });
  });

  it('is refused where no policy is about the object', () => {
    const facts = { ...factsOf(), policies: [policy({ spec: { targetRef: { name: 'shop' } } })] };
    expect(decide('promote', standingOf(facts), NOW)).toEqual({
      is: 'refused',
      because: 'no RolloutPolicy is about it',
    });
  });
});
