import { describe, expect, it } from '@jest/globals';
import {
  countAnnotations,
  isOurRecord,
  missingAnnotations,
  readCount,
  readRevision,
} from '../../../src/kinds/my-deployment/plan/record.ts';
import { myDeployment, revision, template } from './fixture.ts';

const P = 'mydeployment.kubebuilder.zq.com';

describe('deployment_util_test.go TestGetNonNegativeInt32FromAnnotation', () => {
  it.each([
    { name: 'missing', text: undefined, count: undefined },
    { name: 'empty', text: '', count: undefined },
    { name: 'invalid', text: 'invalid', count: undefined },
    { name: 'negative', text: '-1', count: undefined },
    { name: 'with a sign', text: '+1', count: undefined },
    { name: 'a fraction', text: '1.5', count: undefined },
    { name: 'a power of ten', text: '1e3', count: undefined },
    { name: 'zero', text: '0', count: 0 },
    { name: 'valid', text: '13', count: 13 },
    { name: 'the largest', text: '2147483647', count: 2147483647 },
    { name: 'out of range', text: '2147483648', count: undefined },
    { name: 'far out of range', text: '4294967296000', count: undefined },
  ])('$name', ({ text, count }) => {
    expect(readCount(text)).toBe(count);
  });
});

describe('deployment_util_test.go TestAnnotationUtils and TestReplicasAnnotationsNeedUpdate', () => {
  const owner = myDeployment();
  const limits = { replicas: 10, maxSurge: 10, maxUnavailable: 0 };
  const wanted = { [`${P}/replicas`]: '4', [`${P}/desired-replicas`]: '10', [`${P}/max-replicas`]: '20' };

  it('records a count with what it was decided for', () => {
    expect(countAnnotations(limits, 4)).toEqual(wanted);
  });

  it.each([
    { name: 'none there', present: {}, missing: wanted },
    {
      name: 'another desired-replicas',
      present: { ...wanted, [`${P}/desired-replicas`]: '8' },
      missing: { [`${P}/desired-replicas`]: '10' },
    },
    {
      name: 'another max-replicas',
      present: { ...wanted, [`${P}/max-replicas`]: '16' },
      missing: { [`${P}/max-replicas`]: '20' },
    },
    { name: 'all there', present: wanted, missing: {} },
    { name: 'all there, and more', present: { ...wanted, other: 'x' }, missing: {} },
  ])('$name', ({ present, missing }) => {
    const record = readRevision(revision(owner, 'v1', { number: 1, annotations: present }));
    expect(missingAnnotations(record, wanted)).toEqual(missing);
  });
});

describe('a revision that was read', () => {
  it('knows what was recorded', () => {
    const stored = revision(myDeployment(), 'v1', {
      number: 3,
      replicas: 8,
      of: 10,
      ceiling: 13,
      annotations: { [`${P}/pod-template-hash-aliases`]: '5d4f8c7b9,6c6d5b8f7' },
    });
    expect(readRevision(stored)).toEqual({
      name: stored.metadata.name,
      hash: stored.metadata.name.slice('web-'.length),
      aliases: ['5d4f8c7b9', '6c6d5b8f7'],
      number: 3,
      template: template('v1'),
      recorded: { desired: 8, ownerReplicas: 10, ownerMaxTotalPods: 13 },
      attempt: { completed: undefined, step: undefined, rejected: undefined, promotions: [] },
      stored,
    });
  });

  it('knows nothing where nothing was recorded', () => {
    const { recorded, aliases } = readRevision(revision(myDeployment(), 'v1', { number: 1 }));
    expect(recorded).toEqual({ desired: undefined, ownerReplicas: undefined, ownerMaxTotalPods: undefined });
    expect(aliases).toEqual([]);
  });

  it.each([
    { annotations: { [`${P}/replicas`]: '0' }, ours: true },
    { annotations: {}, ours: false },
    { annotations: undefined, ours: false },
  ])('is ours with $annotations: $ours', ({ annotations, ours }) => {
    expect(isOurRecord(annotations)).toBe(ours);
  });
});
