// Plans how a MyDeployment becomes a Deployment. A new ReplicaSet adopts matching pods without an owner, so it is created after
// the MyDeployment has released every pod; until it owns them all, the MyDeployment still counts them.

import { limitsOf, maxTotalPods, withDefaults } from '../../kinds/my-deployment/defaults.ts';
import { GIVES_PODS_TO } from '../../kinds/my-deployment/plan/hand-over.ts';
import { isComplete } from '../../kinds/my-deployment/plan/progress.ts';
import { CHANGE_CAUSE, type RevisionRecord } from '../../kinds/my-deployment/plan/record.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import type { Deployment, ReplicaSet } from '../../runtime/built-in.ts';
import { controllerOf, type Manifest } from '../../runtime/object.ts';
import { TEMPLATE_HASH_LABEL } from '../../workload/build-pod.ts';
import { cutName } from '../../workload/pod-name.ts';
import { standingOf } from '../policy/standing.ts';
import { standingWords } from '../policy/step-words.ts';
import { presentRevision } from '../revisions.ts';
import { carriedMetadata, type Facts, handOverTest, REVISION } from './facts.ts';
import type { Step } from './step.ts';

const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAX = 'deployment.kubernetes.io/max-replicas';
const LONGEST_NAME = 220;

/** The remaining steps, none when it is a Deployment already; throws when the migration cannot begin. */
export function stepsToDeployment(facts: Facts): Step[] {
  const { myDeployment, deployment, name } = facts;
  if (myDeployment === undefined) return retarget(facts);
  const isUnderWay = myDeployment.metadata.annotations?.[GIVES_PODS_TO] !== undefined;
  if (deployment !== undefined && !isUnderWay && deployment.spec?.paused !== true) {
    throw new Error(`there is a Deployment "${name}" already, beside the MyDeployment`);
  }
  refuseUnderPolicy(facts, myDeployment);
  refuseUnsettled(myDeployment);
  const present = presentRevision(myDeployment, facts.revisions);
  if (present === undefined) throw new Error(`MyDeployment "${name}" has no record of its template yet`);
  return [...arrival(facts, myDeployment, present), ...departure(facts, myDeployment)];
}

function arrival(facts: Facts, object: MyDeployment, present: RevisionRecord): Step[] {
  const sets = facts.revisions.flatMap((revision) => replicaSetManifest(object, revision, present));
  const missing = sets.filter(({ metadata }) => !facts.replicaSets.some((set) => set.metadata.name === metadata.name));
  const [current, old] = [missing.filter(hasPods), missing.filter((set) => !hasPods(set))];
  const ours = facts.pods.filter(handOverTest(object, facts.revisions));
  const mustRelabel = ours.some(({ metadata }) => metadata.labels?.[TEMPLATE_HASH_LABEL] !== present.hash);
  const create = (manifest: Manifest<ReplicaSet>): Step => ({ do: 'createReplicaSet', manifest });
  const name = setName(object, present);
  return [
    ...(mustRelabel ? [{ do: 'relabelPods', hash: present.hash } as const] : []),
    ...(facts.deployment === undefined
      ? [{ do: 'createDeployment', manifest: deploymentManifest(object) } as const]
      : []),
    { do: 'letGoOfPods', replicaSet: name },
    ...(current.length > 0 ? [{ do: 'awaitPods', owner: 'none', name: '' } as const] : []),
    ...current.map(create),
    { do: 'awaitPods', owner: 'ReplicaSet', name },
    // Not sooner: a paused Deployment gives all replicas to the newest ReplicaSet when none has any.
    ...old.map(create),
  ];
}

function hasPods({ spec }: Manifest<ReplicaSet>): boolean {
  return (spec?.replicas ?? 1) > 0;
}

function departure(facts: Facts, { metadata, spec }: MyDeployment): Step[] {
  const paused = spec.paused === true;
  return [
    { do: 'resumeDeployment', paused, replicas: spec.replicas ?? 1 },
    { do: 'deleteMyDeployment', uid: metadata.uid },
    // Not sooner: while it is there, it would make up for what an autoscaler takes from the Deployment.
    ...retarget(facts),
  ];
}

function retarget({ autoscalers }: Facts): Step[] {
  return autoscalers
    .filter(({ spec }) => spec?.scaleTargetRef.kind === 'MyDeployment')
    .map(({ metadata }) => ({ do: 'retargetAutoscaler', name: metadata.name, to: 'Deployment' }));
}

/** A Deployment knows neither steps nor rejections: it would roll out at once what a policy holds back. */
function refuseUnderPolicy({ revisions, policies }: Facts, object: MyDeployment): void {
  const standing = standingOf({ object, revisions, policies });
  if (standing === undefined || standing.phase.is === 'idle') return;
  const { name } = object.metadata;
  const advice =
    standing.phase.is === 'rejected' ? 'roll back or fix its template' : 'wait for kubectl md rollout status';
  throw new Error(`MyDeployment "${name}" is in the middle of a rollout (${standingWords(standing)}): ${advice}`);
}

function refuseUnsettled(object: MyDeployment): void {
  const { metadata, spec, status = { replicas: 0 } } = object;
  const owner = controllerOf(object);
  if (metadata.deletionTimestamp !== undefined) throw new Error(`MyDeployment "${metadata.name}" is being deleted`);
  if (owner !== undefined) {
    throw new Error(
      `MyDeployment "${metadata.name}" belongs to ${owner.kind} "${owner.name}", which would make it again`,
    );
  }
  const isObserved = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const counted = { ...status, availableReplicas: spec.replicas ?? 1 };
  if (!isObserved || !isComplete({ replicas: spec.replicas ?? 1 }, counted)) {
    throw new Error(
      `MyDeployment "${metadata.name}" is in the middle of a rollout: wait for kubectl md rollout status`,
    );
  }
}

/** The spec as it is; paused until its ReplicaSet is there, since it would make another one. */
export function deploymentManifest({ metadata, spec }: MyDeployment): Manifest<Deployment> {
  return {
    metadata: carriedMetadata(metadata, [GIVES_PODS_TO]),
    spec: { ...(spec as unknown as NonNullable<Deployment['spec']>), paused: true },
  };
}

/** A revision as the ReplicaSet that a Deployment would have made of it; none when its template cannot be read. */
export function replicaSetManifest(
  object: MyDeployment,
  revision: RevisionRecord,
  present: RevisionRecord,
): Manifest<ReplicaSet>[] {
  const { template, hash, number, stored } = revision;
  if (template === undefined) return [];
  const spec = withDefaults(object.spec);
  const cause = stored?.metadata.annotations?.[CHANGE_CAUSE];
  const labels = { ...template.metadata?.labels, [TEMPLATE_HASH_LABEL]: hash };
  const selector = { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [TEMPLATE_HASH_LABEL]: hash } };
  return [
    {
      metadata: {
        name: setName(object, revision),
        ...(object.metadata.namespace !== undefined && { namespace: object.metadata.namespace }),
        labels,
        annotations: {
          [REVISION]: String(number),
          [DESIRED]: String(spec.replicas),
          [MAX]: String(maxTotalPods(limitsOf(spec))),
          ...(cause !== undefined && { [CHANGE_CAUSE]: cause }),
        },
      },
      spec: {
        replicas: revision === present ? spec.replicas : 0,
        minReadySeconds: spec.minReadySeconds,
        selector: selector as NonNullable<ReplicaSet['spec']>['selector'],
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    },
  ];
}

function setName({ metadata }: MyDeployment, { hash }: RevisionRecord): string {
  return `${cutName(metadata.name, LONGEST_NAME)}-${hash}`;
}
