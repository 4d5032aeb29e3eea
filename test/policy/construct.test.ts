import { describe, expect, it } from '@jest/globals';
import { type Chart, Cron, Duration, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { MyDeployment, RolloutGate, RolloutPolicy, type RolloutPolicyOptions } from '../../src/index.ts';

const target = { kind: 'MyDeployment', name: 'web' };
const percent = kplus.PercentOrAbsolute.percent;

function specOf(options: RolloutPolicyOptions, chart: Chart = Testing.chart()): object {
  return new RolloutPolicy(chart, 'canary', { target, ...options }).toJson().spec;
}

const errors = RolloutGate.prometheus('errors', {
  query: 'sum(rate(errors{pod=~"{{pods}}"}[2m]))',
  max: 0.5,
  interval: Duration.minutes(1),
  count: 5,
  onNoData: 'Fail',
});

describe('RolloutPolicy in a cdk8s app', () => {
  it('says in which steps a rollout goes, through which gates, and when it goes back', () => {
    const chart = Testing.chart();
    const cronJob = new kplus.CronJob(chart, 'smoke', {
      schedule: Cron.annually(),
      containers: [{ image: 'smoke:1' }],
    });
    const smoke = RolloutGate.job('smoke', { cronJob });
    const spec = specOf(
      {
        steps: [
          { replicas: 1, gates: [smoke, errors], pause: 'until promoted' },
          { replicas: percent(25), gates: [errors], pause: Duration.minutes(90) },
          { replicas: kplus.PercentOrAbsolute.absolute(3), pause: Duration.seconds(45) },
        ],
        rollback: { when: ['Gates'], maxPodFailures: percent(20) },
      },
      chart,
    );
    expect(spec).toEqual({
      targetRef: { name: 'web' },
      steps: [
        { replicas: 1, gates: ['smoke', 'errors'], pause: { until: 'Promoted' } },
        { replicas: '25%', gates: ['errors'], pause: { duration: '1h30m' } },
        { replicas: 3, pause: { duration: '45s' } },
      ],
      gates: [
        { name: 'smoke', job: { fromCronJob: cronJob.name } },
        {
          name: 'errors',
          prometheus: { query: 'sum(rate(errors{pod=~"{{pods}}"}[2m]))', max: '0.5' },
          interval: '1m',
          count: 5,
          onNoData: 'Fail',
        },
      ],
      rollback: { when: ['Gates'], maxPodFailures: '20%' },
    });
  });

  it('can say no more than that a rollout goes back', () => {
    expect(specOf({ rollback: {} })).toEqual({ targetRef: { name: 'web' }, rollback: {} });
    expect(specOf({})).toEqual({ targetRef: { name: 'web' } });
  });

  it('says how single pods are replaced', () => {
    const zone = 'topology.kubernetes.io/zone';
    const replaced = { podReplacementPolicy: 'TerminationComplete', surgeOnDrain: true } as const;
    const pods = { ...replaced, scaleDown: { spreadBy: zone } };
    expect(specOf({ pods })).toEqual({ targetRef: { name: 'web' }, pods });
    expect(specOf({ pods: { ...pods, scaleDown: { spreadBy: kplus.Topology.ZONE } } })).toEqual(specOf({ pods }));
  });

  it('says whether pods are changed in place', () => {
    const inPlace = (gracePeriod?: Duration) =>
      (specOf({ pods: { inPlace: { mode: 'IfPossible', ...(gracePeriod && { gracePeriod }) } } }) as { pods: object })
        .pods;
    expect(inPlace()).toEqual({ inPlace: { mode: 'IfPossible' } });
    expect(inPlace(Duration.seconds(90))).toEqual({ inPlace: { mode: 'IfPossible', gracePeriod: '1m30s' } });
    expect(inPlace(Duration.seconds(0))).toEqual({ inPlace: { mode: 'IfPossible', gracePeriod: '0s' } });
    expect(() => inPlace(Duration.millis(1500))).toThrow('pods.inPlace.gracePeriod must be whole seconds, got 1500 ms');
  });

  it('is added to a MyDeployment, in its namespace', () => {
    const chart = Testing.chart();
    const web = new MyDeployment(chart, 'web', { metadata: { namespace: 'shop' }, containers: [{ image: 'web:1' }] });
    const policy = web.addRolloutPolicy({ steps: [{ replicas: 1 }], metadata: { labels: { team: 'a' } } });
    expect(policy.toJson()).toMatchObject({
      apiVersion: 'kubebuilder.zq.com/v1alpha1',
      kind: 'RolloutPolicy',
      metadata: { namespace: 'shop', labels: { team: 'a' } },
      spec: { targetRef: { name: web.name }, steps: [{ replicas: 1 }] },
    });
  });

  const gate = (props: object, name = 'g'): RolloutPolicyOptions => {
    return { steps: [{ replicas: 1, gates: [RolloutGate.prometheus(name, { query: 'up', max: 1, ...props })] }] };
  };

  it.each<{ name: string; props: object }>([
    { name: 'a minimum alone', props: { max: undefined, min: 2 } },
    { name: 'a minimum at the maximum', props: { min: 1 } },
    { name: 'as many measurements as there may be', props: { count: 1000 } },
  ])('takes a gate with $name', ({ props }) => {
    expect(() => specOf(gate(props))).not.toThrow();
  });

  const unbounded = RolloutGate.prometheus('g', { query: 'up' });

  it.each<{ options: RolloutPolicyOptions; of?: typeof target; says: string }>([
    { options: {}, of: { kind: 'Deployment', name: 'x' }, says: 'cannot roll out a Deployment, only a MyDeployment' },
    {
      options: { steps: [{ replicas: 0 }] },
      says: 'steps[0].replicas must be a whole number from 1, or a percentage from 1% to 100%, got 0',
    },
    {
      options: { steps: [{ replicas: 1 }, { replicas: 1.5 }] },
      says: 'steps[1].replicas must be a whole number from 1',
    },
    { options: { steps: [{ replicas: percent(101) }] }, says: 'got 101%' },
    { options: { steps: [{ replicas: percent(0) }] }, says: 'got 0%' },
    { options: { steps: Array.from({ length: 21 }, () => ({ replicas: 1 })) }, says: 'there can be 20 steps, got 21' },
    {
      options: { steps: [{ replicas: 1, pause: Duration.millis(500) }] },
      says: 'steps[0].pause must be whole seconds, at least one',
    },
    { options: { steps: [{ replicas: 1, pause: Duration.seconds(0) }] }, says: 'steps[0].pause must be whole seconds' },
    { options: { rollback: { when: [] } }, says: 'rollback.when must name at least one cause; leave it out for all' },
    { options: { rollback: { maxPodFailures: 0 } }, says: 'rollback.maxPodFailures must be a whole number from 1' },
    {
      options: { steps: [{ replicas: 1, gates: [errors, RolloutGate.job('errors', { cronJob: { name: 'x' } })] }] },
      says: 'two gates are called "errors"',
    },
    {
      options: { steps: [{ replicas: 1, gates: [unbounded] }] },
      says: 'gate "g": must have at least one of min and max',
    },
    { options: gate({}, 'Errors'), says: 'gate "Errors": its name must be at most 63 of a-z, 0-9 and dashes' },
    { options: gate({ min: 2 }), says: 'gate "g": min 2 is above max 1' },
    {
      options: gate({ max: Number.POSITIVE_INFINITY }),
      says: 'min and max must be numbers, got undefined and Infinity',
    },
    {
      options: gate({ min: Number.NEGATIVE_INFINITY }),
      says: 'min and max must be numbers, got -Infinity and 1',
    },
    { options: gate({ query: '' }), says: 'gate "g": must have a query' },
    {
      options: gate({ query: 'up{{pod}}' }),
      says: 'only {{namespace}}, {{pods}}, {{stablePods}} are filled in, got up{{pod}}',
    },
    { options: gate({ server: 'a b' }), says: 'no server can be called "a b"' },
    { options: gate({ interval: Duration.seconds(0) }), says: 'interval must be whole seconds, at least one' },
    { options: gate({ count: 1001 }), says: 'count must be a whole number from 1 to 1000, got 1001' },
    { options: gate({ count: 2.5 }), says: 'count must be a whole number from 1 to 1000, got 2.5' },
    { options: gate({ count: 0 }), says: 'count must be a whole number from 1 to 1000, got 0' },
  ])('refuses $says', ({ options, of = target, says }) => {
    const make = () => new RolloutPolicy(Testing.chart(), 'canary', { target: of, ...options });
    expect(make).toThrow('test/canary: ');
    expect(make).toThrow(says);
  });
});
