// The stages of pods on the embedded cluster's nodes. By default a pod is Ready at once. With annotations on the pod, usually set
// in its template, a test chooses another behaviour at any time; removing an annotation lets the pod recover. When images or
// resources of a pod change, its node follows as a kubelet does: it restarts the containers with other images and no others.

import { finishedStatus, gatedStatus, refusedStatus, resizedStatus, runningStatus } from './pod-status.ts';
import { type Requirement, stage } from './stage.ts';

/** Duration such as `500ms` or `2s` between being scheduled, or getting another image, and being Ready. */
export const READY_AFTER = 'cluster.mydeployment/ready-after';
/** Duration between deletion and being gone, as if the process took that long to end. */
export const TERMINATE_AFTER = 'cluster.mydeployment/terminate-after';
/** One of `Behaviour`; absent means: becomes Ready and stays so. */
export const BEHAVIOUR = 'cluster.mydeployment/behaviour';
/** `Infeasible` or `Deferred`: why the node does not resize the pod; absent means: it does at once. */
export const RESIZE = 'cluster.mydeployment/resize';
/** The tag of images that never arrive. */
export const MISSING_TAG = 'does-not-exist';

/**
 * - `not-ready`: runs, but its readiness probe fails; a pod that was Ready stops being so
 * - `crash`: its containers end and are restarted every second, counting restarts
 * - `image-pull-error`: its image never arrives
 * - `fail`, `complete`: its containers end for good, with code 1 or 0
 */
export type Behaviour = 'not-ready' | 'crash' | 'image-pull-error' | 'fail' | 'complete';

const behaviourKey = `.metadata.annotations["${BEHAVIOUR}"]`;
const refusalKey = `.metadata.annotations["${RESIZE}"]`;
const containersReady = '.status.conditions.[] | select( .type == "ContainersReady" ) | .status';
const waitingReason = '.status.containerStatuses.[].state.waiting.reason';

const alive: Requirement = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' };
const deleted: Requirement = { key: '.metadata.deletionTimestamp', operator: 'Exists' };
const unfinished: Requirement = { key: '.status.phase', operator: 'In', values: ['Pending', 'Running'] };
const behavesWell: Requirement = { key: behaviourKey, operator: 'DoesNotExist' };
const refuses: Requirement = { key: refusalKey, operator: 'Exists' };
const behaves = (value: Behaviour): Requirement => ({ key: behaviourKey, operator: 'In', values: [value] });
const isNot = (key: string, value: string): Requirement => ({ key, operator: 'NotIn', values: [value] });
const is = (condition: string): Requirement => ({ key: condition, operator: 'In', values: ['true'] });
const not = (condition: string): Requirement => isNot(condition, 'true');

// Evaluated for every stage at every event of a pod: what most pods can be told apart by comes first.
const isUnobserved = '.metadata.generation != .status.observedGeneration';
const isPending = 'any( .status.conditions[]; .type == "PodResizePending" )';
const imageIsMissing = `any( .spec.containers[].image; endswith( ":${MISSING_TAG}" ) )`;
/** By default a pod with another image is Ready again at once, as it is after its creation. */
const takesTime = `( .metadata.annotations["${READY_AFTER}"] or ${behaviourKey} or ${imageIsMissing} )`;
const run = '.status.containerStatuses and all( .status.containerStatuses[]; .state.running )';
const haveOldImage =
  '.status.containerStatuses and [ .spec.containers[].image ] != [ .status.containerStatuses[].image ]';
const haveOldResources = '[ .spec.containers[].resources // {} ] != [ .status.containerStatuses[].resources // {} ]';
const isRefused = `${refusalKey} and ${haveOldResources}`;
const conditions = '( .status.conditions | map( { key: .type, value: . } ) | from_entries )';
const saysOtherwise = `${isUnobserved} or ${refusalKey} != ${conditions}.PodResizePending.reason`;
const gatesDisagree = `
  ${conditions} as $is
  | $is.ContainersReady.status == "True"
    and ( $is.Ready.status == "True" ) != all( .spec.readinessGates[].conditionType; $is[.].status == "True" )`;
const hasGates: Requirement = { key: '.spec.readinessGates[]', operator: 'Exists' };

/** Pods of other behaviours do not follow their spec: those that crash show it anyway, and those that no stage knows are left alone. */
const follows = is(`${behaviourKey} | IN( null, "not-ready", "image-pull-error" )`);

export const podStages: readonly object[] = [
  stage({
    name: 'pod-ready',
    kind: 'Pod',
    when: [alive, unfinished, behavesWell, isNot(containersReady, 'True'), not(imageIsMissing), not(haveOldImage)],
    after: { annotation: READY_AFTER },
    next: { status: runningStatus({ ready: true, others: 'start' }) },
  }),
  stage({
    name: 'pod-readiness-gates',
    kind: 'Pod',
    when: [alive, unfinished, behavesWell, hasGates, is(gatesDisagree)],
    next: { status: gatedStatus() },
  }),
  stage({
    name: 'pod-not-ready',
    kind: 'Pod',
    when: [alive, unfinished, behaves('not-ready'), isNot(containersReady, 'False')],
    next: { status: runningStatus({ ready: false, others: 'start' }) },
  }),
  stage({
    name: 'pod-crash',
    kind: 'Pod',
    when: [alive, unfinished, behaves('crash')],
    after: { ms: 1000 },
    next: { status: runningStatus({ ready: false, goOn: 'none', others: 'crash' }) },
  }),
  stage({
    name: 'pod-image-pull-error',
    kind: 'Pod',
    when: [alive, unfinished, behaves('image-pull-error'), isNot(waitingReason, 'ImagePullBackOff')],
    next: { status: runningStatus({ ready: false, goOn: 'none', others: { wait: 'ImagePullBackOff' } }) },
  }),
  stage({
    name: 'pod-image-is-missing',
    kind: 'Pod',
    when: [
      alive,
      unfinished,
      behavesWell,
      is(imageIsMissing),
      not(haveOldImage),
      isNot(waitingReason, 'ImagePullBackOff'),
    ],
    next: { status: runningStatus({ ready: false, others: { wait: 'ImagePullBackOff' } }) },
  }),
  stage({
    name: 'pod-restart',
    kind: 'Pod',
    when: [alive, unfinished, is(haveOldImage), not(takesTime)],
    next: { status: runningStatus({ ready: true, others: 'start' }) },
  }),
  stage({
    name: 'pod-stop-old-image',
    kind: 'Pod',
    when: [alive, unfinished, is(haveOldImage), is(takesTime), follows],
    next: { status: runningStatus({ ready: false, others: { wait: 'ContainerCreating' } }) },
  }),
  stage({
    name: 'pod-start-new-image',
    kind: 'Pod',
    when: [
      alive,
      unfinished,
      behaves('not-ready'),
      { key: waitingReason, operator: 'In', values: ['ContainerCreating'] },
    ],
    next: { status: runningStatus({ ready: false, others: 'start' }) },
  }),
  stage({
    name: 'pod-resize',
    kind: 'Pod',
    when: [
      alive,
      unfinished,
      is(`${isUnobserved} or ${isPending}`),
      follows,
      is(run),
      not(haveOldImage),
      not(isRefused),
    ],
    next: { status: resizedStatus() },
  }),
  stage({
    name: 'pod-resize-refused',
    kind: 'Pod',
    when: [alive, unfinished, refuses, follows, is(run), not(haveOldImage), is(isRefused), is(saysOtherwise)],
    next: { status: refusedStatus(RESIZE) },
  }),
  stage({
    name: 'pod-fail',
    kind: 'Pod',
    when: [alive, unfinished, behaves('fail')],
    next: { status: finishedStatus('Failed', 1) },
  }),
  stage({
    name: 'pod-complete',
    kind: 'Pod',
    when: [alive, unfinished, behaves('complete')],
    next: { status: finishedStatus('Succeeded', 0) },
  }),
  stage({
    name: 'pod-delete',
    kind: 'Pod',
    when: [deleted],
    after: { annotation: TERMINATE_AFTER },
    next: { delete: true },
  }),
];
