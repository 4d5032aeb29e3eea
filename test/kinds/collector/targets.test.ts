import { describe, expect, it } from '@jest/globals';
import {
  describeChange,
  describeTarget,
  isSettled,
  observes,
  replicaSets,
  TARGETS,
  type Target,
  targetOf,
} from '../../../src/kinds/collector/targets.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { collector, target } from './fixture.ts';

function owned(apiVersion: string, kind: string, name: string, labels: Record<string, string> = {}): KubeObject {
  const reference = { apiVersion, kind, name, uid: 'u', controller: true };
  return {
    metadata: { name: 'x', namespace: 'default', uid: 'x', resourceVersion: '1', labels, ownerReferences: [reference] },
  };
}

it('what can be observed is found where the API server has it', () => {
  expect(TARGETS).toEqual({
    Deployment: { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
    MyDeployment: {
      group: 'kubebuilder.zq.com',
      version: 'v1beta1',
      kind: 'MyDeployment',
      plural: 'mydeployments',
      namespaced: true,
    },
  });
  expect(replicaSets).toEqual({
    group: 'apps',
    version: 'v1',
    kind: 'ReplicaSet',
    plural: 'replicasets',
    namespaced: true,
  });
});

describe('whose object it is', () => {
  const hash = { 'pod-template-hash': 'abc12' };

  it.each<{ name: string; object: KubeObject; kind: string | undefined; target?: string }>([
    { name: 'a ReplicaSet', object: owned('apps/v1', 'Deployment', 'web'), kind: 'Deployment', target: 'web' },
    {
      name: 'a pod of a ReplicaSet',
      object: owned('apps/v1', 'ReplicaSet', 'web-abc12', hash),
      kind: 'Deployment',
      target: 'web',
    },
    {
      name: 'a name with dashes',
      object: owned('apps/v1', 'ReplicaSet', 'my-web-abc12', hash),
      kind: 'Deployment',
      target: 'my-web',
    },
    { name: 'a ReplicaSet that stands alone', object: owned('apps/v1', 'ReplicaSet', 'web'), kind: undefined },
    {
      name: 'a pod of a MyDeployment',
      object: owned('kubebuilder.zq.com/v1beta1', 'MyDeployment', 'web', hash),
      kind: 'MyDeployment',
      target: 'web',
    },
    { name: 'a kind of the same name', object: owned('example.com/v1', 'Deployment', 'web'), kind: undefined },
    { name: 'a StatefulSet', object: owned('apps/v1', 'StatefulSet', 'web'), kind: undefined },
    {
      name: 'a StatefulSet that is called like a ReplicaSet',
      object: owned('apps/v1', 'StatefulSet', 'web-abc12', hash),
      kind: undefined,
    },
    { name: 'nobody', object: { metadata: { name: 'x', uid: 'x', resourceVersion: '1' } }, kind: undefined },
  ])('$name', ({ object, kind, target: name }) => {
    expect(targetOf(object)).toEqual(kind && { kind, namespace: 'default', name });
  });
});

describe('whom a Collector observes', () => {
  const web = { kind: 'Deployment', namespace: 'default', name: 'web' } as const;
  const selector = { matchLabels: { app: 'web' } };

  it.each<{ name: string; spec: object; of?: object; labels?: Record<string, string>; yes: boolean }>([
    { name: 'the one of its name', spec: {}, yes: true },
    { name: 'not another', spec: {}, of: { name: 'api' }, yes: false },
    { name: 'not of another kind', spec: {}, of: { kind: 'MyDeployment' }, yes: false },
    { name: 'not in another namespace', spec: {}, of: { namespace: 'other' }, yes: false },
    { name: 'all with its labels', spec: { selector, name: undefined }, labels: { app: 'web', more: 'x' }, yes: true },
    { name: 'none with others', spec: { selector, name: undefined }, labels: { app: 'api' }, yes: false },
    { name: 'none whose labels nobody knows', spec: { selector, name: undefined }, yes: false },
    {
      name: 'none whose labels nobody knows, though all would do',
      spec: { selector: { matchLabels: {} }, name: undefined },
      yes: false,
    },
  ])('$name', ({ spec, of, labels, yes }) => {
    const by = collector({ target: { kind: 'Deployment', name: 'web', ...spec } as never });
    expect(observes(by, { ...web, ...of }, labels)).toBe(yes);
  });

  it('is told in a word or two', () => {
    expect(describeTarget({ kind: 'MyDeployment', name: 'web' })).toBe('MyDeployment/web');
    expect(describeTarget({ kind: 'Deployment', selector: { matchLabels: { b: '2', a: '1' } } })).toBe(
      'Deployment a=1,b=2',
    );
  });
});

describe('what was changed', () => {
  const of = (spec: object): Target => ({ ...target(1), spec });

  it.each<{ before: object; after: object; words: string }>([
    { before: { replicas: 3 }, after: { replicas: 1 }, words: 'replicas 3 → 1' },
    { before: {}, after: { paused: true }, words: 'paused none → true' },
    { before: { paused: true }, after: {}, words: 'paused true → none' },
    { before: { selector: { a: 1 } }, after: {}, words: 'selector' },
    { before: {}, after: { selector: { a: 1 } }, words: 'selector' },
    {
      before: { strategy: { type: 'RollingUpdate', rollingUpdate: {} } },
      after: { strategy: { type: 'Recreate' } },
      words: 'strategy RollingUpdate → Recreate',
    },
    {
      before: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
      after: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } } },
      words: 'strategy',
    },
    {
      before: { template: { a: 1 }, replicas: 1 },
      after: { template: { a: 2 }, replicas: 2 },
      words: 'replicas 1 → 2, template',
    },
    { before: { replicas: 1 }, after: { replicas: 1 }, words: 'being deleted' },
  ])('$words', ({ before, after, words }) => {
    expect(describeChange(of(before), of(after))).toBe(words);
  });
});

describe('whether a target has come to rest', () => {
  it.each<{ name: string; of: Target | undefined; terminating?: number; settled: boolean }>([
    { name: 'all as it should be', of: target(3), settled: true },
    {
      name: 'none wanted, none there',
      of: target(0, { status: { replicas: undefined, updatedReplicas: undefined, availableReplicas: undefined } }),
      settled: true,
    },
    {
      name: 'none wanted, and nobody has looked',
      of: target(0, { status: { observedGeneration: undefined } }),
      settled: false,
    },
    { name: 'one, because none is asked for', of: { ...target(1), spec: {} }, settled: true },
    { name: 'a pod still going', of: target(3), terminating: 1, settled: false },
    { name: 'a pod too many', of: target(3, { status: { replicas: 4 } }), settled: false },
    { name: 'a pod not updated', of: target(3, { status: { updatedReplicas: 2 } }), settled: false },
    { name: 'a pod not available', of: target(3, { status: { availableReplicas: 2 } }), settled: false },
    { name: 'its change not looked at', of: target(3, { metadata: { generation: 2 } }), settled: false },
    { name: 'gone', of: undefined, settled: true },
    { name: 'gone, with pods still going', of: undefined, terminating: 1, settled: false },
  ])('$name', ({ of, terminating = 0, settled }) => {
    expect(isSettled(of, terminating)).toBe(settled);
  });
});
