// Policies on a real cluster: the operator runs as it is installed, its gates ask a real Prometheus and a server that misbehaves, and
// Jobs really run, as far as kwok's nodes run anything.

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { ABORT } from '../../../src/policy/requests.ts';
import { rolloutPolicies } from '../../../src/policy/resource.ts';
import type { RolloutPolicy, RolloutPolicySpecGate, RolloutPolicyStatus } from '../../../src/policy/types.gen.ts';
import { BEHAVIOUR } from '../../../src/testing/index.ts';
import { hashOf } from '../../../src/workload/revision.ts';
import { controllerRevisions } from '../../../src/workload/write-context.ts';
import { minimalSpec, rolling, version } from '../../e2e/scene.ts';
import { useStage } from '../../e2e/stage.ts';
import { eventually } from '../../support/eventually.ts';
import { merged } from '../../support/merge-patch.ts';
import { describeWith, ensureSystemPackages } from '../../support/system-packages.ts';
import { KindScene } from '../kind-scene.ts';
import { type Answer, hang, json, MisbehavingServer, sample } from './misbehaving-server.ts';
import { type PrometheusServer, startPrometheus } from './prometheus-server.ts';

const packages = await ensureSystemPackages(['prometheus']);
const bad = await MisbehavingServer.start();
/** What Prometheus scrapes. */
const exporter = await MisbehavingServer.start();
const prometheus: PrometheusServer | undefined = packages.ok
  ? await startPrometheus(new URL(exporter.url).host)
  : undefined;
// Before the cluster goes, whose own clean-up is registered next.
afterAll(() => Promise.all([prometheus?.stop(), bad.stop(), exporter.stop()]));
const stage = await useStage({
  name: 'rollout-policy',
  operator: {
    flags: [
      '--kinds=mydeployment,rolloutpolicy',
      `--prometheus=bad=${bad.url}`,
      ...(prometheus ? [`--prometheus=default=${prometheus.url}`] : []),
    ],
  },
});

const { client } = stage;
type Scene = KindScene<RolloutPolicy>;

/** A MyDeployment of three replicas that is complete, and a policy about it with these gates in its only step. */
async function govern(gates: readonly RolloutPolicySpecGate[], more: object = {}): Promise<Scene> {
  const scene = await KindScene.set(stage, rolloutPolicies);
  const { namespace } = scene;
  const spec = merged(minimalSpec(), { replicas: 3, ...rolling(1, 0) });
  await client.create(myDeployments, { metadata: { namespace, name: 'web' }, spec } as never);
  await complete(scene);
  const steps = [{ replicas: 1, gates: gates.map(({ name }) => name) }];
  await scene.create('canary', { targetRef: { name: 'web' }, steps, gates, ...more } as RolloutPolicy['spec']);
  await scene.reach('canary', { number: 1 });
  return scene;
}

const target = ({ namespace }: Scene) => client.get(myDeployments, { namespace, name: 'web' });
/** Waits until all replicas are of the newest template. */
async function complete(scene: Scene): Promise<void> {
  await eventually(async () => {
    const { metadata, status } = await target(scene);
    const counts = { replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
    expect(status).toMatchObject({ observedGeneration: metadata.generation, ...counts });
  });
}

const roll = ({ namespace }: Scene, image: string) =>
  client.patch(myDeployments, { namespace, name: 'web' }, { type: 'merge', body: { spec: version(image) } });

async function statusOf(scene: Scene): Promise<RolloutPolicyStatus> {
  return (await scene.get('canary')).status ?? {};
}

/** The state of each gate, with what was measured last. */
async function gatesOf(scene: Scene): Promise<Readonly<Record<string, string>>> {
  const { gates = [] } = await statusOf(scene);
  return Object.fromEntries(
    gates.map(({ name, state, lastValue }) => [name, [state, lastValue].filter(Boolean).join(' ')]),
  );
}

const ask = (name: string, query: string, more: object = {}): RolloutPolicySpecGate => {
  return { name, prometheus: { server: 'bad', query, max: '100' }, interval: '1s', ...more };
};

/** The rate of errors of pods, by the namespace that they are in and the hash of their revision. */
const rates = new Map<string, Readonly<Record<string, number>>>();

beforeAll(() => {
  exporter.answer = async (response) => {
    const lines: string[] = [];
    for (const [namespace, byHash] of rates) {
      const scene = { namespace };
      const { items } = await client.list(
        { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true },
        scene,
      );
      for (const { metadata } of items) {
        const rate = byHash[metadata.labels?.['pod-template-hash'] ?? ''] ?? 0;
        lines.push(`request_errors{namespace="${namespace}",pod="${metadata.name}"} ${rate}`);
      }
    }
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(`${lines.join('\n')}\n`);
  };
});

const errors: RolloutPolicySpecGate = {
  name: 'errors',
  prometheus: {
    query:
      'sum(request_errors{namespace="{{namespace}}",pod=~"{{pods}}"}) / count(request_errors{pod=~"{{stablePods}}"})',
    max: '0.25',
  },
  interval: '1s',
  count: 4,
};

/** The revision of the target's template makes so many errors. */
async function spoil(scene: Scene, number: number, rate: number): Promise<void> {
  await eventually(async () => {
    const { items } = await client.list(controllerRevisions, { namespace: scene.namespace });
    const revision = items.find((each) => each.revision === number);
    if (revision === undefined) throw new Error(`revision ${number} is not there yet`);
    rates.set(scene.namespace, { [hashOf(revision)]: rate });
  });
}

describeWith(packages, 'gates that ask Prometheus', () => {
  it.concurrent('fail one that makes many', async () => {
    const scene = await govern([errors], { rollback: {} });
    await roll(scene, 'v2');
    await spoil(scene, 2, 3);
    await eventually(async () => expect(await gatesOf(scene)).toEqual({ errors: 'Failed 1.5' }));
    await eventually(async () => {
      expect(await statusOf(scene)).toMatchObject({
        rejected: { number: 2, reason: 'GateFailed', message: 'gate "errors": 1.5 is above the maximum 0.25' },
        conditions: [
          { type: 'Accepted', status: 'True' },
          { type: 'Ready', status: 'False', reason: 'RevisionRejected' },
          { type: 'Stalled', status: 'True', reason: 'RevisionRejected' },
        ],
      });
    });
  });
});

describe('gates that ask a server that misbehaves', () => {
  const success = (resultType: string, result: unknown): Answer =>
    json({ status: 'success', data: { resultType, result } });
  const one = { metric: {}, value: [1, '1'] };
  const answers: Readonly<Record<string, Answer>> = {
    hang,
    'error-500': json({}, 500),
    redirect: (response) => response.writeHead(302, { location: exporter.url }).end(),
    large: (response) => response.writeHead(200).end(Buffer.alloc(2 * 1024 * 1024, ' ')),
    nan: sample('NaN'),
    nothing: success('vector', []),
    several: success('vector', [one, one]),
    infinite: sample('+Inf'),
    scalar: success('scalar', [1, '7']),
  };

  it('tell each of them apart, and none waits for another', async () => {
    bad.answer = (response, asked) => (answers[asked.query ?? ''] ?? sample('1'))(response, asked);
    const gates = [
      ...Object.keys(answers).map((name) => ask(name, name)),
      ask('infinite', 'infinite', { prometheus: { server: 'bad', query: 'infinite', min: '0' } }),
      ask('unknown', 'up', { prometheus: { server: 'thanos', query: 'up', max: '1' } }),
    ];
    const scene = await govern([...new Map(gates.map((gate) => [gate.name, gate])).values()]);
    const beganAt = performance.now();
    await roll(scene, 'v2');
    await eventually(async () => {
      expect(await gatesOf(scene)).toMatchObject({
        'error-500': 'Error',
        redirect: 'Error',
        large: 'Error',
        nan: 'NoData',
        nothing: 'NoData',
        several: 'Error',
        infinite: 'Passed +Inf',
        scalar: 'Passed 7',
        unknown: 'Error',
      });
    });
    const { gates: results = [] } = await statusOf(scene);
    const messages = Object.fromEntries(results.map(({ name, message = '' }) => [name, message]));
    expect(messages).toMatchObject({
      redirect: expect.stringContaining('the server redirects (HTTP 302), which is not followed'),
      large: expect.stringContaining('the answer of server "bad" is longer than 1 MiB'),
      unknown: expect.stringContaining('the operator knows no Prometheus server "thanos" (--prometheus), it knows bad'),
    });
    const seconds = (performance.now() - beganAt) / 1000;
    expect(results.find(({ name }) => name === 'hang')?.errors ?? 0).toBeLessThanOrEqual(seconds / 10);
    await eventually(async () => {
      const { gates: later = [] } = await statusOf(scene);
      const message = later.find(({ name }) => name === 'hang')?.message;
      expect(message).toMatch(/^server "bad" gave no answer within 10 s(?: \(\d+ errors in a row\))?$/);
    });
    // Nothing of this goes back, or on.
    expect((await target(scene)).status).toMatchObject({ updatedReplicas: 1, availableReplicas: 3 });
  });
});

describe('gates that run a Job', () => {
  const job = (name: string, cronJob = name): RolloutPolicySpecGate => ({ name, job: { fromCronJob: cronJob } });

  async function cronJob(scene: Scene, name: string, template: object): Promise<void> {
    const containers = [{ name: 'smoke', image: 'smoke:1' }];
    const manifest = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name },
      spec: {
        schedule: '0 0 1 1 *',
        suspend: true,
        jobTemplate: {
          spec: { backoffLimit: 0, template: { ...template, spec: { containers, restartPolicy: 'Never' } } },
        },
      },
    };
    const args = ['-n', scene.namespace, 'apply', '-f', '-'];
    expect(await stage.kubectl(args, { input: JSON.stringify(manifest) })).toMatchObject({ code: 0 });
  }

  const ends = (behaviour: string) => ({ metadata: { annotations: { [BEHAVIOUR]: behaviour } } });
  const jobsOf = async (scene: Scene) => (await scene.kubectl('get', 'jobs', '-o', 'name')).split('\n').filter(Boolean);

  it.concurrent('pass when it succeeds, and delete it with the next attempt', async () => {
    const scene = await govern([job('smoke')]);
    await cronJob(scene, 'smoke', ends('complete'));
    await roll(scene, 'v2');
    await complete(scene);
    const [first = '', ...others] = await jobsOf(scene);
    expect([first, others]).toEqual([expect.stringMatching(/^job.batch\/canary-smoke-2-1-/), []]);
    await roll(scene, 'v3');
    await eventually(async () => {
      const names = await jobsOf(scene);
      expect(names).toEqual([expect.stringMatching(/canary-smoke-3-1-/)]);
    });
  });

  it.concurrent('fail when it fails, and say what keeps one from running', async () => {
    const scene = await govern([job('absent'), job('selected'), job('fails')]);
    await cronJob(scene, 'selected', { metadata: { labels: { app: 'web' } } });
    await roll(scene, 'v2');
    await eventually(async () =>
      expect(await gatesOf(scene)).toMatchObject({ absent: 'Error', selected: 'Error', fails: 'Error' }),
    );
    const messages = ((await statusOf(scene)).gates ?? []).map(({ message }) => message);
    expect(messages.slice(0, 2)).toEqual([
      'there is no CronJob "absent"',
      'the pods of CronJob "selected" have labels that MyDeployment "web" selects',
    ]);
    await cronJob(scene, 'fails', ends('fail'));
    await eventually(async () => expect(await gatesOf(scene)).toMatchObject({ fails: 'Failed' }));
    await eventually(async () => {
      expect((await statusOf(scene)).conditions).toMatchObject([{}, {}, { type: 'Stalled', reason: 'GateFailed' }]);
    });
  });
});

it.concurrent('a policy waits for its target, and for an older policy to go', async () => {
  const scene = await KindScene.set(stage, rolloutPolicies);
  const { namespace } = scene;
  const says = (name: string, reason: string) =>
    scene.reach(name, { conditions: [{ type: 'Accepted', reason }, {}, {}] });
  const spec = { targetRef: { name: 'web' }, rollback: {} };
  await scene.create('first', spec);
  await says('first', 'TargetNotFound');
  const web = merged(minimalSpec(), { replicas: 1 });
  await client.create(myDeployments, { metadata: { namespace, name: 'web' }, spec: web } as never);
  await scene.reach('first', {
    number: 1,
    conditions: [
      { type: 'Accepted', status: 'True' },
      { type: 'Ready', status: 'True' },
    ],
  });
  await delay(1100); // ages are in whole seconds
  await scene.create('second', spec);
  await says('second', 'Conflicted');
  await scene.delete('first', 'Background');
  await scene.reach('second', {
    number: 1,
    conditions: [
      { type: 'Accepted', status: 'True' },
      { type: 'Ready', status: 'True' },
    ],
  });
});

describe('admission', () => {
  const policy = (spec: object) => ({
    apiVersion: 'kubebuilder.zq.com/v1alpha1',
    kind: 'RolloutPolicy',
    metadata: { name: 'canary', namespace: 'default' },
    spec: { targetRef: { name: 'web' }, ...spec },
  });
  const gate = (change: object) => ({ gates: [{ name: 'g', ...change }], steps: [{ replicas: 1, gates: ['g'] }] });
  const query = (change: object) => gate({ prometheus: { query: 'up', max: '1', ...change } });

  it.concurrent.each<{ name: string; spec: object; says: string }>([
    {
      name: 'a gate that is not there',
      spec: { steps: [{ replicas: 1, gates: ['g'] }] },
      says: 'spec.steps: Invalid value: steps refer to gates that spec.gates does not have: ["g"]',
    },
    {
      name: 'one gate of two that is not there',
      spec: {
        ...query({}),
        steps: [
          { replicas: 1, gates: ['g'] },
          { replicas: 2, gates: ['g', 'h'] },
        ],
      },
      says: 'steps refer to gates that spec.gates does not have: ["h"]',
    },
    {
      name: 'two gates of one name',
      spec: { ...query({}), gates: [...query({}).gates, ...query({}).gates] },
      says: 'spec.gates[1]: Duplicate value: {"name":"g"}',
    },
    {
      name: 'the same gate twice in a step',
      spec: { ...query({}), steps: [{ replicas: 1, gates: ['g', 'g'] }] },
      says: 'spec.steps[0].gates[1]: Duplicate value: "g"',
    },
    {
      name: 'no pods',
      spec: { steps: [{ replicas: 0 }] },
      says: 'spec.steps[0].replicas: Invalid value: 0: spec.steps[0].replicas in body should be greater than or equal to 1',
    },
    {
      name: 'more pods than there are',
      spec: { steps: [{ replicas: '101%' }] },
      says: 'spec.steps[0].replicas: Invalid value: "101%": must be a number, or a percentage from 1% to 100%, such as 25%',
    },
    {
      name: 'a count of pods in words',
      spec: { rollback: { maxPodFailures: 'half' } },
      says: 'spec.rollback.maxPodFailures: Invalid value: "half": must be a number, or a percentage from 1% to 100%',
    },
    {
      name: 'a cause that there is not',
      spec: { rollback: { when: ['Gate'] } },
      says: 'spec.rollback.when[0]: Unsupported value: "Gate": supported values:',
    },
    {
      name: 'a unit that there is not',
      spec: { steps: [{ replicas: 1, pause: { duration: '1d' } }] },
      says: 'spec.steps[0].pause.duration: Invalid value: "1d": must be a duration above 0, such as 30s, 10m or 1h30m',
    },
    {
      name: 'a server by its address',
      spec: query({ server: 'http://prometheus' }),
      says: 'spec.gates[0].prometheus.server: Invalid value: "http://prometheus"',
    },
    {
      name: 'a bound in words',
      spec: query({ max: 'high' }),
      says: 'spec.gates[0].prometheus.max: Invalid value: "high"',
    },
    {
      name: 'two pauses',
      spec: { steps: [{ replicas: 1, pause: { until: 'Promoted', duration: '1s' } }] },
      says: 'must have exactly one of until and duration',
    },
    {
      name: 'a pause of nothing',
      spec: { steps: [{ replicas: 1, pause: { duration: '0s' } }] },
      says: 'must be a duration above 0, such as 30s, 10m or 1h30m',
    },
    {
      name: 'another variable',
      spec: query({ query: 'up{pod="{{pod}}"}' }),
      says: 'only {{namespace}}, {{pods}}, {{stablePods}} are filled in',
    },
    { name: 'no bounds', spec: gate({ prometheus: { query: 'up' } }), says: 'must have at least one of min and max' },
    { name: 'bounds the wrong way round', spec: query({ min: '2' }), says: 'min must not be above max' },
    { name: 'a gate of nothing', spec: gate({}), says: 'must have exactly one of prometheus and job' },
    {
      name: 'a Job with a count',
      spec: gate({ job: { fromCronJob: 'x' }, count: 2 }),
      says: 'interval, count and onNoData are for prometheus',
    },
  ])('refuses $name', async ({ spec, says }) => {
    const { code, stderr } = await stage.kubectl(['create', '-f', '-'], { input: JSON.stringify(policy(spec)) });
    expect(code).toBe(1);
    expect(stderr).toContain(says);
  });

  it('takes what uses every field', async () => {
    const spec = query({ query: 'x{n="{{namespace}}",p=~"{{pods}}"} / x{p=~"{{stablePods}}"}', min: '-1.5e3' });
    const input = JSON.stringify(policy({ ...spec, rollback: { when: ['Gates'], maxPodFailures: '10%' } }));
    expect(await stage.kubectl(['create', '--dry-run=server', '-f', '-'], { input })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  it.concurrent('knows who asks, and warns of what a deletion sets free', async () => {
    const scene = await govern([], { steps: [{ replicas: 1, pause: { until: 'Promoted' } }] });
    const abort = (number: number) =>
      stage.kubectl([
        '-n',
        scene.namespace,
        'annotate',
        'rop',
        'canary',
        '--overwrite',
        `${ABORT}={"number":${number},"by":"nobody"}`,
      ]);
    expect((await abort(1)).stderr).toContain('nothing is under way: revision 1 is rolled out');
    await roll(scene, 'v2');
    await scene.reach('canary', { number: 2, step: 1 });
    await eventually(async () => {
      expect((await statusOf(scene)).conditions).toMatchObject([
        {},
        {},
        { type: 'Reconciling', reason: 'AwaitingPromotion' },
      ]);
    });
    const { stderr } = await stage.kubectl(['-n', scene.namespace, 'delete', 'rop', 'canary', '--dry-run=server']);
    expect(stderr).toContain(
      'Warning: revision 2 is held in step 1 of 1: without this policy MyDeployment "web" rolls it out',
    );
    expect(await abort(2)).toMatchObject({ code: 0 });
    await eventually(async () => expect((await statusOf(scene)).rejected?.by).toBe('embedded-admin'));
  });
});

// At the end, because meanwhile nothing can be changed.
describeWith(packages, 'gates, while the operator is replaced', () => {
  it('let a rollout pass that makes few errors, and remember what was measured', async () => {
    const scene = await govern([errors]);
    rates.set(scene.namespace, {});
    await roll(scene, 'v2');
    await spoil(scene, 2, 0.4); // of one new pod beside two stable ones: 0.2
    const { gates: [before] = [] } = await eventually(async () => {
      const status = await statusOf(scene);
      expect(status.gates).toMatchObject([{ name: 'errors', number: 2, step: 1, state: 'Pending' }]);
      return status;
    });
    await stage.operator.process.kill();
    await stage.startOperator();
    await complete(scene);
    await eventually(async () =>
      expect(await scene.kubectl('get', 'events', '-o', 'jsonpath={.items[*].message}')).toMatch(
        /Gate "errors" of step 1, revision 2: 4 of 4 measurements were good, the last value is 0\.2/,
      ),
    );
    expect(before?.successes ?? 0).toBeLessThan(4);
    await scene.reach('canary', { number: 2, steps: 1 });
    expect(await statusOf(scene)).not.toHaveProperty('step');
  });
});
