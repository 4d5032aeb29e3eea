// A cluster small enough to run thousands of times a second: it carries plans out with the API server's own manners
// (names are unique, UIDs and resourceVersions are checked), and lets a test be kubelet, scheduler and user.
// It has no clock of its own and no randomness: what happens, and in which order, is up to the test.

import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { type MyDeploymentPlan, plan } from '../../src/kinds/my-deployment/plan/plan.ts';
import type { Snapshot } from '../../src/kinds/my-deployment/plan/snapshot.ts';
import { ZONE_LABEL } from '../../src/kinds/my-deployment/plan/spread.ts';
import { finishStatus } from '../../src/kinds/my-deployment/plan/status.ts';
import { statusChange } from '../../src/kinds/my-deployment/plan/status-change.ts';
import type { MyDeployment, MyDeploymentSpec } from '../../src/kinds/my-deployment/types.gen.ts';
import { formatRequest, type Request, type RequestKey } from '../../src/policy/requests.ts';
import type { RolloutPolicy, RolloutPolicySpec } from '../../src/policy/types.gen.ts';
import { timestamp } from '../../src/runtime/conditions.ts';
import type { KubeObject, Manifest, ObjectMeta } from '../../src/runtime/object.ts';
import { controllerReference, type Owner } from '../../src/runtime/owner.ts';
import { apiVersionOf } from '../../src/runtime/resource.ts';
import { type Action, type PlannedEvent, stageOf } from '../../src/workload/action.ts';
import { buildPod } from '../../src/workload/build-pod.ts';
import type { DisruptionBudget } from '../../src/workload/disruption-budget.ts';
import { hasInPlaceGate } from '../../src/workload/in-place/record.ts';
import type { Node } from '../../src/workload/node.ts';
import { isActive, isReady, type Pod } from '../../src/workload/pod.ts';
import { podName } from '../../src/workload/pod-name.ts';
import { type ControllerRevision, sameTemplate, templateOf } from '../../src/workload/revision.ts';
import type { LabelSelector } from '../../src/workload/selector.ts';
import { asCreated, isReported, patchedPod, reportOf } from './model-pod.ts';

export class ModelCluster {
  readonly pods = new Map<string, Pod>();
  readonly revisions = new Map<string, ControllerRevision>();
  object: MyDeployment & Owner;
  readonly policies = new Map<string, RolloutPolicy>();
  /** The nodes that pods come to be on, each in a zone of its own. */
  readonly nodes = new Map(['node-0', 'node-1', 'node-2'].map((name) => [name, nodeOf(name)]));
  readonly budgets = new Map<string, DisruptionBudget>();
  now: number;
  /** The events so far. */
  readonly events: PlannedEvent[] = [];
  /** Writes so far, by what they did. */
  readonly writes: Partial<Record<Action['do'] | 'status' | 'event', number>> = {};
  #serial = 0;

  constructor(spec: MyDeploymentSpec, now = Date.UTC(2026, 0, 1)) {
    this.now = now;
    const metadata = { ...this.#metadata('web'), generation: 1 };
    this.object = { apiVersion: apiVersionOf(myDeployments), kind: myDeployments.kind, metadata, spec };
  }

  /** The same cluster, going its own way from here. */
  clone(): ModelCluster {
    const copy = new ModelCluster(this.object.spec, this.now);
    copy.object = this.object;
    copy.#serial = this.#serial;
    for (const [name, pod] of this.pods) copy.pods.set(name, pod);
    for (const [name, revision] of this.revisions) copy.revisions.set(name, revision);
    for (const [name, policy] of this.policies) copy.policies.set(name, policy);
    for (const [name, node] of this.nodes) copy.nodes.set(name, node);
    for (const [name, budget] of this.budgets) copy.budgets.set(name, budget);
    return copy;
  }

  /** What a cache would show: frozen to the core, so that a plan that changes its input is found out. */
  snapshot(): Snapshot {
    const near = {
      revisions: this.revisions,
      pods: this.pods,
      policies: this.policies,
      nodes: this.nodes,
      budgets: this.budgets,
    };
    const listed = Object.entries(near).map(([kind, kept]) => [kind, [...kept.values()]]);
    const neighbours = [...this.pods.values()];
    return freeze(structuredClone({ object: this.object, ...Object.fromEntries(listed), neighbours })) as Snapshot;
  }

  /** Plans once and carries all of it out. Returns the plan. */
  reconcile(): MyDeploymentPlan {
    const planned = plan(this.snapshot(), this.now);
    for (const action of planned.actions) this.apply(action);
    this.storeStatus(planned);
    for (const event of planned.events) this.#tell(event);
    return planned;
  }

  /** Reconciles until there is nothing left to do unless something else changes. Returns the last plan. */
  settle(): MyDeploymentPlan {
    for (let round = 0; round < 100; round++) {
      const planned = plan(this.snapshot(), this.now);
      const status = planned.status && statusChange(this.object.status, this.#finished(planned));
      if (planned.actions.length === 0 && status === 'none') return planned;
      this.reconcile();
    }
    throw new Error('still planning after 100 rounds in which nothing else happened');
  }

  storeStatus(planned: MyDeploymentPlan): void {
    const status = this.#finished(planned);
    if (statusChange(this.object.status, status) === 'none') return;
    this.#count('status');
    this.object = { ...this.object, status };
  }

  #tell(event: PlannedEvent): void {
    this.#count('event');
    this.events.push(event);
  }

  #finished({ status }: MyDeploymentPlan) {
    if (status === undefined) throw new Error('the plan for an object that exists has no status');
    return finishStatus(status, { failures: [] }, { stored: this.object.status, now: this.now });
  }

  /** Carries one action out, or refuses it as the API server would. */
  apply(action: Action): void {
    this.#count(action.do);
    switch (action.do) {
      case 'createPods':
        for (let made = 0; made < action.count; made++) this.#createPod(action);
        return;
      case 'createNamedPods':
        throw new Error('a MyDeployment leaves the names of its pods to chance');
      case 'deletePod':
        this.terminate(this.#pod(action));
        return;
      case 'updatePod':
        this.#updatePod(action);
        return;
      case 'adoptPod':
        this.patchPod(this.#pod(action), { ownerReferences: [controllerReference(this.object)] });
        return;
      case 'releasePod':
        this.patchPod(this.#pod(action), { ownerReferences: [] });
        return;
      case 'createRevision':
        this.#createRevision(action.manifest);
        return;
      case 'updateRevision':
        this.#updateRevision(action);
        return;
      case 'adoptRevision':
        this.#patchRevision(this.#revision(action), { ownerReferences: [controllerReference(this.object)] });
        return;
      case 'deleteRevision':
        this.revisions.delete(this.#revision(action).metadata.name);
        return;
      case 'updateOwner':
        this.#updateOwner(action);
        return;
      case 'removeAnnotations':
        this.#removeAnnotations(action);
        return;
      default:
        throw new Error(`unknown action: ${JSON.stringify(action satisfies never)}`);
    }
  }

  /** The user changes the spec. */
  edit(spec: Partial<MyDeploymentSpec>): void {
    const { metadata } = this.object;
    const generation = (metadata.generation ?? 0) + 1;
    this.object = {
      ...this.object,
      spec: { ...this.object.spec, ...spec },
      metadata: { ...metadata, generation, resourceVersion: this.#next() },
    };
  }

  annotate(annotations: Readonly<Record<string, string>>): void {
    const { metadata } = this.object;
    this.object = {
      ...this.object,
      metadata: {
        ...metadata,
        annotations: { ...metadata.annotations, ...annotations },
        resourceVersion: this.#next(),
      },
    };
  }

  /** The user creates or changes a policy for the object. */
  govern(spec: Omit<RolloutPolicySpec, 'targetRef'>, name = 'web'): RolloutPolicy {
    const present = this.policies.get(name);
    const metadata = present?.metadata ?? this.#metadata(name);
    const policy = { ...present, metadata, spec: { targetRef: { name: this.object.metadata.name }, ...spec } };
    this.policies.set(name, policy);
    return policy;
  }

  /** A person asks something of the rollout. */
  ask(key: RequestKey, request: Request, name = 'web'): void {
    const policy = this.policies.get(name) as RolloutPolicy;
    const annotations = { ...policy.metadata.annotations, [key]: formatRequest(request) };
    this.policies.set(name, { ...policy, metadata: { ...policy.metadata, annotations } });
  }

  /** The gates of a policy were measured. */
  measure(gates: NonNullable<RolloutPolicy['status']>['gates'] & object, name = 'web'): void {
    const policy = this.policies.get(name) as RolloutPolicy;
    const measuredAt = timestamp(this.now);
    this.policies.set(name, { ...policy, status: { gates: gates.map((gate) => ({ measuredAt, ...gate })) } });
  }

  /** An administrator cordons a node, or uncordons it. */
  cordon(name: string, unschedulable = true): void {
    const node = this.nodes.get(name) as Node;
    this.nodes.set(name, { ...node, spec: { unschedulable } });
  }

  /** So many pods of the object have to be healthy. */
  protect(desiredHealthy: number, selector: LabelSelector = this.object.spec.selector): void {
    this.budgets.set('web', { metadata: this.#metadata('web'), spec: { selector }, status: { desiredHealthy } });
  }

  /** A pod that the owner did not make. */
  addPod(metadata: Partial<ObjectMeta> & { readonly name: string }): Pod {
    const pod = { metadata: { ...this.#metadata(metadata.name), ...metadata }, status: { phase: 'Pending' } };
    this.pods.set(pod.metadata.name, pod);
    return pod;
  }

  /** Scheduler and kubelet bring the pod up. */
  makeReady({ metadata: { name } }: Pod): void {
    this.#setStatus(name, 'Running', 'True');
    const pod = this.pods.get(name) as Pod;
    const { containerStatuses: _, ...status } = pod.status ?? {};
    if (!hasInPlaceGate(pod)) this.pods.set(name, { ...pod, status });
  }

  /** True while the kubelet has something to do about the pod: to start containers, or to say whether it is ready. */
  isStarting(pod: Pod): boolean {
    if (hasInPlaceGate(pod)) return !isReported(pod);
    return !isReady(pod) && pod.status?.containerStatuses === undefined;
  }

  makeUnready({ metadata: { name } }: Pod): void {
    this.#setStatus(name, 'Running', 'False');
  }

  /** The pod is evicted: its containers end, the object stays. */
  fail({ metadata: { name } }: Pod): void {
    this.#setStatus(name, 'Failed', 'False');
  }

  /** A container of the pod crashes over and over, and the kubelet waits between its starts. */
  crash({ metadata: { name } }: Pod, crashes = 3): void {
    this.#setStatus(name, 'Running', 'False');
    const pod = this.pods.get(name) as Pod;
    const waiting = { reason: 'CrashLoopBackOff' };
    const terminated = { exitCode: 1, reason: 'Error', message: 'no such file: /etc/app.conf' };
    const started = pod.status?.containerStatuses?.[0];
    const restartCount = (started?.restartCount ?? 0) + crashes;
    const status = { ...started, name: 'web', restartCount, state: { waiting }, lastState: { terminated } };
    this.pods.set(name, { ...pod, status: { ...pod.status, containerStatuses: [status] } });
  }

  /** A user deletes the pod, and its containers begin to shut down. */
  terminate(pod: Pod): void {
    this.patchPod(pod, { deletionTimestamp: timestamp(this.now) });
  }

  /** The pod's containers have ended, and the object goes. */
  remove({ metadata: { name } }: Pod): void {
    this.pods.delete(name);
  }

  patchPod(pod: Pod, metadata: Partial<ObjectMeta>): void {
    const { name } = pod.metadata;
    this.pods.set(name, { ...pod, metadata: { ...pod.metadata, ...metadata, resourceVersion: this.#next() } });
  }

  get active(): Pod[] {
    return [...this.pods.values()].filter((pod) => this.owns(pod) && isActive(pod));
  }

  /** By the conditions of the pod and the spec, worked out apart from the code under test. */
  isAvailable({ status }: Pod): boolean {
    const ready = status?.conditions?.find(({ type, status: holds }) => type === 'Ready' && holds === 'True');
    const { minReadySeconds = 0 } = this.object.spec;
    return ready !== undefined && Date.parse(ready.lastTransitionTime ?? '') + minReadySeconds * 1000 <= this.now;
  }

  get ready(): Pod[] {
    return this.active.filter(isReady);
  }

  owns({ metadata }: Pod | ControllerRevision): boolean {
    return metadata.ownerReferences?.some(({ uid }) => uid === this.object.metadata.uid) ?? false;
  }

  #setStatus(name: string, phase: string, ready: 'True' | 'False'): void {
    const pod = this.pods.get(name) as Pod;
    const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: timestamp(this.now) }];
    const free = [...this.nodes.values()].filter(({ spec }) => !spec?.unschedulable).map((node) => node.metadata.name);
    const nodeName = pod.spec?.nodeName ?? free[Number(pod.metadata.uid.slice(4)) % free.length] ?? 'node-0';
    const placed = { ...pod, spec: { ...pod.spec, nodeName } };
    const serial = Number(this.#next());
    this.pods.set(
      name,
      hasInPlaceGate(placed)
        ? { ...placed, status: { ...reportOf(placed, { ready, serial, now: this.now }), phase } }
        : { ...placed, status: { ...pod.status, phase, conditions } },
    );
  }

  #createPod({ source }: Action & { do: 'createPods' }): void {
    const suffix = String(this.#serial).padStart(5, '0').slice(-5);
    const manifest = buildPod(this.object, source, podName(this.object.metadata.name, source.hash, suffix));
    const pod = this.addPod({ ...manifest.metadata, name: manifest.metadata.name as string });
    // Of pods that are never changed in place nobody reads the spec.
    if (hasInPlaceGate(manifest as Pod)) this.pods.set(pod.metadata.name, asCreated(pod, manifest.spec));
  }

  #updatePod(action: Action & { do: 'updatePod' }): void {
    const pod = this.#pod(action);
    if (pod.metadata.resourceVersion !== action.resourceVersion) throw new Error(`conflict on pod "${action.name}"`);
    for (const patch of action.patches) this.patchPod(patchedPod(this.#pod(action), patch), {});
  }

  #createRevision({ metadata, ...rest }: Manifest<ControllerRevision>): void {
    const name = metadata.name as string;
    const present = this.revisions.get(name);
    if (present !== undefined) {
      if (this.owns(present) && sameTemplate(templateOf(present), templateOf(rest))) return;
      throw new Error(`controllerrevision "${name}" already exists`);
    }
    this.revisions.set(name, { ...rest, metadata: { ...this.#metadata(name), ...metadata, name } });
  }

  #updateRevision(action: Action & { do: 'updateRevision' }): void {
    const stored = this.#revision(action);
    if (stored.metadata.resourceVersion !== action.resourceVersion) throw new Error(`conflict on "${action.name}"`);
    const annotations = { ...stored.metadata.annotations, ...action.annotations };
    this.#patchRevision({ ...stored, revision: action.number ?? stored.revision }, { annotations });
  }

  #patchRevision(revision: ControllerRevision, metadata: Partial<ObjectMeta>): void {
    const patched = { ...revision.metadata, ...metadata, resourceVersion: this.#next() };
    this.revisions.set(patched.name, { ...revision, metadata: patched });
  }

  #updateOwner({ template, annotations, resourceVersion }: Action & { do: 'updateOwner' }): void {
    if (resourceVersion !== this.object.metadata.resourceVersion) throw new Error('conflict on the owner');
    const merged = { ...this.object.metadata.annotations, ...annotations };
    const kept = Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null);
    this.object = { ...this.object, metadata: { ...this.object.metadata, annotations: Object.fromEntries(kept) } };
    this.edit(template === undefined ? {} : { template });
  }

  #removeAnnotations({ name, uid, values }: Action & { do: 'removeAnnotations' }): void {
    const policy = found(this.policies.get(name), uid, `rolloutpolicy "${name}"`);
    const { annotations = {} } = policy.metadata;
    if (Object.entries(values).some(([key, value]) => annotations[key] !== value)) throw new Error('test failed');
    const kept = Object.entries(annotations).filter(([key]) => !(key in values));
    this.policies.set(name, { ...policy, metadata: { ...policy.metadata, annotations: Object.fromEntries(kept) } });
  }

  #pod({ name, uid }: { readonly name: string; readonly uid: string }): Pod {
    return found(this.pods.get(name), uid, `pod "${name}"`);
  }

  #revision({ name, uid }: { readonly name: string; readonly uid: string }): ControllerRevision {
    return found(this.revisions.get(name), uid, `controllerrevision "${name}"`);
  }

  #metadata(name: string): ObjectMeta {
    return {
      name,
      namespace: 'default',
      uid: `uid-${this.#next()}`,
      resourceVersion: this.#next(),
      creationTimestamp: timestamp(this.now),
    };
  }

  #next(): string {
    this.#serial += 1;
    return String(this.#serial);
  }

  #count(what: Action['do'] | 'status' | 'event'): void {
    this.writes[what] = (this.writes[what] ?? 0) + 1;
  }
}

function nodeOf(name: string): Node {
  const labels = { [ZONE_LABEL]: name.replace('node', 'zone') };
  return { metadata: { name, uid: name, resourceVersion: '1', labels } };
}

function found<T extends KubeObject>(object: T | undefined, uid: string, what: string): T {
  if (object?.metadata.uid !== uid) throw new Error(`${what} with uid ${uid} not found`);
  return object;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(Object.freeze(value))) freeze(member);
  return value;
}

/** The actions of a plan by stage, in the order in which stages run. */
export function byStage({ actions }: MyDeploymentPlan): Action[][] {
  return (['claim', 'record', 'pods', 'forget'] as const).map((stage) =>
    actions.filter((action) => stageOf(action) === stage),
  );
}
