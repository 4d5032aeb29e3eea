// Everything a migration reads: both workloads of that name, as far as they exist, and the objects that belong to them.

import { myDeployments } from '../../kinds/my-deployment/names.ts';
import { recordFinder } from '../../kinds/my-deployment/plan/ownership.ts';
import type { RevisionRecord } from '../../kinds/my-deployment/plan/record.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import {
  type Deployment,
  deployments,
  type Pod as FullPod,
  pods as fullPods,
  type HorizontalPodAutoscaler,
  horizontalPodAutoscalers,
  type ReplicaSet,
  replicaSets,
} from '../../runtime/built-in.ts';
import { isApiError } from '../../runtime/errors.ts';
import { controllerOf, type KubeObject, type Manifest } from '../../runtime/object.ts';
import type { Resource } from '../../runtime/resource.ts';
import { formatSelector } from '../../workload/selector.ts';
import type { Context } from '../context.ts';
import { readPolicies } from '../policy/read-policies.ts';
import { readRevisions } from '../revisions.ts';

export interface Facts {
  readonly name: string;
  readonly namespace: string;
  readonly deployment: Deployment | undefined;
  readonly myDeployment: MyDeployment | undefined;
  /** The Deployment's; those that a Deployment left behind when it is gone or goes. Newest last. */
  readonly replicaSets: readonly ReplicaSet[];
  /** The MyDeployment's, newest last. */
  readonly revisions: readonly RevisionRecord[];
  /** Everything that the workloads select. */
  readonly pods: readonly FullPod[];
  /** Those that scale one of the two. */
  readonly autoscalers: readonly HorizontalPodAutoscaler[];
  /** The RolloutPolicies of the namespace. */
  readonly policies: readonly RolloutPolicy[];
}

/** The annotation in which the Deployment controller numbers ReplicaSets. */
export const REVISION = 'deployment.kubernetes.io/revision';

/** What `kubectl apply` notes of an object of the other kind. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Reads the facts of a migration. */
export async function readFacts(context: Context, name: string): Promise<Facts> {
  const { client, namespace, console } = context;
  const [deployment, myDeployment] = await Promise.all([
    readIfThere(context, deployments, name),
    readIfThere(context, myDeployments, name),
  ]);
  const selector = deployment?.spec?.selector ?? myDeployment?.spec.selector;
  if (selector === undefined) {
    throw new Error(`there is neither a Deployment nor a MyDeployment "${name}" in namespace "${namespace}"`);
  }
  const scope = { namespace, labelSelector: formatSelector(selector as never), signal: console.interrupted };
  const [sets, pods, scalers, revisions, policies] = await Promise.all([
    client.list(replicaSets, scope),
    client.list(fullPods, scope),
    client.list(horizontalPodAutoscalers, { namespace, signal: console.interrupted }),
    myDeployment === undefined ? [] : readRevisions(context, myDeployment),
    readPolicies(context, namespace),
  ]);
  return {
    name,
    namespace,
    deployment,
    myDeployment,
    replicaSets: sets.items.filter((set) => belongsTo(set, deployment)).toSorted((a, b) => numberOf(a) - numberOf(b)),
    revisions,
    pods: pods.items,
    autoscalers: scalers.items.filter(({ spec }) => spec?.scaleTargetRef.name === name),
    policies,
  };
}

/** The number under which a Deployment knows this ReplicaSet. */
export function numberOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[REVISION] ?? 0);
}

function belongsTo(set: ReplicaSet, deployment: Deployment | undefined): boolean {
  const owner = controllerOf(set)?.uid;
  if (owner !== undefined) return owner === deployment?.metadata.uid;
  return numberOf(set) > 0 && (deployment === undefined || isLeaving(deployment));
}

/** Whether a pod is one that is handed over: a user's pod with the same labels has no hash of a revision. */
export function handOverTest(
  { metadata: { uid } }: MyDeployment,
  revisions: readonly RevisionRecord[],
): (pod: KubeObject) => boolean {
  const recordOf = recordFinder(revisions);
  return (pod) => controllerOf(pod)?.uid === uid || recordOf(pod) !== undefined;
}

/** What the new workload takes of the old one's metadata: all that users wrote, without the annotations that are left behind. */
export function carriedMetadata(
  { name, namespace, labels, annotations = {} }: KubeObject['metadata'],
  leftBehind: readonly string[],
): Manifest<KubeObject>['metadata'] {
  const kept = Object.entries(annotations).filter(([key]) => key !== LAST_APPLIED && !leftBehind.includes(key));
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(labels && { labels }),
    ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
  };
}

/** Whether it is being deleted; meanwhile it lets go of its ReplicaSets one by one. */
export function isLeaving(deployment: Deployment | undefined): boolean {
  return deployment?.metadata.deletionTimestamp !== undefined;
}

/** An object of that name; undefined when there is none. */
export async function readIfThere<T extends KubeObject>(
  { client, namespace, console }: Context,
  resource: Resource<T>,
  name: string,
): Promise<T | undefined> {
  try {
    return await client.get(resource, { namespace, name }, { signal: console.interrupted });
  } catch (error) {
    // Only a missing object: a missing kind has no name in its answer, and is for the caller to tell.
    if (isApiError(error, 'NotFound') && error.status?.details?.name === name) return undefined;
    throw error;
  }
}
