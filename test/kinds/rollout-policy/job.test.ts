import { describe, expect, it } from '@jest/globals';
import {
  type CronJob,
  GATE_LABEL,
  type Job,
  jobFor,
  jobName,
  NUMBER_LABEL,
  outcomeOf,
  trimJob,
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
    expect(jobName(policy({}, { metadata: { name: 'a.b' } }), 'smoke', place)).toMatch(/^a-b-smoke-3-1-/);
  });

  it('uses all the room that there is', () => {
    expect(jobName(policy({}, { metadata: { name: 'a'.repeat(80) } }), 'smoke', place)).toHaveLength(63);
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
    {
      name: 'attempts, even where the name is cut',
      one: [{ name: 'a'.repeat(80) }, 'x', { number: 1 }],
      other: [{ name: 'a'.repeat(80) }, 'x', { number: 2 }],
    },
    {
      name: 'steps, even where the name is cut',
      one: [{ name: 'a'.repeat(80) }, 'x', { step: 1 }],
      other: [{ name: 'a'.repeat(80) }, 'x', { step: 2 }],
    },
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
          labels: {
            team: 'a',
            'rolloutpolicy.kubebuilder.zq.com/gate': 'smoke',
            'rolloutpolicy.kubebuilder.zq.com/number': '3',
          },
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

describe('a Job', () => {
  const job = (...conditions: readonly object[]): Job =>
    ({ metadata: { name: 'j' }, ...(conditions.length > 0 && { status: { conditions } }) }) as unknown as Job;

  it.each<{ name: string; conditions: readonly object[]; outcome: object }>([
    { name: 'without a status runs', conditions: [], outcome: { is: 'running', message: 'Job "j" is running' } },
    {
      name: 'that is not complete runs',
      conditions: [
        { type: 'Complete', status: 'False' },
        { type: 'Failed', status: 'Unknown' },
      ],
      outcome: { is: 'running', message: 'Job "j" is running' },
    },
    {
      name: 'that is complete has succeeded',
      conditions: [{ type: 'Complete', status: 'True' }],
      outcome: { is: 'succeeded', message: 'Job "j" succeeded' },
    },
    {
      name: 'may fail without a reason',
      conditions: [{ type: 'Failed', status: 'True' }],
      outcome: { is: 'failed', message: 'Job "j" failed' },
    },
    {
      name: 'may fail without a message',
      conditions: [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded', message: '' }],
      outcome: { is: 'failed', message: 'Job "j" failed: DeadlineExceeded' },
    },
  ])('$name', ({ conditions, outcome }) => {
    expect(outcomeOf(job(...conditions))).toEqual(outcome);
  });

  it('is cached without its template and annotations, but with what came of it', () => {
    const { metadata } = job();
    const conditions = [{ type: 'Complete', status: 'True' }];
    const whole = {
      metadata: { ...metadata, labels: { a: 'b' }, annotations: { much: 'text' } },
      spec: { template: {} },
      status: { conditions, succeeded: 1 },
    };
    expect(trimJob(whole)).toEqual({ metadata: { ...metadata, labels: { a: 'b' } }, status: { conditions } });
    expect(trimJob({ metadata, status: {} })).toEqual({ metadata });
  });
});
