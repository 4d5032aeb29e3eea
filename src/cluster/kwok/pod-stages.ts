// The stages of pods on the embedded cluster's nodes. By default a pod is Ready at once. With annotations on the pod, usually set
// in its template, a test chooses another behaviour at any time; removing an annotation lets the pod recover.

import { finishedStatus, runningStatus } from './pod-status.ts';
import { type Requirement, stage } from './stage.ts';

/** Duration such as `500ms` or `2s` between being scheduled and being Ready. */
export const READY_AFTER = 'cluster.mydeployment/ready-after';
/** Duration between deletion and being gone, as if the process took that long to end. */
export const TERMINATE_AFTER = 'cluster.mydeployment/terminate-after';
/** One of `Behaviour`; absent means: becomes Ready and stays so. */
export const BEHAVIOUR = 'cluster.mydeployment/behaviour';

/**
 * - `not-ready`: runs, but its readiness probe fails; a pod that was Ready stops being so
 * - `crash`: its containers end and are restarted every second, counting restarts
 * - `image-pull-error`: its image never arrives
 * - `fail`, `complete`: its containers end for good, with code 1 or 0
 */
export type Behaviour = 'not-ready' | 'crash' | 'image-pull-error' | 'fail' | 'complete';

const RUNNING = 'running: {startedAt: {{ $now | Quote }}}';

const behaviourKey = `.metadata.annotations["${BEHAVIOUR}"]`;
const ready = '.status.conditions.[] | select( .type == "Ready" ) | .status';
const waitingReason = '.status.containerStatuses.[].state.waiting.reason';

const alive: Requirement = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' };
const deleted: Requirement = { key: '.metadata.deletionTimestamp', operator: 'Exists' };
const unfinished: Requirement = { key: '.status.phase', operator: 'In', values: ['Pending', 'Running'] };
const behavesWell: Requirement = { key: behaviourKey, operator: 'DoesNotExist' };
const behaves = (value: Behaviour): Requirement => ({ key: behaviourKey, operator: 'In', values: [value] });
const isNot = (key: string, value: string): Requirement => ({ key, operator: 'NotIn', values: [value] });

export const podStages: readonly object[] = [
  stage({
    name: 'pod-ready',
    kind: 'Pod',
    when: [alive, unfinished, behavesWell, isNot(ready, 'True')],
    after: { annotation: READY_AFTER },
    next: { status: runningStatus({ ready: true, state: RUNNING }) },
  }),
  stage({
    name: 'pod-not-ready',
    kind: 'Pod',
    when: [alive, unfinished, behaves('not-ready'), isNot(ready, 'False')],
    next: { status: runningStatus({ ready: false, state: RUNNING }) },
  }),
  stage({
    name: 'pod-crash',
    kind: 'Pod',
    when: [alive, unfinished, behaves('crash')],
    after: { ms: 1000 },
    next: { status: runningStatus({ ready: false, state: 'waiting: {reason: CrashLoopBackOff}', restarts: 1 }) },
  }),
  stage({
    name: 'pod-image-pull-error',
    kind: 'Pod',
    when: [alive, unfinished, behaves('image-pull-error'), isNot(waitingReason, 'ImagePullBackOff')],
    next: { status: runningStatus({ ready: false, state: 'waiting: {reason: ImagePullBackOff}', phase: 'Pending' }) },
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
