import { describe, expect, it } from '@jest/globals';
import { handlers as handlersOf } from '../../../src/kinds/rollout-policy/admission/webhook.ts';
import { ABORT, PROMOTE, RETRY } from '../../../src/policy/requests.ts';
import type { RolloutPolicy, RolloutPolicySpec, RolloutPolicyStatus } from '../../../src/policy/types.gen.ts';
import type { AdmissionRequest } from '../../../src/runtime/webhook/admission.ts';
import { at, errorRate, policy, SPEC } from './fixture.ts';

const { signal } = new AbortController();
const handlers = handlersOf(new Map([['default', {}]]));

type Annotations = Readonly<Record<string, string>>;

function requestFor(object: RolloutPolicy | null, oldObject: RolloutPolicy | null): AdmissionRequest<RolloutPolicy> {
  const kind = { group: 'kubebuilder.zq.com', version: 'v1alpha1', kind: 'RolloutPolicy' };
  const resource = { group: kind.group, version: kind.version, resource: 'rolloutpolicies' };
  return { uid: 'u', operation: 'UPDATE', kind, resource, userInfo: { username: 'ann' }, object, oldObject };
}

const annotated = (annotations: Annotations, status: RolloutPolicyStatus = {}, spec: Partial<RolloutPolicySpec> = {}) =>
  policy(spec, { metadata: { annotations }, status });

describe('who asks', () => {
  const promote = '{"number":2,"step":1}';
  const byBob = '{"number":2,"step":1,"by":"bob"}';
  const byAnn = '{"number":2,"step":1,"by":"ann"}';

  it.each<{ name: string; old?: Annotations; given: Annotations; stored: Annotations }>([
    { name: 'is written down', given: { [PROMOTE]: promote }, stored: { [PROMOTE]: byAnn } },
    { name: 'cannot be somebody else', given: { [PROMOTE]: byBob }, stored: { [PROMOTE]: byAnn } },
    {
      name: 'is written into each request',
      given: { [ABORT]: '{"number":2}', [RETRY]: '{"number":2}' },
      stored: { [ABORT]: '{"number":2,"by":"ann"}', [RETRY]: '{"number":2,"by":"ann"}' },
    },
    {
      name: 'stays while the request does',
      old: { [PROMOTE]: byBob },
      given: { [PROMOTE]: byBob, x: 'y' },
      stored: { [PROMOTE]: byBob, x: 'y' },
    },
    {
      name: 'cannot be changed alone',
      old: { [PROMOTE]: byBob },
      given: { [PROMOTE]: byAnn },
      stored: { [PROMOTE]: byBob },
    },
    {
      name: 'cannot be removed alone',
      old: { [PROMOTE]: byBob },
      given: { [PROMOTE]: promote },
      stored: { [PROMOTE]: byBob },
    },
    {
      name: 'is who asks for another step',
      old: { [PROMOTE]: byBob },
      given: { [PROMOTE]: '{"number":2,"step":2,"by":"bob"}' },
      stored: { [PROMOTE]: '{"number":2,"step":2,"by":"ann"}' },
    },
    {
      name: 'is who asks for all steps',
      old: { [PROMOTE]: byBob },
      given: { [PROMOTE]: '{"number":2,"step":1,"full":true}' },
      stored: { [PROMOTE]: '{"number":2,"step":1,"full":true,"by":"ann"}' },
    },
    {
      name: 'is who replaces a request that cannot be read',
      old: { [PROMOTE]: '?' },
      given: { [PROMOTE]: byBob },
      stored: { [PROMOTE]: byAnn },
    },
    { name: 'is not written into what cannot be read', given: { [PROMOTE]: 'yes' }, stored: { [PROMOTE]: 'yes' } },
  ])('$name', async ({ old, given, stored }) => {
    const object = annotated(given);
    const request = requestFor(object, old ? annotated(old) : null);
    const signed = await handlers.mutate(object, request, signal);
    expect(signed.metadata.annotations).toEqual(stored);
    expect(await handlers.mutate(signed, { ...request, object: signed }, signal)).toEqual(signed);
  });

  it('is cut when the name is too long for a record', async () => {
    const object = annotated({ [ABORT]: '{"number":2}' });
    const request = { ...requestFor(object, null), userInfo: { username: 'n'.repeat(5000) } };
    const { annotations = {} } = (await handlers.mutate(object, request, signal)).metadata;
    expect(Buffer.byteLength(JSON.parse(annotations[ABORT] ?? '{}').by)).toBe(256);
  });

  it('changes nothing else', () => {
    const object = policy();
    expect(handlers.mutate(object, requestFor(object, null), signal)).toBe(object);
  });
});

describe('a request', () => {
  const inStep = { number: 2, step: 1 };
  const rejected = { number: 2, reason: 'Aborted', message: 'aborted by bob', at: at(0) };
  const reconciling = [
    { type: 'Reconciling', status: 'True', reason: 'RollingOut', message: '', lastTransitionTime: at(0) },
  ] as const;
  const drop = 'a request that does not fit the rollout is dropped';

  it.each<{ name: string; key: string; text: string; status: RolloutPolicyStatus; error?: string; warning?: string }>([
    { name: 'to promote the present step passes', key: PROMOTE, text: '{"number":2,"step":1}', status: inStep },
    { name: 'to abort passes', key: ABORT, text: '{"number":2}', status: inStep },
    { name: 'to retry passes', key: RETRY, text: '{"number":2}', status: { number: 2, rejected } },
    {
      name: 'has to be readable',
      key: RETRY,
      text: 'yes',
      status: inStep,
      error: 'Invalid value: "yes": must be JSON with the number of a revision, such as {"number":2}',
    },
    {
      name: 'has to name a number',
      key: ABORT,
      text: '{}',
      status: inStep,
      error: 'must be JSON with the number of a revision',
    },
    {
      name: 'to promote has to name a step',
      key: PROMOTE,
      text: '{"number":2}',
      status: inStep,
      error: 'must name the step that is promoted',
    },
    {
      name: 'to abort a complete rollout is refused',
      key: ABORT,
      text: '{"number":2}',
      status: { number: 2 },
      error: 'nothing is under way: revision 2 is rolled out',
    },
    {
      name: 'to abort a rejected one is refused',
      key: ABORT,
      text: '{"number":2}',
      status: { number: 2, rejected },
      error: 'revision 2 was rejected already',
    },
    {
      name: 'to abort a rollout that begins passes',
      key: ABORT,
      text: '{"number":2}',
      status: { number: 2, conditions: reconciling },
    },
    {
      name: 'about another attempt is doubted',
      key: ABORT,
      text: '{"number":3}',
      status: inStep,
      warning: `revision 3 is asked for, the policy has seen 2 yet: ${drop}`,
    },
    {
      name: 'about a new policy is doubted',
      key: ABORT,
      text: '{"number":3}',
      status: {},
      warning: `revision 3 is asked for, the policy has seen none yet: ${drop}`,
    },
    {
      name: 'to promote another step is doubted',
      key: PROMOTE,
      text: '{"number":2,"step":2}',
      status: inStep,
      warning: `step 2 is promoted, the rollout is in step 1: ${drop}`,
    },
    {
      name: 'to promote nothing is doubted',
      key: PROMOTE,
      text: '{"number":2,"step":2}',
      status: { number: 2 },
      warning: `step 2 is promoted, the rollout is in none: ${drop}`,
    },
  ])('$name', async ({ key, text, status, error, warning }) => {
    const object = annotated({ [key]: text }, status);
    const { errors = [], warnings = [] } = await handlers.validate(requestFor(object, policy()), signal);
    expect(errors.map(({ field }) => field)).toEqual(error ? [`metadata.annotations[${key}]`] : []);
    expect(errors[0]?.message ?? '').toContain(error ?? '');
    expect(warnings).toEqual(warning ? [warning] : []);
  });

  it('is judged once', async () => {
    const object = annotated({ [ABORT]: '{"number":2}' }, { number: 2 });
    expect(await handlers.validate(requestFor(object, object), signal)).toEqual({ errors: [], warnings: [] });
  });

  it('is not judged when it is taken back', async () => {
    expect(await handlers.validate(requestFor(policy(), annotated({ [ABORT]: 'no' })), signal)).toEqual({
      errors: [],
      warnings: [],
    });
  });

  it('does not keep an object from being deleted', async () => {
    const object = annotated({ [ABORT]: 'no' });
    const leaving = { ...object, metadata: { ...object.metadata, deletionTimestamp: at(0) } };
    expect(await handlers.validate(requestFor(leaving, policy()), signal)).toEqual({});
  });
});

it('a gate that no step uses is worth a warning', async () => {
  const object = policy({ gates: [errorRate, { ...errorRate, name: 'slow' }] });
  expect(await handlers.validate(requestFor(object, null), signal)).toEqual({
    errors: [],
    warnings: ['spec.gates: no step uses gate "slow"'],
  });
});

it.each<{ known: readonly string[]; server?: string; warnings: readonly string[] }>([
  { known: ['default'], warnings: [] },
  { known: ['default', 'other'], server: 'other', warnings: [] },
  { known: [], warnings: ['"default" (--prometheus), it knows none'] },
  { known: ['a', 'b'], server: 'c', warnings: ['"c" (--prometheus), it knows a, b'] },
])('server $server, where the operator knows $known, is worth warnings: $warnings', async (row) => {
  const { known, server, warnings } = row;
  const prometheus = { ...errorRate.prometheus, query: 'up', ...(server && { server }) };
  const object = policy({
    gates: [
      { name: 'job', job: { fromCronJob: 'smoke' } },
      { ...errorRate, prometheus },
    ],
  });
  const judged = await handlersOf(new Map(known.map((name) => [name, {}]))).validate(requestFor(object, null), signal);
  expect(judged.warnings?.filter((warning) => !warning.includes('no step uses'))).toEqual(
    warnings.map((words) => `spec.gates[1].prometheus.server: the operator knows no Prometheus server ${words}`),
  );
});

describe('a deletion', () => {
  const native = 'without this policy MyDeployment "web" rolls it out to all replicas';

  it.each<{ name: string; status?: RolloutPolicyStatus; warnings: readonly string[] }>([
    { name: 'of a policy that nobody has looked at', warnings: [] },
    { name: 'while nothing rolls out', status: { number: 2 }, warnings: [] },
    { name: 'in the rest of a rollout', status: { number: 2, step: 3 }, warnings: [] },
    { name: 'in a step', status: { number: 2, step: 2 }, warnings: [`revision 2 is held in step 2 of 2: ${native}`] },
    {
      name: 'after a rejection',
      status: { number: 2, rejected: { number: 2, reason: 'PodFailures', message: '', at: at(0) } },
      warnings: [`revision 2 was rejected (PodFailures): ${native}`],
    },
  ])('$name', async ({ status, warnings }) => {
    const old = policy(SPEC, status ? { status } : {});
    expect(await handlers.validate(requestFor(null, old), signal)).toEqual({ warnings });
  });
});
