import { describe, expect, it } from '@jest/globals';
import { describeChange, isSettled, type Target } from '../../src/kinds/collector/targets.ts';
import type { ControllerRevision } from '../../src/workload/revision.ts';
import { trimDeployment, trimRevision, trimToMetadata } from '../../src/workload/trim.ts';

const metadata = {
  name: 'web',
  namespace: 'default',
  uid: 'u',
  resourceVersion: '7',
  generation: 3,
  labels: { app: 'web' },
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'o', controller: true }],
};
const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'x'.repeat(10_000) };

const deployment = {
  metadata: { ...metadata, annotations },
  spec: {
    replicas: 3,
    paused: false,
    selector: { matchLabels: { app: 'web' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } },
    template: { spec: { containers: [{ name: 'web', image: 'web:v1', args: ['x'.repeat(10_000)] }] } },
  },
  status: {
    observedGeneration: 3,
    replicas: 3,
    updatedReplicas: 3,
    availableReplicas: 3,
    conditions: [{ type: 'Available', status: 'True', message: 'x'.repeat(10_000) }],
  },
};
type Changes = Partial<Record<keyof Target['spec'] | string, unknown>>;
const trimmedWith = (spec: Changes): Target =>
  trimDeployment({ ...deployment, spec: { ...deployment.spec, ...spec } } as Target);

describe('an object of others', () => {
  it('is kept without annotations and without what it says', () => {
    expect(trimToMetadata(deployment)).toEqual({ metadata });
  });

  it('is a revision with its number and without its data', () => {
    const revision: ControllerRevision = { metadata: { ...metadata, annotations }, revision: 4, data: { spec: {} } };
    expect(trimRevision(revision)).toEqual({ metadata, revision: 4 });
  });
});

describe('a Deployment of others', () => {
  it('takes less than a kilobyte, however large it is', () => {
    expect(JSON.stringify(trimDeployment(deployment)).length).toBeLessThan(1_000);
    expect(trimDeployment(deployment).spec).toMatchObject({ template: { digest: expect.stringMatching(/^.{43}=$/) } });
  });

  it('keeps its counts and its plain fields', () => {
    const { spec, status } = trimDeployment(deployment);
    expect(status).toEqual({ observedGeneration: 3, replicas: 3, updatedReplicas: 3, availableReplicas: 3 });
    expect(spec).toMatchObject({ replicas: 3, paused: false, strategy: { type: 'RollingUpdate' } });
  });

  it('keeps a type that is a text, and null', () => {
    const spec = trimmedWith({ selector: { type: 7 }, template: {}, strategy: null }).spec as Changes;
    expect([spec.selector, spec.template].map((part) => Object.keys(part as object))).toEqual([['digest'], ['digest']]);
    expect(spec.strategy).toBeNull();
  });

  it.each([
    { change: {}, words: 'being deleted' },
    { change: { replicas: 1 }, words: 'replicas 3 → 1' },
    { change: { template: { spec: { containers: [] } } }, words: 'template' },
    { change: { strategy: { type: 'Recreate' } }, words: 'strategy RollingUpdate → Recreate' },
    { change: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }, words: 'strategy' },
    { change: { minReadySeconds: 5 }, words: 'minReadySeconds none → 5' },
  ])('still shows an observer what was changed: $words', ({ change, words }) => {
    expect(describeChange(trimmedWith({}), trimmedWith(change))).toBe(words);
  });

  it('still shows an observer whether it is settled', () => {
    expect(isSettled(trimmedWith({}), 0)).toBe(true);
    expect(isSettled(trimmedWith({ replicas: 4 }), 0)).toBe(false);
  });
});
