// The kinds besides MyDeployment: what their status says, and what they consist of: the nodes of a MyDaemonSet, the children of a
// ModelBox, the changes that a Collector has seen, the pods of an ImoocPod.

import type { Collector } from '../../../kinds/collector/types.gen.ts';
import type { ImoocPod } from '../../../kinds/imooc-pod/types.gen.ts';
import { LABEL } from '../../../kinds/model-box/names.ts';
import type { ModelBox } from '../../../kinds/model-box/types.gen.ts';
import { eligibilityOf } from '../../../kinds/my-daemon-set/eligibility.ts';
import type { MyDaemonSet } from '../../../kinds/my-daemon-set/types.gen.ts';
import { deployments, nodes, type Pod, services } from '../../../runtime/built-in.ts';
import { type Condition, findCondition, isConditionTrue } from '../../../runtime/conditions.ts';
import type { KubeObject } from '../../../runtime/object.ts';
import type { Resource } from '../../../runtime/resource.ts';
import { targetNode } from '../../../workload/node-affinity.ts';
import { isActive, timeOf } from '../../../workload/pod.ts';
import { podSummary } from '../../pod-status.ts';
import type { Model } from '../cluster/model.ts';
import type { ConditionsRow, ItemRow, KindName, PartRow, Shares, State, TableRow } from '../protocol.ts';
import { failing } from './attention.ts';
import { eventRows } from './events.ts';
import { podRow } from './pods.ts';

export type OtherKind = Exclude<KindName, 'MyDeployment'>;

interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[]; readonly observedGeneration?: number };
}

/** A line of the overview. */
export function otherItem(kind: KindName, object: KubeObject, model: Model): ItemRow {
  const { name, namespace = '', creationTimestamp } = object.metadata;
  const { state, message } = stateOf(object);
  const pods = podsOf(kind as OtherKind, object, model).filter((pod) => isActive(pod as never));
  const failed = failing(pods);
  const isFailing = state === 'Degraded' || failed > 0;
  const shares = sharesOf(pods, wantedOf(kind as OtherKind, object));
  return {
    kind,
    name,
    namespace,
    group: state === 'Healthy' ? 'rest' : isFailing ? 'fails' : 'moves',
    state,
    message,
    failing: failed,
    shares,
    ready: kind === 'Collector' ? '' : `${shares.ready}/${wantedOf(kind as OtherKind, object)}`,
    images: imagesOf(object),
    createdAt: timeOf(creationTimestamp) ?? 0,
  };
}

/** The page of one object. */
export function* otherRows(kind: OtherKind, object: KubeObject, model: Model): Generator<readonly [string, unknown]> {
  const { name, namespace = '', uid, generation = 0, creationTimestamp } = object.metadata;
  const createdAt = timeOf(creationTimestamp) ?? 0;
  yield [
    'head',
    { kind, name, namespace, uid, generation, ...stateOf(object), createdAt, facts: factsOf(kind, object) },
  ];
  yield ['conditions', conditionsOf(object)];
  const pods = podsOf(kind, object, model);
  switch (kind) {
    case 'MyDaemonSet':
      yield* daemonNodes(model, pods);
      for (const pod of pods) yield podRow(pod, name);
      break;
    case 'ModelBox':
      yield* children(object, model);
      for (const pod of pods) yield podRow(pod, name);
      break;
    case 'Collector':
      yield ['table', changes(object as Collector)];
      break;
    case 'ImoocPod':
      for (const pod of pods) yield podRow(pod, name);
      break;
    default:
      kind satisfies never;
  }
  const uids = new Set([uid, ...pods.map(({ metadata }) => metadata.uid)]);
  yield* eventRows(model.events(namespace).filter(({ involvedObject }) => uids.has(involvedObject.uid ?? '')));
}

/** What kstatus concludes from these conditions. */
function stateOf(object: Conditioned): { readonly state: State; readonly message: string } {
  const { metadata, status } = object;
  if (metadata.deletionTimestamp !== undefined) return { state: 'Terminating', message: 'is being deleted' };
  const stalled = findCondition(status?.conditions, 'Stalled');
  if (stalled?.status === 'True') return { state: 'Degraded', message: stalled.message };
  const ready = findCondition(status?.conditions, 'Ready');
  const isCurrent = (status?.observedGeneration ?? -1) >= (metadata.generation ?? 0);
  if (ready === undefined || !isCurrent)
    return { state: 'Progressing', message: 'the operator has not reported on it' };
  const isReady = isConditionTrue(status?.conditions, 'Ready');
  return { state: isReady ? 'Healthy' : 'Progressing', message: ready.message };
}

function podsOf(kind: OtherKind, object: KubeObject, model: Model): readonly Pod[] {
  if (kind === 'Collector') return [];
  const { name, namespace = '' } = object.metadata;
  return kind === 'ModelBox' ? model.podsWith(namespace, LABEL, name) : model.podsOf(object);
}

function wantedOf(kind: OtherKind, object: KubeObject): number {
  switch (kind) {
    case 'MyDaemonSet':
      return (object as MyDaemonSet).status?.desiredNumberScheduled ?? 0;
    case 'ModelBox':
      return (object as ModelBox).spec.replicas ?? 1;
    case 'ImoocPod':
      return (object as ImoocPod).spec.replicas ?? 1;
    case 'Collector':
      return 0;
    default:
      return kind satisfies never;
  }
}

function sharesOf(pods: readonly Pod[], wanted: number): Shares {
  const ready = pods.filter((pod) => podSummary(pod).health === 'ready').length;
  const failed = failing(pods);
  const starting = pods.length - ready - failed;
  return { ready, starting, failing: failed, old: 0, missing: Math.max(0, wanted - pods.length) };
}

function imagesOf(object: KubeObject): readonly string[] {
  const { image } = (object as { readonly spec?: { readonly image?: string } }).spec ?? {};
  return image === undefined ? [] : [image];
}

function factsOf(kind: OtherKind, object: KubeObject): readonly string[] {
  if (kind === 'Collector') {
    const { spec, status } = object as Collector;
    const { total = 0, reconciles = 0 } = status ?? {};
    return [`observes ${status?.target ?? spec.target.kind}`, `${total} watch events`, `${reconciles} reconciles`];
  }
  const wanted = wantedOf(kind, object);
  return [...imagesOf(object), kind === 'MyDaemonSet' ? `wanted on ${wanted} nodes` : `${wanted} wanted`];
}

function conditionsOf({ status }: Conditioned): ConditionsRow {
  return (status?.conditions ?? []).map(({ type, status: truth, reason, message, lastTransitionTime }) => ({
    type,
    status: truth,
    reason,
    message,
    since: timeOf(lastTransitionTime),
  }));
}

/** Every node, with what its taints mean and the state of its pod. */
function* daemonNodes(model: Model, pods: readonly Pod[]): Generator<readonly [string, PartRow]> {
  const byNode = new Map(pods.map((pod) => [targetNode(pod as Parameters<typeof targetNode>[0]), pod]));
  for (const node of model.watches.of(nodes).list()) {
    const { name } = node.metadata;
    const pod = byNode.get(name);
    const eligibility = eligibilityOf(node as Parameters<typeof eligibilityOf>[0]);
    const { status, health } = pod === undefined ? { status: 'no pod', health: undefined } : podSummary(pod);
    const isWanted = eligibility === 'run';
    const tone = health === 'ready' ? 'good' : health === 'failing' ? 'bad' : isWanted ? 'waiting' : 'none';
    const detail = isWanted ? (pod?.metadata.name ?? '') : 'its taints keep the pod away';
    yield [`part/Node/${name}`, { title: name, state: status, tone, detail }];
  }
}

function* children(object: KubeObject, model: Model): Generator<readonly [string, PartRow]> {
  const { uid } = object.metadata;
  const owned = <T extends KubeObject>(resource: Resource<T>): readonly T[] =>
    model.watches.of(resource).byIndex('ownerUid', uid);
  for (const { metadata, spec, status } of owned(deployments)) {
    const [ready, wanted] = [status?.readyReplicas ?? 0, spec?.replicas ?? 1];
    const tone = ready >= wanted ? 'good' : 'waiting';
    const detail = spec?.template.spec?.containers.map(({ image }) => image ?? '').join(', ') ?? '';
    yield [
      `part/Deployment/${metadata.name}`,
      { title: `deployment/${metadata.name}`, state: `${ready}/${wanted} ready`, tone, detail },
    ];
  }
  for (const { metadata, spec } of owned(services)) {
    const detail = (spec?.ports ?? [])
      .map(({ port, nodePort }) => (nodePort ? `${port}:${nodePort}` : `${port}`))
      .join(', ');
    const state = `${spec?.type ?? 'ClusterIP'} ${spec?.clusterIP ?? ''}`.trim();
    yield [`part/Service/${metadata.name}`, { title: `service/${metadata.name}`, state, tone: 'none', detail }];
  }
}

function changes({ status }: Collector): TableRow {
  const rows = (status?.changes ?? []).map(({ change, target, state, total, reconciles, events, startedAt }) => [
    startedAt,
    target,
    change,
    state,
    String(total),
    String(reconciles),
    events.map(({ kind, added, modified, deleted }) => `${kind} +${added} ~${modified} −${deleted}`).join(', '),
  ]);
  return { columns: ['When', 'Target', 'Change', 'State', 'Events', 'Reconciles', 'By kind'], rows };
}
