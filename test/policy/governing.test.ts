import { describe, expect, it } from '@jest/globals';
import { governing, isAbout, refusalOf } from '../../src/policy/governing.ts';
import type { RolloutPolicy, RolloutPolicySpec } from '../../src/policy/types.gen.ts';

const policy = (metadata: object = {}, spec: Partial<RolloutPolicySpec> = {}): RolloutPolicy => ({
  metadata: { name: 'p', namespace: 'shop', uid: 'u', resourceVersion: '1', ...metadata },
  spec: { targetRef: { name: 'web' }, ...spec },
});

describe('a policy is about a MyDeployment', () => {
  const web = { name: 'web', namespace: 'shop', uid: 'w', resourceVersion: '1' };

  it.each([
    { name: 'of its namespace that it names', of: policy(), is: true },
    { name: 'not of another name', of: policy({}, { targetRef: { name: 'api' } }), is: false },
    { name: 'not in another namespace', of: policy({ namespace: 'other' }), is: false },
    { name: 'not while it is deleted', of: policy({ deletionTimestamp: '2026-01-01T12:00:00Z' }), is: false },
  ])('$name', ({ of, is }) => {
    expect(isAbout(of, web)).toBe(is);
  });
});

describe('of several policies governs', () => {
  const at = (second: number, name: string) => policy({ name, creationTimestamp: `2026-01-01T12:00:0${second}Z` });

  it.each([
    { name: 'none of none', policies: [], governs: undefined },
    { name: 'the oldest', policies: [at(3, 'a'), at(1, 'b'), at(2, 'c')], governs: 'b' },
    { name: 'the oldest, first as it may be', policies: [at(1, 'b'), at(2, 'a')], governs: 'b' },
    { name: 'the first by name of one second', policies: [at(1, 'b'), at(1, 'a'), at(1, 'c')], governs: 'a' },
    { name: 'the same, in another order', policies: [at(1, 'a'), at(1, 'c'), at(1, 'b')], governs: 'a' },
  ])('$name', ({ policies, governs }) => {
    expect(governing(policies)?.metadata.name).toBe(governs);
  });
});

describe('a policy cannot govern', () => {
  const rolling = { spec: {} };
  const gate = { name: 'g', prometheus: { query: 'up', max: '1' } };

  it.each<{ name: string; spec: Partial<RolloutPolicySpec>; message: string }>([
    {
      name: 'with a step that asks for a gate that is not there',
      spec: { steps: [{ replicas: 1, gates: ['g', 'x', 'y'] }], gates: [gate] },
      message: 'spec.steps: there is no gate "x"',
    },
    {
      name: 'with a pause that is no time',
      spec: { steps: [{ replicas: 1, pause: { duration: 'long' } }] },
      message: '"long" is not a duration above 0',
    },
    {
      name: 'with an interval of nothing',
      spec: { gates: [{ ...gate, interval: '0s' }] },
      message: '"0s" is not a duration above 0',
    },
    {
      name: 'with a grace period that is no time',
      spec: { pods: { inPlace: { mode: 'IfPossible', gracePeriod: 'soon' } } },
      message: 'spec.pods.inPlace.gracePeriod: "soon" is not a duration',
    },
    {
      name: 'with two, of which the first is named',
      spec: { steps: [{ replicas: 1, pause: { duration: 'a' } }], gates: [{ ...gate, interval: 'b' }] },
      message: '"a" is not a duration above 0',
    },
  ])('$name', ({ spec, message }) => {
    expect(refusalOf(policy({}, spec), rolling)).toEqual({ reason: 'InvalidSpec', message });
  });

  it('with steps for Recreate, but without them', () => {
    const recreate = { spec: { strategy: { type: 'Recreate' } } };
    expect(refusalOf(policy({}, { steps: [{ replicas: 1 }] }), recreate)?.reason).toBe('StrategyNotSupported');
    expect(refusalOf(policy({}, { steps: [] }), recreate)).toBeUndefined();
  });

  it('unless something is wrong', () => {
    const steps = [{ replicas: 1, gates: ['g'], pause: { duration: '10m' } }];
    expect(refusalOf(policy({}, { steps, gates: [{ ...gate, interval: '1m' }] }), rolling)).toBeUndefined();
  });
});
