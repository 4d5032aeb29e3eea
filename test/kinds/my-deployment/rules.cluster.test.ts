// What the API server refuses by itself, with no webhook of ours running: each rule of the schema meets the objects it
// is there for, blames the right field and says what is wrong. And what it must not refuse, because a Deployment may
// say it too.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import { ApiError } from '../../../src/runtime/errors.ts';
import type { Manifest } from '../../../src/runtime/object.ts';
import { useSharedCluster } from '../../support/cluster.ts';
import { installCrds } from '../../support/crds.ts';
import { eventually } from '../../support/eventually.ts';
import { type Json, merged } from '../../support/merge-patch.ts';

const good: Json = {
  selector: { matchLabels: { app: 'web' } },
  template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
};

const cluster = await useSharedCluster();
let namespace: string;

beforeAll(async () => {
  await installCrds(cluster);
  namespace = await cluster.namespace();
  await eventually(() => dryRun({}));
});

function manifest(spec: Json, name = 'sample'): Manifest<MyDeployment> {
  const object = {
    apiVersion: 'kubebuilder.zq.com/v1beta1',
    kind: 'MyDeployment',
    metadata: { namespace, name },
    spec,
  };
  return object as unknown as Manifest<MyDeployment>;
}

/** Sends the good object, changed by a merge patch of its spec, through admission and validation. */
function dryRun(change: Json): Promise<MyDeployment> {
  return cluster.client.create(myDeployments, manifest(merged(good, change)), {
    dryRun: true,
    fieldValidation: 'Strict',
  });
}

async function refusalOf(attempt: Promise<unknown>): Promise<ApiError> {
  const outcome = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof ApiError)) throw new Error(`expected a refusal, got ${String(outcome)}`);
  return outcome;
}

const rolling = (rollingUpdate: Json): Json => ({ strategy: { type: 'RollingUpdate', rollingUpdate } });
const podSpec = (spec: Json): Json => ({ template: { spec } });
const expression = (requirement: Json): Json => ({ selector: { matchExpressions: [requirement] } });

const LABELS = 'spec.template.metadata.labels';
const SURGE = 'spec.strategy.rollingUpdate.maxSurge';
const UNAVAILABLE = 'spec.strategy.rollingUpdate.maxUnavailable';

describe('a bad MyDeployment is refused', () => {
  it.each<{ name: string; change: Json; field: string; words: string }>([
    { name: 'no selector', change: { selector: null }, field: 'spec.selector', words: 'Required value' },
    {
      name: 'an empty selector',
      change: { selector: { matchLabels: null } },
      field: 'spec.selector',
      words: 'empty selector is invalid',
    },
    {
      name: 'a selector without labels',
      change: { selector: { matchLabels: { app: null } } },
      field: 'spec.selector',
      words: 'empty selector is invalid',
    },
    {
      name: "a label of the operator's in the selector",
      change: {
        selector: { matchLabels: { 'pod-template-hash': 'mine' } },
        template: { metadata: { labels: { 'pod-template-hash': 'mine' } } },
      },
      field: 'spec.selector.matchLabels',
      words: '{"app":"web", "pod-template-hash":"mine"}: a label may not be one of controller-revision-hash,',
    },
    {
      name: "an expression about a label of the operator's",
      change: expression({ key: 'controller-revision-hash', operator: 'DoesNotExist' }),
      field: 'spec.selector.matchExpressions[0].key',
      words: '"controller-revision-hash": may not be one of controller-revision-hash, pod-template-hash',
    },
    {
      name: 'labels that miss the selector',
      change: { template: { metadata: { labels: { app: 'other' } } } },
      field: LABELS,
      words: '{"app":"other"}: .spec.template.metadata.labels must equal with .spec.selector.matchlabels',
    },
    {
      name: 'one label of two missing',
      change: { selector: { matchLabels: { tier: 'front' } } },
      field: LABELS,
      words: '{"app":"web"}: .spec.template.metadata.labels must equal with',
    },
    {
      name: 'a template without metadata',
      change: { template: { metadata: null } },
      field: LABELS,
      words: '{}: .spec.template.metadata.labels must equal with',
    },
    {
      name: 'a label that is not In',
      change: expression({ key: 'app', operator: 'In', values: ['a', 'b'] }),
      field: LABELS,
      words: 'must satisfy .spec.selector.matchExpressions: not met ["app In',
    },
    {
      name: 'a label that is NotIn',
      change: expression({ key: 'app', operator: 'NotIn', values: ['web'] }),
      field: LABELS,
      words: 'not met ["app NotIn',
    },
    {
      name: 'a label that must exist',
      change: expression({ key: 'tier', operator: 'Exists' }),
      field: LABELS,
      words: 'not met ["tier Exists',
    },
    {
      name: 'a label that must not exist',
      change: expression({ key: 'app', operator: 'DoesNotExist' }),
      field: LABELS,
      words: 'not met ["app DoesNotExist',
    },
    {
      name: 'In without values',
      change: expression({ key: 'app', operator: 'In' }),
      field: 'spec.selector.matchExpressions[0].values',
      words: "must be specified when `operator` is 'In' or 'NotIn'",
    },
    {
      name: 'Exists with values',
      change: expression({ key: 'app', operator: 'Exists', values: ['web'] }),
      field: 'spec.selector.matchExpressions[0].values',
      words: "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    },
    {
      name: 'a key that no label can have',
      change: expression({ key: ' bad ', operator: 'DoesNotExist' }),
      field: 'spec.selector.matchExpressions[0].key',
      words: 'Invalid value: " bad "',
    },
    {
      name: 'a value that no label can have',
      change: expression({ key: 'tier', operator: 'NotIn', values: ['名 🚀'] }),
      field: 'spec.selector.matchExpressions[0].values[0]',
      words: 'Invalid value: "名 🚀"',
    },
    {
      name: 'an unknown operator',
      change: expression({ key: 'app', operator: 'Has' }),
      field: 'spec.selector.matchExpressions[0].operator',
      words: 'Unsupported value: "Has"',
    },
    {
      name: 'surge and unavailable both 0',
      change: rolling({ maxSurge: 0, maxUnavailable: 0 }),
      field: UNAVAILABLE,
      words: '0: may not be 0 when `maxSurge` is 0',
    },
    {
      name: 'surge 0% and unavailable 0',
      change: rolling({ maxSurge: '0%', maxUnavailable: 0 }),
      field: UNAVAILABLE,
      words: '0: may not be 0 when `maxSurge` is 0',
    },
    {
      name: 'surge 0 and unavailable 00%',
      change: rolling({ maxSurge: 0, maxUnavailable: '00%' }),
      field: UNAVAILABLE,
      words: '00%: may not be 0 when `maxSurge` is 0',
    },
    {
      name: 'surge as text without a percent sign',
      change: rolling({ maxSurge: '0' }),
      field: SURGE,
      words: 'Invalid value: "0"',
    },
    { name: 'a negative surge', change: rolling({ maxSurge: -1 }), field: SURGE, words: 'Invalid value: -1' },
    {
      name: 'negative unavailable',
      change: rolling({ maxUnavailable: -1 }),
      field: UNAVAILABLE,
      words: 'Invalid value: -1',
    },
    {
      name: 'a negative percentage',
      change: rolling({ maxUnavailable: '-5%' }),
      field: UNAVAILABLE,
      words: 'Invalid value: "-5%"',
    },
    {
      name: 'more than all unavailable',
      change: rolling({ maxUnavailable: '101%' }),
      field: UNAVAILABLE,
      words: '101%: must not be greater than 100%',
    },
    {
      name: 'a fraction of a pod',
      change: rolling({ maxUnavailable: 1.5 }),
      field: UNAVAILABLE,
      words: 'must be of type integer',
    },
    {
      name: 'rollingUpdate with Recreate',
      change: { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
      field: 'spec.strategy.rollingUpdate',
      words: "may not be specified when strategy `type` is 'Recreate'",
    },
    {
      name: 'an unknown strategy',
      change: { strategy: { type: 'BlueGreen' } },
      field: 'spec.strategy.type',
      words: 'Unsupported value: "BlueGreen"',
    },
    {
      name: 'a deadline that equals minReadySeconds',
      change: { progressDeadlineSeconds: 10, minReadySeconds: 10 },
      field: 'spec.progressDeadlineSeconds',
      words: '10: must be greater than minReadySeconds',
    },
    {
      name: 'minReadySeconds above the default deadline',
      change: { minReadySeconds: 600 },
      field: 'spec.progressDeadlineSeconds',
      words: '600: must be greater than minReadySeconds',
    },
    {
      name: 'no time for progress',
      change: { progressDeadlineSeconds: 0 },
      field: 'spec.progressDeadlineSeconds',
      words: '0: must be greater than minReadySeconds',
    },
    {
      name: 'a negative deadline',
      change: { progressDeadlineSeconds: -1 },
      field: 'spec.progressDeadlineSeconds',
      words: 'should be greater than or equal to 0',
    },
    {
      name: 'negative replicas',
      change: { replicas: -1 },
      field: 'spec.replicas',
      words: 'should be greater than or equal to 0',
    },
    {
      name: 'negative minReadySeconds',
      change: { minReadySeconds: -1 },
      field: 'spec.minReadySeconds',
      words: 'should be greater than or equal to 0',
    },
    {
      name: 'a negative history limit',
      change: { revisionHistoryLimit: -1 },
      field: 'spec.revisionHistoryLimit',
      words: 'should be greater than or equal to 0',
    },
    { name: 'replicas as text', change: { replicas: '3' }, field: 'spec.replicas', words: 'must be of type integer' },
    {
      name: 'restartPolicy Never',
      change: podSpec({ restartPolicy: 'Never' }),
      field: 'spec.template.spec.restartPolicy',
      words: '"Never": must be Always',
    },
    {
      name: 'restartPolicy OnFailure',
      change: podSpec({ restartPolicy: 'OnFailure' }),
      field: 'spec.template.spec.restartPolicy',
      words: '"OnFailure": must be Always',
    },
    {
      name: 'pods with a deadline',
      change: podSpec({ activeDeadlineSeconds: 5 }),
      field: 'spec.template.spec.activeDeadlineSeconds',
      words: 'not supported',
    },
    { name: 'no template', change: { template: null }, field: 'spec.template', words: 'Required value' },
    {
      name: 'a template without a spec',
      change: { template: { spec: null } },
      field: 'spec.template.spec',
      words: 'Required value',
    },
    {
      name: 'no containers',
      change: podSpec({ containers: [] }),
      field: 'spec.template.spec.containers',
      words: 'should have at least 1 item',
    },
    {
      name: 'a container without a name',
      change: podSpec({ containers: [{ image: 'nginx' }] }),
      field: 'spec.template.spec.containers[0].name',
      words: 'Required value',
    },
    {
      name: 'two containers of one name',
      change: podSpec({ containers: [{ name: 'a' }, { name: 'a' }] }),
      field: 'spec.template.spec.containers[1]',
      words: 'Duplicate value',
    },
  ])('$name: $field', async ({ change, field, words }) => {
    const refusal = await refusalOf(dryRun(change));
    expect(refusal.reason).toBe('Invalid');
    const blamed = refusal.causes.filter((cause) => cause.field === field).map((cause) => cause.message);
    expect(blamed).toContainEqual(expect.stringContaining(words));
  });

  it('when a field is mistyped, in the words of every other kind', async () => {
    const refusal = await refusalOf(dryRun({ template: { spec: { container: [] } } }));
    expect(refusal.message).toContain('unknown field "spec.template.spec.container"');
  });

  it('when its selector changes, even if the template follows', async () => {
    await cluster.client.create(myDeployments, manifest(good, 'immutable'));
    const labels = { app: 'other' };
    const change = { spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } } };
    const ref = { namespace, name: 'immutable' };
    const refusal = await refusalOf(cluster.client.patch(myDeployments, ref, { type: 'merge', body: change }));
    expect(refusal.causes).toEqual([
      expect.objectContaining({
        field: 'spec.selector',
        message: expect.stringContaining('{"app":"other"}: field is immutable'),
      }),
    ]);
  });

  it('in the form that kubectl users know', async () => {
    const bad = manifest(
      merged(good, { template: { metadata: { labels: { app: 'mydeploy' } } } }),
      'mydeployment-sample',
    );
    const { code, stderr } = await cluster.kubectl(['create', '-f', '-'], { input: JSON.stringify(bad) });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The MyDeployment "mydeployment-sample" is invalid: spec\.template\.metadata\.labels: Invalid value: .*\{"app":"mydeploy"\}: \.spec\.template\.metadata\.labels must equal with \.spec\.selector\.matchlabels$/m,
    );
  });
});

describe('a MyDeployment may say what a Deployment may', () => {
  const kubectlScaffold = { strategy: {}, template: { metadata: { creationTimestamp: null, labels: { app: 'web' } } } };
  const selectorOnly = { matchLabels: null, matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] };

  const value = 'v'.repeat(63);
  const labels = (count: number): Json =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`label-${i}`, value]));
  const requirement = (i: number): Json => ({ key: `label-${i}`, operator: 'In', values: Array(64).fill(value) });
  const crowded: Json = {
    selector: {
      matchLabels: { app: null, ...(labels(64) as object) },
      matchExpressions: Array.from({ length: 32 }, (_, i) => requirement(i)),
    },
    template: { metadata: { labels: { app: null, ...(labels(256) as object) } } },
  };

  it.each<{ name: string; change: Json }>([
    { name: 'no replicas', change: { replicas: 0 } },
    { name: 'only one of the two numbers 0', change: rolling({ maxUnavailable: 0 }) },
    { name: 'all unavailable, written strangely', change: rolling({ maxUnavailable: '0100%' }) },
    { name: 'a surge of several times the replicas', change: rolling({ maxSurge: '300%' }) },
    { name: 'Recreate', change: { strategy: { type: 'Recreate' } } },
    { name: 'an empty strategy', change: { strategy: {} } },
    { name: 'an empty restartPolicy', change: podSpec({ restartPolicy: '' }) },
    {
      name: 'labels beyond the selector',
      change: { template: { metadata: { labels: { tier: 'front', empty: '' } } } },
    },
    {
      name: 'all kinds of expressions',
      change: {
        selector: {
          matchExpressions: [
            { key: 'app', operator: 'In', values: ['web', 'other'] },
            { key: 'app', operator: 'NotIn', values: ['other'] },
            { key: 'app', operator: 'Exists' },
            { key: 'tier', operator: 'DoesNotExist' },
          ],
        },
      },
    },
    {
      name: 'a template without metadata, if the selector allows it',
      change: { selector: selectorOnly, template: { metadata: null } },
    },
    { name: 'as many labels and expressions as the schema takes', change: crowded },
    { name: 'a deadline beyond all measure', change: { progressDeadlineSeconds: 2147483647 } },
  ])('$name', async ({ change }) => {
    await expect(dryRun(change)).resolves.toMatchObject({ kind: 'MyDeployment' });
  });

  it('nothing at all where tools write null or an empty status', async () => {
    const spec = { ...(merged(good, {}) as object), ...kubectlScaffold, replicas: null };
    const template = {
      ...kubectlScaffold.template,
      spec: { containers: [{ name: 'web', env: null }], nodeSelector: null },
    };
    const object = { ...manifest({ ...spec, template } as Json), status: {} };
    const stored = await cluster.client.create(myDeployments, object as Manifest<MyDeployment>, { dryRun: true });
    expect(stored.spec.template).toEqual({
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web' }] },
    });
    expect(stored.spec.replicas).toBe(1);
  });
});
