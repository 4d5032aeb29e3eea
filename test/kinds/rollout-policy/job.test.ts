import { describe, expect, it } from '@jest/globals';
import {
  type CronJob,
  GATE_LABEL,
  jobFor,
  jobName,
  NUMBER_LABEL,
} from '../../../src/kinds/rollout-policy/gates/job.ts';
import { policy } from './fixture.ts';

const place = { number: 3, step: 1, since: 1 };

describe('the name of a Job', () => {
  it('tells what it is for', () => {
    expect(jobName(policy(), 'smoke', place)).toMatch(/^canary-smoke-3-1-[a-z0-9]+$/);
  });

  it('fits into a label, however long the names are, and has no dots', () => {
    const long = policy({}, { metadata: { name: 'a.b'.repeat(80) } });
    const name = jobName(long, 'g'.repeat(63), place);
    expect(name.length).toBeLessThanOrEqual(63);
    expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  });

  it.each<{ name: string; one: readonly [object, string, object]; other: readonly [object, string, object] }>([
    {
      name: 'policies and gates that run into each other',
      one: [{ name: 'a' }, 'b-c', {}],
      other: [{ name: 'a-b' }, 'c', {}],
    },
    {
      name: 'two policies of one name, one after the other',
      one: [{ uid: '1' }, 'x', {}],
      other: [{ uid: '2' }, 'x', {}],
    },
    { name: 'attempts', one: [{}, 'x', { number: 1 }], other: [{}, 'x', { number: 2 }] },
    { name: 'steps', one: [{}, 'x', { step: 1 }], other: [{}, 'x', { step: 2 }] },
    { name: 'stays in a step', one: [{}, 'x', { since: 1 }], other: [{}, 'x', { since: 2 }] },
  ])('differs for $name', ({ one, other }) => {
    const [first, second] = [one, other].map(([metadata, gate, where]) =>
      jobName(policy({}, { metadata }), gate, { ...place, ...where }),
    );
    expect(first).not.toBe(second);
  });
});

describe('a Job from a CronJob', () => {
  const template = { metadata: { labels: { app: 'smoke' } }, spec: { containers: [] } };
  const cronJob = (
    spec: object = {},
    metadata: object = { labels: { team: 'a' }, annotations: { note: 'b' } },
  ): CronJob =>
    ({
      metadata: { name: 'smoke', uid: 'c', resourceVersion: '1' },
      spec: { suspend: true, jobTemplate: { metadata, spec: { template, ...spec } } },
    }) as unknown as CronJob;
  const wanted = { name: 'canary-smoke', gate: 'smoke', number: 3, cronJob: 'smoke' };
  const make = (from: CronJob, labels: Record<string, string> = { app: 'web' }) =>
    jobFor(policy(), { ...wanted, selector: { matchLabels: labels } }, from);

  it('is what kubectl would make of it, owned by the policy and marked with its gate', () => {
    expect(make(cronJob({ backoffLimit: 0 }))).toEqual({
      job: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: {
          name: 'canary-smoke',
          namespace: 'default',
          labels: { team: 'a', [GATE_LABEL]: 'smoke', [NUMBER_LABEL]: '3' },
          annotations: { note: 'b', 'cronjob.kubernetes.io/instantiate': 'manual' },
          ownerReferences: [
            {
              apiVersion: 'kubebuilder.zq.com/v1alpha1',
              kind: 'RolloutPolicy',
              name: 'canary',
              uid: 'canary-uid',
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        spec: { activeDeadlineSeconds: 600, backoffLimit: 0, template },
      },
    });
  });

  it('keeps its own deadline, but not its time to live', () => {
    const made = make(cronJob({ activeDeadlineSeconds: 60, ttlSecondsAfterFinished: 0 }));
    expect(made).toMatchObject({ job: { spec: { activeDeadlineSeconds: 60 } } });
    expect(JSON.stringify(made)).not.toContain('ttl');
  });

  it('cannot pass as a Job of another gate', () => {
    const made = make(cronJob({}, { labels: { [GATE_LABEL]: 'other', [NUMBER_LABEL]: '99' } }));
    expect(made).toMatchObject({ job: { metadata: { labels: { [GATE_LABEL]: 'smoke', [NUMBER_LABEL]: '3' } } } });
  });

  it('is refused when the target would select its pods', () => {
    expect(make(cronJob(), { app: 'smoke' })).toEqual({
      refused: 'the pods of CronJob "smoke" have labels that MyDeployment "web" selects',
    });
  });
});
