// Plans how a Deployment becomes a MyDeployment: a MyDeployment is created beside it that counts the ReplicaSet's pods as its own.
// Only when it does, the Deployment and then the ReplicaSet are deleted, so that one of them replaces failed pods at any time.
//
// Pods keep the pod-template-hash of their ReplicaSet; the revision records it as an alias, so that they count as updated.

import { limitsOf, withDefaults } from '../../kinds/my-deployment/defaults.ts';
import { ANNOTATIONS } from '../../kinds/my-deployment/names.ts';
import { TAKES_PODS_FROM } from '../../kinds/my-deployment/plan/hand-over.ts';
import { ALIASES, CHANGE_CAUSE, countAnnotations } from '../../kinds/my-deployment/plan/record.ts';
import type { MyDeployment, MyDeploymentSpec } from '../../kinds/my-deployment/types.gen.ts';
import type { Deployment, ReplicaSet } from '../../runtime/built-in.ts';
import { controllerOf, type Manifest } from '../../runtime/object.ts';
import { HASH_LABELS, TEMPLATE_HASH_LABEL } from '../../workload/build-pod.ts';
import { buildRevision, type ControllerRevision } from '../../workload/revision.ts';
import { type LabelSelector, selectedKeys } from '../../workload/selector.ts';
import type { PodTemplate } from '../../workload/template-schema.ts';
import { carriedMetadata, type Facts, isLeaving, numberOf, REVISION } from './facts.ts';
import type { Step } from './step.ts';

/** On a MyDeployment whose Deployment was paused: the hand-over pauses every one, and the Deployment is gone at its end. */
export const STAYS_PAUSED = `${ANNOTATIONS}/stays-paused`;

/** The remaining steps, none when it is a MyDeployment already; throws when the migration cannot begin. */
export function stepsToMyDeployment(facts: Facts): Step[] {
  const { deployment, myDeployment, name } = facts;
  const isUnderWay = myDeployment?.metadata.annotations?.[TAKES_PODS_FROM] !== undefined;
  if (myDeployment !== undefined && !isUnderWay) {
    if (deployment === undefined) return retarget(facts);
    throw new Error(`there is a MyDeployment "${name}" already, beside the Deployment`);
  }
  const stays = isUnderWay && isLeaving(deployment) ? undefined : deployment;
  if (stays !== undefined) refuseUnsettled(facts, stays);
  return [
    ...(stays === undefined ? [] : arrival(facts, stays)),
    ...departure(facts, deployment),
    { do: 'finishMyDeployment', paused: staysPaused(facts) },
    ...retarget(facts),
  ];
}

function arrival(facts: Facts, deployment: Deployment): Step[] {
  const present = new Set(facts.revisions.map(({ name }) => name));
  const manifest = myDeploymentManifest(deployment, currentSet(facts));
  const newestFirst = facts.replicaSets.toReversed();
  const replicas = deployment.spec?.replicas ?? 1;
  const isOther = facts.myDeployment !== undefined && facts.myDeployment.spec.replicas !== replicas;
  const revisions = newestFirst.map((set) => revisionManifest(manifest, set));
  return [
    ...(facts.myDeployment === undefined ? [{ do: 'createMyDeployment', manifest } as const] : []),
    ...revisions
      .filter(({ metadata }) => !present.has(metadata.name as string))
      .map((revision) => ({ do: 'recordRevision', manifest: revision }) as const),
    ...(isOther ? [{ do: 'resizeMyDeployment', replicas } as const] : []),
    { do: 'awaitCount', replicas },
  ];
}

function departure({ replicaSets, name }: Facts, deployment: Deployment | undefined): Step[] {
  return [
    ...(deployment === undefined ? [] : [deleteStep(deployment)]),
    ...replicaSets.map((set): Step => {
      const pods = (set.spec?.replicas ?? 1) > 0 ? 'leave' : 'none';
      return { do: 'deleteReplicaSet', name: set.metadata.name, uid: set.metadata.uid, pods };
    }),
    { do: 'awaitPods', owner: 'MyDeployment', name },
  ];
}

function staysPaused({ deployment, myDeployment }: Facts): boolean {
  return deployment?.spec?.paused === true || myDeployment?.metadata.annotations?.[STAYS_PAUSED] !== undefined;
}

/** What has been decided on is deleted, and nothing that changed since; one that goes already changes on its way. */
function deleteStep(deployment: Deployment): Step {
  const { uid, resourceVersion } = deployment.metadata;
  return { do: 'deleteDeployment', uid, ...(!isLeaving(deployment) && { resourceVersion }) };
}

function retarget({ autoscalers }: Facts): Step[] {
  return autoscalers
    .filter(({ spec }) => spec?.scaleTargetRef.kind === 'Deployment')
    .map(({ metadata }) => ({ do: 'retargetAutoscaler', name: metadata.name, to: 'MyDeployment' }));
}

/** Pods of two templates cannot be handed over by one ReplicaSet, and an owner would make the Deployment again. */
function refuseUnsettled(facts: Facts, deployment: Deployment): void {
  const { metadata, spec, status } = deployment;
  const owner = controllerOf(deployment);
  if (isLeaving(deployment)) throw new Error(`Deployment "${metadata.name}" is being deleted`);
  if (owner !== undefined) {
    throw new Error(
      `Deployment "${metadata.name}" belongs to ${owner.kind} "${owner.name}", which would make it again`,
    );
  }
  const reserved = selectedKeys((spec?.selector ?? {}) as LabelSelector).filter((key) => HASH_LABELS.includes(key));
  if (reserved.length > 0) {
    throw new Error(
      `Deployment "${metadata.name}" selects pods by ${reserved.join(', ')}, which a MyDeployment may not: the operator sets these labels on the pods`,
    );
  }
  const populated = facts.replicaSets.filter(({ status: counts }) => (counts?.replicas ?? 0) > 0);
  const isObserved = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const isSettled = isObserved && populated.length <= 1 && (status?.updatedReplicas ?? 0) === (spec?.replicas ?? 1);
  if (!isSettled) {
    throw new Error(`Deployment "${metadata.name}" is in the middle of a rollout: wait for kubectl rollout status`);
  }
}

/** The ReplicaSet whose pods are handed over. */
function currentSet({ replicaSets, name }: Facts): ReplicaSet {
  const current = replicaSets.findLast(({ spec }) => (spec?.replicas ?? 1) > 0) ?? replicaSets.at(-1);
  if (current === undefined) throw new Error(`Deployment "${name}" has no ReplicaSet yet`);
  return current;
}

/** The Deployment's spec and what it is called; paused until its revisions are recorded. */
export function myDeploymentManifest({ metadata, spec }: Deployment, current: ReplicaSet): Manifest<MyDeployment> {
  // Its number is about the history of the Deployment.
  const { annotations, ...carried } = carriedMetadata(metadata, [REVISION]);
  return {
    metadata: {
      ...carried,
      annotations: {
        ...annotations,
        [TAKES_PODS_FROM]: current.metadata.name,
        ...(spec?.paused && { [STAYS_PAUSED]: 'true' }),
      },
    },
    spec: { ...(spec as unknown as MyDeploymentSpec), paused: true },
  };
}

/** A ReplicaSet's template as a revision, without the label that only its own pods carry. */
export function revisionManifest(owner: Manifest<MyDeployment>, set: ReplicaSet): Manifest<ControllerRevision> {
  const { [TEMPLATE_HASH_LABEL]: hash = '', ...labels } = set.spec?.template?.metadata?.labels ?? {};
  const template = { ...set.spec?.template, metadata: { ...set.spec?.template?.metadata, labels } } as PodTemplate;
  const cause = set.metadata.annotations?.[CHANGE_CAUSE];
  const { ownerReferences: _, ...metadata } = buildRevision(
    { apiVersion: '', kind: '', metadata: { uid: '', resourceVersion: '', name: '', ...owner.metadata } },
    {
      template,
      number: numberOf(set),
      collisionCount: 0,
      annotations: {
        ...countAnnotations(limitsOf(withDefaults(owner.spec)), set.spec?.replicas ?? 1),
        [ALIASES]: hash,
        ...(cause !== undefined && { [CHANGE_CAUSE]: cause }),
      },
    },
  ).metadata;
  return { metadata, data: { spec: { template: { ...template, $patch: 'replace' } } }, revision: numberOf(set) };
}
