// The steps of a migration as data. Each step has a sentence for the user and can be executed twice without harm, and the
// remaining steps follow from the objects in the cluster. So a migration that was interrupted continues where it stopped.

import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import type { Deployment, ReplicaSet } from '../../runtime/built-in.ts';
import type { KubeObject, Manifest } from '../../runtime/object.ts';
import type { ControllerRevision } from '../../workload/revision.ts';
import { counted } from '../phrasing.ts';

export type Step =
  | { readonly do: 'createMyDeployment'; readonly manifest: Manifest<MyDeployment> }
  /** Its owner is the MyDeployment, whose uid is known only when it is there. */
  | { readonly do: 'recordRevision'; readonly manifest: Manifest<ControllerRevision> }
  /** A user or an autoscaler has scaled the Deployment since an earlier attempt. */
  | { readonly do: 'resizeMyDeployment'; readonly replicas: number }
  | { readonly do: 'awaitCount'; readonly replicas: number }
  | { readonly do: 'deleteDeployment'; readonly uid: string; readonly resourceVersion?: string }
  | { readonly do: 'deleteReplicaSet'; readonly name: string; readonly uid: string; readonly pods: 'leave' | 'none' }
  | { readonly do: 'awaitPods'; readonly owner: 'MyDeployment' | 'ReplicaSet' | 'none'; readonly name: string }
  | { readonly do: 'finishMyDeployment'; readonly paused: boolean }
  | { readonly do: 'relabelPods'; readonly hash: string }
  | { readonly do: 'createDeployment'; readonly manifest: Manifest<Deployment> }
  | { readonly do: 'letGoOfPods'; readonly replicaSet: string }
  /** Its owner is the Deployment. */
  | { readonly do: 'createReplicaSet'; readonly manifest: Manifest<ReplicaSet> }
  | { readonly do: 'resumeDeployment'; readonly paused: boolean; readonly replicas: number }
  | { readonly do: 'deleteMyDeployment'; readonly uid: string }
  | { readonly do: 'retargetAutoscaler'; readonly name: string; readonly to: 'MyDeployment' | 'Deployment' };

/** The sentence that tells the user what a step does. */
export function sentence(step: Step): string {
  switch (step.do) {
    case 'createMyDeployment':
      return `create MyDeployment "${nameOf(step.manifest)}", paused: it counts the pods there are and makes none`;
    case 'recordRevision':
      return `record revision ${step.manifest.revision} as ControllerRevision "${nameOf(step.manifest)}"`;
    case 'resizeMyDeployment':
      return `give the MyDeployment the ${counted(step.replicas, 'replica')} that the Deployment has by now`;
    case 'awaitCount':
      return `wait until the MyDeployment counts ${step.replicas === 1 ? 'the 1 pod' : `all ${step.replicas} pods`}: from then on it replaces a lost one`;
    case 'deleteDeployment':
      return 'delete the Deployment and leave its ReplicaSets';
    case 'deleteReplicaSet':
      return `delete ReplicaSet "${step.name}"${step.pods === 'leave' ? ' and leave its pods' : ', which has no pods'}`;
    case 'awaitPods':
      return step.owner === 'none'
        ? 'wait until every pod is free; the MyDeployment still counts them'
        : `wait until ${step.owner} "${step.name}" owns every pod`;
    case 'finishMyDeployment':
      return step.paused
        ? 'end the hand-over; it stays paused, as it was'
        : 'end the hand-over and let it roll out again';
    case 'relabelPods':
      return `label every pod pod-template-hash=${step.hash}, so that one ReplicaSet can select them`;
    case 'createDeployment':
      return `create Deployment "${nameOf(step.manifest)}", paused: it makes no pods`;
    case 'letGoOfPods':
      return `let the MyDeployment give its pods to ReplicaSet "${step.replicaSet}"; it goes on counting them`;
    case 'createReplicaSet':
      return `create ReplicaSet "${nameOf(step.manifest)}"${podsOf(step.manifest)}`;
    case 'resumeDeployment':
      return step.paused ? 'leave the Deployment paused, as it was' : 'let the Deployment roll out again';
    case 'deleteMyDeployment':
      return 'delete the MyDeployment and its revisions; it owns no pods any more';
    case 'retargetAutoscaler':
      return `point HorizontalPodAutoscaler "${step.name}" at the ${step.to}`;
    default:
      return step satisfies never;
  }
}

function podsOf({ spec }: Manifest<ReplicaSet>): string {
  return spec?.replicas ? `, which adopts the ${counted(spec.replicas, 'pod')}` : ' for the history';
}

function nameOf({ metadata }: Manifest<KubeObject>): string {
  return metadata.name ?? '';
}
