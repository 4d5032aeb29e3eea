// Admission policies for the pods of one namespace, in CEL: one that takes something from every new pod, and one that keeps
// the operator from changing some. Each is in force when the promise resolves, and can be taken back.

import { expect } from '@jest/globals';
import type { Client } from '../../src/runtime/client/client.ts';
import { isApiError } from '../../src/runtime/errors.ts';
import type { KubeObject, Manifest, ObjectMeta } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import type { Pod } from '../../src/workload/pod.ts';
import { pods } from '../../src/workload/write-context.ts';
import { eventually } from './eventually.ts';

/** Where a policy holds. */
export interface Realm {
  readonly client: Client;
  readonly namespace: string;
}

type Repeal = () => Promise<void>;
type Sort = 'Mutating' | 'Validating';

interface Policy extends KubeObject {
  readonly spec: object;
}

/** A part of a pod that admission can take away. */
export interface Part {
  /** A JSON pointer. */
  readonly path: string;
  /** In CEL: whether a pod has it. */
  readonly isThere: string;
}

export const labelOf = (label: string): Part => ({
  path: `/metadata/labels/${label.replaceAll('/', '~1')}`,
  isThere: `has(object.metadata.labels) && "${label}" in object.metadata.labels`,
});

export const OWNER: Part = {
  path: '/metadata/ownerReferences',
  isThere: 'has(object.metadata.ownerReferences)',
};

/** Has admission take a part from every new pod. */
export async function stripPods(realm: Realm, { path, isThere }: Part, sample: Partial<ObjectMeta>): Promise<Repeal> {
  const repeal = await govern(realm, 'Mutating', 'CREATE', {
    reinvocationPolicy: 'Never',
    matchConditions: [{ name: 'is-there', expression: isThere }],
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: `[JSONPatch{op: "remove", path: "${path}"}]` } }],
  });
  const comesBack = async (): Promise<object> => (await tryPod(realm, sample)).metadata;
  await eventually(async () => expect(await comesBack()).not.toMatchObject(sample));
  return async () => {
    await repeal();
    await eventually(async () => expect(await comesBack()).toMatchObject(sample));
  };
}

/** Keeps the operator from changing pods that have the label `protected`. */
export async function protectPods(realm: Realm, reason: 'Forbidden' | 'Invalid'): Promise<Repeal> {
  const { client, namespace } = realm;
  const repeal = await govern(realm, 'Validating', 'UPDATE', {
    matchConditions: [
      {
        name: 'is-operator',
        expression:
          'request.userInfo.username.startsWith("system:serviceaccount:mydeployment-system") || object.metadata.name == "canary"',
      },
    ],
    validations: [
      {
        expression: '!has(object.metadata.labels) || !("protected" in object.metadata.labels)',
        message: 'it is protected',
        reason,
      },
    ],
  });
  const ref = { namespace, name: 'canary' };
  await client.create(pods, { ...podManifest({ ...ref, labels: { protected: 'yes' } }) });
  const touch = { type: 'merge', body: { metadata: { annotations: { touched: 'yes' } } } } as const;
  await eventually(async () => {
    const outcome = await client.patch(pods, ref, touch, { dryRun: true }).catch((error: unknown) => error);
    expect(isApiError(outcome, reason)).toBe(true);
  });
  await client.delete(pods, ref, { gracePeriodSeconds: 0 });
  return repeal;
}

async function govern({ client, namespace }: Realm, sort: Sort, operation: string, spec: object): Promise<Repeal> {
  const [policies, bindings] = resourcesOf(sort);
  const metadata = { name: `${namespace}-${sort.toLowerCase()}` };
  const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: [operation] };
  const constraints = { matchConstraints: { resourceRules: [rule] }, failurePolicy: 'Fail' };
  await client.create(policies, { metadata, spec: { ...constraints, ...spec } });
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  const binding = { policyName: metadata.name, matchResources: { namespaceSelector } };
  const actions = sort === 'Validating' ? { validationActions: ['Deny'] } : {};
  await client.create(bindings, { metadata, spec: { ...binding, ...actions } });
  return async () => {
    await client.delete(bindings, metadata);
    await client.delete(policies, metadata);
  };
}

function resourcesOf(sort: Sort): [Resource<Policy>, Resource<Policy>] {
  const kind = `${sort}AdmissionPolicy`;
  const group = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;
  return [
    { ...group, kind, plural: `${kind.toLowerCase().slice(0, -1)}ies` },
    { ...group, kind: `${kind}Binding`, plural: `${kind.toLowerCase()}bindings` },
  ];
}

function tryPod({ client, namespace }: Realm, metadata: Partial<ObjectMeta>): Promise<Pod> {
  return client.create(pods, podManifest({ namespace, name: 'sample', ...metadata }), { dryRun: true });
}

function podManifest(metadata: Partial<ObjectMeta>): Manifest<Pod> {
  return { metadata, spec: { containers: [{ name: 'web', image: 'web:v0' }] } } as unknown as Manifest<Pod>;
}
