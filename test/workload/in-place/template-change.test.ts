// Which changes of a template running pods can follow, and which take new pods.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { versionOf } from '../../../src/workload/in-place/pod-change.ts';
import { replaceReason } from '../../../src/workload/in-place/template-change.ts';
import type { PodTemplate } from '../../../src/workload/template-schema.ts';
import { type Json, merged } from '../../support/merge-patch.ts';

const web = { name: 'web', image: 'web:1', resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2' } } };
const base = { metadata: { labels: { app: 'web' } }, spec: { containers: [web], volumes: [] } };
const withWeb = (change: object): object => ({ spec: { containers: [{ ...web, ...change }] } });
const withResources = (resources: object): object => withWeb({ resources });
const env = (fieldPath: string): object => withWeb({ env: [{ name: 'E', valueFrom: { fieldRef: { fieldPath } } }] });

/** Why a pod of the base, changed in both versions, cannot become one that is changed once more. */
function reason(change: object, both: object = {}): string | undefined {
  const from = merged(base as Json, both as Json);
  const to = merged(from, change as Json);
  return replaceReason(versionOf('one', from as never), versionOf('two', to as never));
}

describe('pods follow in place', () => {
  it.each<{ name: string; change: object; both?: object }>([
    { name: 'nothing but another hash', change: {} },
    { name: 'another image', change: withWeb({ image: 'web:2' }) },
    { name: 'more CPU', change: withResources({ requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '2' } }) },
    { name: 'a limit that is added', change: withResources({ ...web.resources, limits: { cpu: '2', memory: '2Gi' } }) },
    {
      name: 'the same amount written otherwise',
      change: withResources({ ...web.resources, limits: { cpu: '2000m' } }),
    },
    {
      name: 'a request that its limit stands for',
      change: withResources({ limits: { cpu: '2' }, requests: { cpu: '1', memory: '1Gi' } }),
    },
    { name: 'another label', change: { metadata: { labels: { tier: 'front' } } } },
    {
      name: 'a label that goes',
      change: { metadata: { labels: { tier: null } } },
      both: { metadata: { labels: { tier: 'x' } } },
    },
    { name: 'annotations that stay', change: {}, both: { metadata: { annotations: { a: '1' } } } },
    { name: 'finalizers that stay', change: {}, both: { metadata: { finalizers: ['a/b'] } } },
    {
      name: 'limits for everything, beside an init container that has none',
      change: withResources({ limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '2', memory: '1Gi' } }),
      both: { spec: { initContainers: [{ name: 'log', image: 'log:1' }] } },
    },
    { name: 'a label that is read and stays', change: {}, both: env("metadata.labels['app']") },
    { name: 'other metadata that is read', change: {}, both: env('metadata.name') },
    { name: 'resources that are read and stay', change: {}, both: readsLimits() },
    {
      name: 'empty matchLabelKeys',
      change: {},
      both: { spec: { topologySpreadConstraints: [{ matchLabelKeys: [] }] } },
    },
  ])('$name', ({ change, both }) => {
    expect(reason(change, both)).toBeUndefined();
  });
});

function readsLimits(): object {
  return withWeb({ env: [{ name: 'E', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }] });
}

describe('pods are replaced', () => {
  const side = { name: 'side', image: 'side:1' };
  const sidecar = { initContainers: [{ name: 'log', image: 'log:1' }] };
  const downward = (fieldPath: string) => ({
    spec: { volumes: [{ name: 'v', downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath } }] } }] },
  });
  it.each<{ change: object; both?: object; says: string }>([
    { change: { metadata: { annotations: { 'checksum/config': '2' } } }, says: "the template's annotations change" },
    { change: { metadata: { finalizers: ['a/b'] } }, says: "the template's finalizers change" },
    {
      change: { spec: { initContainers: [{ name: 'log', image: 'log:2' }] } },
      both: { spec: sidecar },
      says: 'spec.initContainers changes',
    },
    { change: { spec: { nodeSelector: { a: 'b' } } }, says: 'spec.nodeSelector changes' },
    {
      change: { spec: { nodeSelector: null } },
      both: { spec: { nodeSelector: { a: 'b' } } },
      says: 'spec.nodeSelector changes',
    },
    {
      change: { spec: { containers: [web, { name: 'more', image: 'x' }] } },
      says: 'containers are added, removed, renamed or reordered',
    },
    { change: withWeb({ args: ['-v'] }), says: 'args of container "web" changes' },
    { change: withWeb({ imagePullPolicy: 'Always' }), says: 'imagePullPolicy of container "web" changes' },
    {
      change: withResources({ ...web.resources, limits: { cpu: '2', 'example.com/gpu': '1' } }),
      says: 'container "web" cannot be resized: only CPU and memory can be resized, and its example.com/gpu changes',
    },
    {
      change: withResources({ requests: { cpu: '1' }, limits: { cpu: '2' } }),
      says: 'container "web" cannot be resized: a request or limit for memory cannot be removed',
    },
    {
      change: withResources({ ...web.resources, claims: [{ name: 'gpu' }] }),
      says: 'container "web" cannot be resized: its resource claims change',
    },
    {
      change: withResources({ limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '2', memory: '1Gi' } }),
      says: 'the QoS class changes from Burstable to Guaranteed, and a resize cannot do that',
    },
    {
      change: withResources({ requests: { cpu: '1' } }),
      both: withResources({}),
      says: 'the QoS class changes from BestEffort to Burstable, and a resize cannot do that',
    },
    {
      change: withResources({ requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '2' } }),
      both: { spec: { os: { name: 'windows' } } },
      says: 'pods of Windows cannot be resized',
    },
    {
      change: withResources({ requests: { cpu: '2', memory: '1Gi' }, limits: { cpu: '2' } }),
      both: { spec: { resources: { limits: { cpu: '4' } } } },
      says: 'the pod has resources of its own (spec.resources)',
    },
    {
      change: { spec: { containers: [{ ...web, resources: { ...web.resources, limits: { cpu: '3' } } }, side] } },
      both: { spec: { os: { name: 'windows' }, containers: [web, side] } },
      says: 'pods of Windows cannot be resized',
    },
    {
      change: {},
      both: { spec: { affinity: { podAntiAffinity: { mismatchLabelKeys: ['app'] } } } },
      says: 'the template has matchLabelKeys or mismatchLabelKeys, which are resolved when a pod is created',
    },
    { change: {}, both: env('metadata.labels'), says: 'env or a volume reads metadata.labels, which changes' },
    {
      change: {},
      both: downward('metadata.annotations'),
      says: 'env or a volume reads metadata.annotations, which changes',
    },
    {
      change: { metadata: { labels: { app: 'v2' } } },
      both: env("metadata.labels['app']"),
      says: "env or a volume reads metadata.labels['app'], which changes",
    },
    {
      change: {},
      both: downward("metadata.labels['pod-template-hash']"),
      says: "env or a volume reads metadata.labels['pod-template-hash'], which changes",
    },
    {
      change: {},
      both: { spec: { topologySpreadConstraints: [{ matchLabelKeys: ['pod-template-hash'] }] } },
      says: 'the template has matchLabelKeys or mismatchLabelKeys, which are resolved when a pod is created',
    },
  ])('because $says', ({ change, both, says }) => {
    expect(reason(change, both)).toBe(says);
  });

  it('because a container reads resources that change', () => {
    const more = { ...web.resources, limits: { cpu: '3' } };
    const { spec } = readsLimits() as PodTemplate;
    const [container] = spec.containers;
    expect(reason({ spec: { containers: [{ ...container, resources: more }] } }, readsLimits())).toBe(
      'env or a volume reads resources of a container, which change',
    );
  });
});

it('never changes in place what is more than images, CPU, memory and labels', () => {
  const field = fc.constantFrom('args', 'command', 'env', 'ports', 'workingDir', 'volumeMounts', 'tty');
  const value = fc.oneof(
    fc.array(fc.string({ minLength: 1 }), { minLength: 1 }),
    fc.boolean(),
    fc.string({ minLength: 1 }),
  );
  const cpu = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(field, value, fc.string(), cpu, fc.boolean(), (key, other, image, amount, isOther) => {
      const resources = { requests: { cpu: String(amount), memory: '1Gi' }, limits: { cpu: '10' } };
      const from = withWeb({ resources: { ...resources, requests: { cpu: '1', memory: '1Gi' } } });
      const change = withWeb({ image, resources, ...(isOther && { [key]: other }) });
      expect(reason(change, from) === undefined).toBe(!isOther);
    }),
  );
});
