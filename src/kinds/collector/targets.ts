// What a Collector can observe: kinds that own pods, and the objects that belong to them. A pod of a Deployment is
// found by name, not through its ReplicaSet, which is deleted before its pods when both are deleted together.

import * as builtIn from '../../runtime/built-in.ts';
import { controllerOf, type KubeObject, type OwnerReference } from '../../runtime/object.ts';
import type { Resource } from '../../runtime/resource.ts';
import { sameMeaning } from '../../workload/canonical.ts';
import { selectorMatches } from '../../workload/selector.ts';
import type { Collector, CollectorSpecTarget } from './types.gen.ts';

export type TargetKind = CollectorSpecTarget['kind'];

/** A target, with the fields that all target kinds share. */
export interface Target extends KubeObject {
  readonly spec: { readonly replicas?: number; readonly strategy?: { readonly type?: string } };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

export interface TargetRef {
  readonly kind: TargetKind;
  readonly namespace: string;
  readonly name: string;
}

export const TARGETS: Readonly<Record<TargetKind, Resource<Target>>> = {
  Deployment: builtIn.deployments as Resource<Target>,
  MyDeployment: {
    group: 'kubebuilder.zq.com',
    version: 'v1beta1',
    kind: 'MyDeployment',
    plural: 'mydeployments',
    namespaced: true,
  },
};

export const replicaSets: Resource = builtIn.replicaSets;

const TEMPLATE_HASH = 'pod-template-hash';

/** The target that an object belongs to; undefined when there is none. */
export function targetOf(object: KubeObject): TargetRef | undefined {
  const owner = controllerOf(object);
  if (owner === undefined) return undefined;
  const { namespace = '', labels = {} } = object.metadata;
  const kind = (Object.keys(TARGETS) as TargetKind[]).find((each) => isOf(owner, TARGETS[each]));
  if (kind !== undefined) return { kind, namespace, name: owner.name };
  const suffix = `-${labels[TEMPLATE_HASH]}`;
  if (!isOf(owner, replicaSets) || !owner.name.endsWith(suffix)) return undefined;
  return { kind: 'Deployment', namespace, name: owner.name.slice(0, -suffix.length) };
}

/** Any version of the kind. */
function isOf({ apiVersion, kind }: OwnerReference, resource: Resource): boolean {
  return kind === resource.kind && apiVersion.startsWith(`${resource.group}/`);
}

/** Whether a Collector observes a target with these labels; undefined labels mean that the target is gone. */
export function observes(
  { metadata, spec }: Collector,
  target: TargetRef,
  labels: KubeObject['metadata']['labels'],
): boolean {
  const { kind, name, selector } = spec.target;
  if (kind !== target.kind || metadata.namespace !== target.namespace) return false;
  return selector === undefined ? name === target.name : labels !== undefined && selectorMatches(selector, labels);
}

/** `Deployment/web`, or `Deployment app=web`. */
export function describeTarget({ kind, name, selector }: CollectorSpecTarget): string {
  if (name !== undefined) return `${kind}/${name}`;
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  return `${kind} ${labels.sort().join(',')}`;
}

/** What changed in a spec, in short: `replicas 3 → 1`, `template`. */
export function describeChange(before: Target, after: Target): string {
  const [old, now] = [before.spec, after.spec] as Readonly<Record<string, unknown>>[];
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].sort();
  const words = names.flatMap((name) => wordsFor(name, old?.[name], now?.[name]));
  return words.join(', ') || 'being deleted';
}

function wordsFor(name: string, old: unknown, now: unknown): string[] {
  if (sameMeaning(old, now)) return [];
  const [from, to] = [wordFor(old), wordFor(now)];
  return from === undefined || to === undefined || from === to ? [name] : [`${name} ${from} → ${to}`];
}

/** A short text for a value: the value itself, or its `type`; undefined when there is neither. */
function wordFor(value: unknown): string | undefined {
  if (typeof value !== 'object') return value === undefined ? 'none' : String(value);
  const { type } = (value ?? {}) as { readonly type?: unknown };
  return typeof type === 'string' ? type : undefined;
}

/** Whether a target matches its spec and none of its pods is terminating. True for a target that is gone. */
export function isSettled(target: Target | undefined, terminatingPods: number): boolean {
  if (target === undefined || terminatingPods > 0) return terminatingPods === 0;
  const { observedGeneration = 0, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = target.status ?? {};
  const desired = target.spec.replicas ?? 1;
  const isSeen = observedGeneration >= (target.metadata.generation ?? 0);
  return isSeen && [replicas, updatedReplicas, availableReplicas].every((pods) => pods === desired);
}

/** The reference to a target of this kind. */
export function refTo(kind: TargetKind, { namespace = '', name }: KubeObject['metadata']): TargetRef {
  return { kind, namespace, name };
}
