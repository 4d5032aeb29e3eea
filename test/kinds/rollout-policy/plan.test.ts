import { describe, expect, it } from '@jest/globals';
import { type Job, jobName, NUMBER_LABEL } from '../../../src/kinds/rollout-policy/gates/job.ts';
import { type PolicyPlan, plan } from '../../../src/kinds/rollout-policy/plan.ts';
import type { Measured, Snapshot } from '../../../src/kinds/rollout-policy/snapshot.ts';
import type { RolloutPolicyStatusGate } from '../../../src/policy/types.gen.ts';
import {
  at,
  errorRate,
  inStep,
  NOW,
  PODS,
  pod,
  policy,
  rejection,
  result,
  revision,
  revisions,
  SECOND,
  SPEC,
  smoke,
  snapshot,
  target,
} from './fixture.ts';

const since = NOW - 10 * SECOND;
const place = { number: 2, step: 1, since };

/** What is planned so many seconds after NOW. */
function planned(change: Partial<Snapshot> = {}, after = 0): PolicyPlan {
  return plan(snapshot(change), NOW + after * SECOND);
}

const withGates = (...gates: readonly RolloutPolicyStatusGate[]) => policy({}, { status: { gates } });
const again = ({ checkAgainAt }: PolicyPlan) => checkAgainAt && (checkAgainAt - NOW) / SECOND;

describe('the status tells where the rollout stands', () => {
  it('in a step', () => {
    expect(planned().status).toMatchObject({
      observedGeneration: 1,
      revision: 'web-2',
      number: 2,
      stableRevision: 'web-1',
      step: 1,
      steps: 2,
      stepStartedAt: at(-10),
    });
  });

  it.each<{ name: string; record: Readonly<Record<string, string>>; is: object; isNot?: readonly string[] }>([
    { name: 'before anything is recorded', record: {}, is: { number: 2, stableRevision: 'web-1' }, isNot: ['step'] },
    {
      name: 'before the clock of the step runs',
      record: inStep({ since: undefined as never }),
      is: { step: 1 },
      isNot: ['stepStartedAt'],
    },
    {
      name: 'with the stable revision of the step',
      record: inStep({ stable: 'web-0' }),
      is: { stableRevision: 'web-0' },
    },
    {
      name: 'with the stable revision of the rejection',
      record: { ...inStep({ stable: 'web-0' }), ...rejection({ stable: 'web-5' }) },
      is: { stableRevision: 'web-5' },
    },
    { name: 'in the rest', record: inStep({ step: 3 }), is: { step: 3, steps: 2 } },
    { name: 'of another attempt', record: inStep({ number: 1 }), is: { number: 2 }, isNot: ['step', 'stepStartedAt'] },
    { name: 'under another policy', record: inStep({ policy: 'other' }), is: { number: 2 }, isNot: ['step'] },
    { name: 'under other steps', record: inStep({ steps: 'other' }), is: { number: 2 }, isNot: ['step'] },
    {
      name: 'when it is complete',
      record: { ...inStep({ step: 3 }), 'mydeployment.kubebuilder.zq.com/completed': '2' },
      is: { stableRevision: 'web-2' },
      isNot: ['step', 'stepStartedAt'],
    },
    {
      name: 'when it was rejected',
      record: { ...inStep(), ...rejection({ by: 'ann' }) },
      is: {
        stableRevision: 'web-1',
        rejected: {
          number: 2,
          reason: 'GateFailed',
          message: 'gate "errors": 0.7 is above the maximum 0.5',
          at: at(0),
          by: 'ann',
        },
      },
      isNot: ['step'],
    },
    { name: 'when an earlier attempt was rejected', record: rejection({ number: 1 }), is: {}, isNot: ['rejected'] },
    { name: 'when another policy rejected it', record: rejection({ policy: 'other' }), is: {}, isNot: ['rejected'] },
    {
      name: 'when the record cannot be read',
      record: { 'mydeployment.kubebuilder.zq.com/step': '{' },
      is: { number: 2 },
      isNot: ['step'],
    },
  ])('$name', ({ record, is, isNot = [] }) => {
    const { status } = planned({ revisions: revisions(record) });
    expect(status).toMatchObject(is);
    for (const field of isNot) expect(status).not.toHaveProperty(field);
  });

  it('with the revision that was completed last, in whatever order they come', () => {
    const completed = (number: number) =>
      revision(number, { 'mydeployment.kubebuilder.zq.com/completed': `${number}` });
    const { status } = planned({ revisions: [completed(1), completed(12), completed(5), revision(2)] });
    expect(status.stableRevision).toBe('web-12');
  });

  it('without steps', () => {
    const { steps: _, ...spec } = SPEC;
    expect(planned({ policy: { ...policy(), spec } }).status.steps).toBe(0);
  });

  it('not at all while the template has no revision', () => {
    const { status } = planned({ target: target({}, { updateRevision: 'web-3' }) });
    expect(Object.keys(status)).toEqual(['observedGeneration', 'steps', 'conditions']);
  });
});

describe('the conditions', () => {
  const conditionsOf = (change: Partial<Snapshot>) =>
    (planned(change).status.conditions ?? []).map(({ type, status, reason, message }) => [
      type,
      status,
      reason,
      message,
    ]);
  const accepted = ['Accepted', 'True', 'Accepted', 'Governs MyDeployment "web"'];
  const ready = ['Ready', 'True', 'NothingUnderWay', 'No rollout is under way'];
  /** One of Reconciling and Stalled, and that it is not ready for the same reason. */
  const notReady = (type: string, ...why: readonly [reason: string, message: string]) => [
    ['Ready', 'False', ...why],
    [type, 'True', ...why],
  ];
  const refused = (reason: string, message: string) => ['Accepted', 'False', reason, message];
  const older = policy({}, { metadata: { name: 'old', uid: 'old', creationTimestamp: at(-900) } });
  const says = (...conditions: readonly { type: string; status: string; reason: string; message: string }[]) =>
    target({}, { updateRevision: 'web-2', conditions });
  const stalled = { type: 'Stalled', status: 'True', reason: 'RevisionRejected', message: 'Revision 2 was rejected.' };
  const waiting = { type: 'Reconciling', status: 'True', reason: 'AwaitingPromotion', message: 'Step 2 waits.' };

  it.each<{ name: string; change: Partial<Snapshot>; conditions: unknown[] }>([
    { name: 'say that it governs', change: {}, conditions: [accepted, ready] },
    {
      name: 'repeat what the target waits for',
      change: { target: says(waiting) },
      conditions: [accepted, ...notReady('Reconciling', 'AwaitingPromotion', 'Step 2 waits.')],
    },
    {
      name: 'repeat why the target is stalled',
      change: { target: says(stalled) },
      conditions: [accepted, ...notReady('Stalled', 'RevisionRejected', 'Revision 2 was rejected.')],
    },
    {
      name: 'never repeat both',
      change: { target: says(waiting, stalled) },
      conditions: [accepted, ...notReady('Stalled', 'RevisionRejected', 'Revision 2 was rejected.')],
    },
    {
      name: 'repeat nothing that is not true',
      change: { target: says({ ...stalled, status: 'False' }) },
      conditions: [accepted, ready],
    },
    {
      name: 'wait for the target',
      change: { target: undefined, revisions: [], pods: [] },
      conditions: [
        refused('TargetNotFound', 'There is no MyDeployment "web"'),
        ...notReady('Reconciling', 'TargetNotFound', 'There is no MyDeployment "web"'),
      ],
    },
    {
      name: 'name the policy that governs',
      change: { policies: [policy(), older], target: says(waiting) },
      conditions: [
        refused('Conflicted', 'The older RolloutPolicy "old" governs MyDeployment "web"'),
        ...notReady('Stalled', 'PolicyNotAccepted', 'The older RolloutPolicy "old" governs MyDeployment "web"'),
      ],
    },
    {
      name: 'do not count a policy on its way out',
      change: { policies: [policy(), { ...older, metadata: { ...older.metadata, deletionTimestamp: at(0) } }] },
      conditions: [accepted, ready],
    },
    {
      name: 'refuse steps for Recreate',
      change: { target: target({ strategy: { type: 'Recreate' } }) },
      conditions: [
        refused(
          'StrategyNotSupported',
          'spec.steps: a target with strategy Recreate cannot roll out in steps, only go back',
        ),
        ...notReady(
          'Stalled',
          'PolicyNotAccepted',
          'spec.steps: a target with strategy Recreate cannot roll out in steps, only go back',
        ),
      ],
    },
    {
      name: 'refuse what the schema would have refused',
      change: { policy: policy({ steps: [{ replicas: 1, gates: ['none'] }] }) },
      conditions: [
        refused('InvalidSpec', 'spec.steps: there is no gate "none"'),
        ...notReady('Stalled', 'PolicyNotAccepted', 'spec.steps: there is no gate "none"'),
      ],
    },
  ])('$name', ({ change, conditions }) => {
    expect(conditionsOf(change)).toEqual(conditions);
  });

  it('change nothing when they are the same', () => {
    const { status } = planned({ target: says(waiting) });
    const later = plan(snapshot({ policy: policy({}, { status }), target: says(waiting) }), NOW + SECOND);
    expect(later.status).toEqual(status);
  });

  it.each([waiting, stalled])('keep nothing that does not hold any more: $type', (condition) => {
    const { status } = planned({ target: says(condition) });
    expect(conditionsOf({ policy: policy({}, { status }) })).toEqual([accepted, ready]);
  });

  it('are about the generation that was looked at', () => {
    const changed = policy({}, { metadata: { generation: 3 } });
    const { conditions = [] } = planned({ policy: changed, target: says(waiting) }).status;
    expect(conditions.map(({ observedGeneration }) => observedGeneration)).toEqual([3, 3, 3]);
  });

  it('tell nothing of a rollout that another policy governs', () => {
    const { status } = planned({ policies: [policy(), older] });
    expect(status).not.toHaveProperty('number');
  });
});

describe('a gate is measured', () => {
  const measure = [{ gate: 'errors', by: 'prometheus', server: 'default', query: 'errors{pod=~"web-2-a"}' }];

  it('one interval after the clock of the step began', () => {
    expect(again(planned())).toBe(20);
    expect(planned({}, 19.9).measure).toEqual([]);
    const { measure: due, checkAgainAt } = planned({}, 20);
    expect(due).toMatchObject(measure);
    expect(due[0]?.place).toMatchObject(place);
    expect(checkAgainAt).toBeUndefined();
  });

  it('again one interval later', () => {
    const before = { policy: withGates(result({ successes: 1 })) };
    expect(again(planned(before))).toBe(25);
    expect(planned(before, 25).measure).toMatchObject(measure);
  });

  it('in its own interval, at its own server', () => {
    const gate = {
      ...errorRate,
      interval: '1m30s',
      prometheus: { query: '{{stablePods}} {{namespace}}', server: 'thanos' },
    };
    const other = { policy: policy({ gates: [gate] }) };
    expect(again(planned(other))).toBe(80);
    expect(planned(other, 80).measure).toMatchObject([{ server: 'thanos', query: 'web-1-a|web-1-b|web-1-c default' }]);
  });

  it('by the pods that are active', () => {
    const failed = { ...pod('web-2-b', 2), status: { phase: 'Failed' } };
    expect(planned({ pods: [...PODS, failed] }, 20).measure).toMatchObject(measure);
  });

  it.each<{ name: string; measuring: Snapshot['measuring'] }>([
    { name: 'another gate', measuring: [{ gate: 'slow', place }] },
    { name: 'an earlier stay in the step', measuring: [{ gate: 'errors', place: { ...place, since: since - 1 } }] },
  ])('while $name is being measured', ({ measuring }) => {
    expect(planned({ measuring }, 20).measure).toMatchObject(measure);
  });

  it('as soon as its pod is ready, without minReadySeconds', () => {
    expect(planned({ pods: [...PODS.slice(0, 3), pod('web-2-a', 2, 20)] }, 20).measure).toMatchObject(measure);
  });

  it.each<{ name: string; change: Partial<Snapshot> }>([
    { name: 'while it is being measured', change: { measuring: [{ gate: 'errors', place }] } },
    { name: 'before the clock runs', change: { revisions: revisions(inStep({ since: undefined as never })) } },
    { name: 'in a step that does not ask for it', change: { revisions: revisions(inStep({ step: 2 })) } },
    { name: 'in the rest of the rollout', change: { revisions: revisions(inStep({ step: 3 })) } },
    { name: 'without a pod', change: { pods: PODS.slice(0, 3) } },
    { name: 'without an available pod', change: { pods: [...PODS.slice(0, 3), pod('web-2-a', 2, 'never')] } },
    {
      name: 'with fewer pods than a percentage asks for',
      change: { policy: policy({ steps: [{ replicas: '50%', gates: ['errors'] }] }) },
    },
    { name: 'with no replicas', change: { target: target({ replicas: 0 }) } },
    { name: 'while the target is paused', change: { target: target({ paused: true }) } },
    { name: 'after the rejection', change: { revisions: revisions({ ...inStep(), ...rejection() }) } },
    {
      name: 'after the rollout is complete',
      change: { revisions: revisions({ ...inStep(), 'mydeployment.kubebuilder.zq.com/completed': '2' }) },
    },
    { name: 'after it passed', change: { policy: withGates(result({ state: 'Passed' })) } },
    { name: 'after it failed', change: { policy: withGates(result({ state: 'Failed' })) } },
    { name: 'by a policy that does not govern', change: { target: target({ strategy: { type: 'Recreate' } }) } },
    { name: 'without a record', change: { revisions: [revision(2)] } },
  ])('not $name', ({ change }) => {
    expect(planned(change, 100).measure).toEqual([]);
  });

  it('at no time that is known before the clock runs', () => {
    expect(again(planned({ revisions: revisions(inStep({ since: undefined as never })) }))).toBeUndefined();
  });

  it('when a pod has been ready for long enough', () => {
    const pods = [...PODS.slice(0, 3), pod('web-2-a', 2, 5)];
    const slow = { target: target({ minReadySeconds: 60 }), pods };
    expect(planned(slow, 30).measure).toEqual([]);
    expect(again(planned(slow, 30))).toBe(65);
    expect(planned(slow, 65).measure).toHaveLength(1);
  });

  it('not while another gate of the step has failed', () => {
    const gates = [errorRate, { ...errorRate, name: 'slow' }];
    const steps = [{ replicas: 1, gates: ['errors', 'slow'] }];
    const both = (status: object) => planned({ policy: policy({ gates, steps }, { status }) }, 100);
    expect(both({}).measure.map(({ gate }) => gate)).toEqual(['errors', 'slow']);
    expect(both({ gates: [result({ state: 'Passed' })] }).measure.map(({ gate }) => gate)).toEqual(['slow']);
    expect(both({ gates: [result({ state: 'Failed' })] }).measure).toEqual([]);
  });

  it('for each attempt anew', () => {
    const old = withGates(result({ state: 'Passed', number: 1 }));
    expect(planned({ policy: old }, 20).measure).toHaveLength(1);
    expect(planned({ policy: old }).status.gates).toBeUndefined();
  });

  it('anew when the steps were changed, although number and step are the same', () => {
    expect(planned({ policy: withGates(result({ state: 'Passed' }, -11)) }, 20).measure).toHaveLength(1);
  });
});

describe('what was measured', () => {
  const measured = (text: string, change: Partial<Measured> = {}): Measured => {
    return { gate: 'errors', place, outcome: { is: 'value', text }, at: NOW, ...change };
  };

  it('is stored, and told', () => {
    const { status, events } = planned({ measured: [measured('0.7')] });
    expect(status.gates).toMatchObject([{ name: 'errors', number: 2, step: 1, state: 'Failed', lastValue: '0.7' }]);
    const message = 'Gate "errors" of step 1, revision 2: 0.7 is above the maximum 0.5';
    expect(events).toEqual([{ type: 'Warning', reason: 'GateFailed', message }]);
  });

  it.each<{ name: string; before?: Partial<RolloutPolicyStatusGate>; text: string; reasons: string[] }>([
    { name: 'when it passes', text: '0.1', reasons: ['GatePassed'] },
    { name: 'not when it passed before', before: { state: 'Passed' }, text: '0.7', reasons: [] },
  ])('is told $name', ({ before, text, reasons }) => {
    const of = before ? withGates(result(before)) : policy();
    expect(planned({ policy: of, measured: [measured(text)] }).events.map(({ reason }) => reason)).toEqual(reasons);
  });

  it('is told when it cannot be measured', () => {
    const { events } = planned({ measured: [measured('', { outcome: { is: 'blocked', message: 'no such server' } })] });
    const message = 'Gate "errors" of step 1, revision 2: no such server';
    expect(events).toEqual([{ type: 'Warning', reason: 'GateError', message }]);
  });

  it.each<{ name: string; elsewhere: Partial<Measured> }>([
    { name: 'another attempt', elsewhere: { place: { ...place, number: 1 } } },
    { name: 'another step', elsewhere: { place: { ...place, step: 2 } } },
    { name: 'an earlier stay in the step', elsewhere: { place: { ...place, since: since - SECOND } } },
    { name: 'another gate', elsewhere: { gate: 'slow' } },
  ])('does not count for $name', ({ elsewhere }) => {
    expect(planned({ measured: [measured('0.1', elsewhere)] }).status.gates).toBeUndefined();
  });

  it('adds to what is stored', () => {
    const gate = { ...errorRate, count: 3 };
    const of = policy({ gates: [gate] }, { status: { gates: [result({ successes: 1 })] } });
    const { status } = planned({ policy: of, measured: [measured('0.1')] });
    expect(status.gates).toMatchObject([{ state: 'Pending', successes: 2, measuredAt: at(0) }]);
  });

  it('stays while the rollout is rejected', () => {
    const failed = result({ state: 'Failed' });
    const { status } = planned({ policy: withGates(failed), revisions: revisions({ ...inStep(), ...rejection() }) });
    expect(status.gates).toEqual([failed]);
  });
});

describe('a gate with a Job', () => {
  const spec = { ...SPEC, gates: [smoke], steps: [{ replicas: 1, gates: ['smoke'] }] };
  const name = jobName(policy(spec), 'smoke', place);
  const job = (condition?: object, change: object = {}): Job =>
    ({
      metadata: { name, uid: 'job', resourceVersion: '1', labels: { [NUMBER_LABEL]: '2' }, ...change },
      ...(condition && { status: { conditions: [{ status: 'True', ...condition }] } }),
    }) as unknown as Job;
  const stored = (change: Partial<RolloutPolicyStatusGate>) =>
    policy(spec, { status: { gates: [result({ name: 'smoke', ...change })] } });
  const running = { state: 'Pending', message: `Job "${name}" is running` } as const;

  it('starts it as soon as the clock of the step runs', () => {
    const { measure } = planned({ policy: policy(spec) });
    const wanted = { name, gate: 'smoke', number: 2, cronJob: 'smoke', selector: { matchLabels: { app: 'web' } } };
    expect(measure).toMatchObject([{ gate: 'smoke', by: 'job', job: wanted }]);
  });

  it.each<{
    name: string;
    job?: Job;
    before?: Partial<RolloutPolicyStatusGate>;
    seconds?: number;
    after: object;
    measures: number;
  }>([
    { name: 'waits while it runs', job: job(), before: running, after: running, measures: 0 },
    { name: 'knows it again after a restart', job: job(), after: running, measures: 0 },
    {
      name: 'passes with it',
      job: job({ type: 'Complete' }),
      before: running,
      after: { state: 'Passed', message: `Job "${name}" succeeded`, measuredAt: at(0) },
      measures: 0,
    },
    {
      name: 'fails with it',
      job: job({ type: 'Failed', reason: 'BackoffLimitExceeded', message: 'too often' }),
      before: running,
      after: { state: 'Failed', message: `Job "${name}" failed: BackoffLimitExceeded: too often` },
      measures: 0,
    },
    {
      name: 'is not passed by one that will fail',
      job: job({ type: 'FailureTarget' }),
      before: running,
      after: running,
      measures: 0,
    },
    {
      name: 'does not pass when it is deleted',
      before: running,
      after: { state: 'Error', message: `Job "${name}" was deleted before it ended` },
      measures: 0,
    },
    {
      name: 'does not pass while it is being deleted',
      job: job(undefined, { deletionTimestamp: at(0) }),
      before: running,
      after: { state: 'Error' },
      measures: 0,
    },
    {
      name: 'starts it again some time after that',
      before: { state: 'Error' },
      seconds: 25,
      after: { state: 'Error' },
      measures: 1,
    },
    { name: 'stays passed when it is deleted', before: { state: 'Passed' }, after: { state: 'Passed' }, measures: 0 },
    {
      name: 'does not mind an error when it is there',
      job: job({ type: 'Complete' }),
      before: { state: 'Error' },
      after: { state: 'Passed' },
      measures: 0,
    },
  ])('$name', ({ job: found, before, seconds = 0, after, measures }) => {
    const of = before ? stored(before) : policy(spec);
    const { status, measure } = planned({ policy: of, jobs: found ? [found] : [] }, seconds);
    expect(status.gates).toMatchObject([after]);
    expect(measure).toHaveLength(measures);
  });

  it('does not write while it runs', () => {
    const before = stored(running);
    const { status, measure } = planned({ policy: before, jobs: [job()] }, 100);
    expect(status.gates).toEqual(before.status?.gates);
    expect(measure).toEqual([]);
  });

  it('does not pass with a Job of another place', () => {
    const other = job({ type: 'Complete' }, { name: 'another' });
    expect(planned({ policy: policy(spec), jobs: [other] }).status.gates).toBeUndefined();
  });

  it('keeps it until the next attempt', () => {
    const old = job(undefined, { name: 'old', labels: { [NUMBER_LABEL]: '1' } });
    const going = job(undefined, { name: 'going', labels: { [NUMBER_LABEL]: '1' }, deletionTimestamp: at(0) });
    const { deleteJobs } = planned({ policy: policy(spec), jobs: [old, job(), going] });
    expect(deleteJobs).toEqual([old]);
    expect(planned({ policy: policy(spec), jobs: [old], target: undefined }).deleteJobs).toEqual([]);
  });
});
