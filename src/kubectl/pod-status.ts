// The columns READY, STATUS and RESTARTS of a pod, as `kubectl get pods` prints them.

import type { Pod as FullPod } from '../runtime/built-in.ts';
import { inPlaceRecord } from '../workload/in-place/record.ts';
import { isBeingChanged, type Pod } from '../workload/pod.ts';

export interface PodSummary {
  /** `1/2` */
  readonly ready: string;
  /** `Running`, `CrashLoopBackOff`, `Init:0/1`, `Terminating`, … */
  readonly status: string;
  readonly restarts: number;
  readonly health: 'ready' | 'starting' | 'changing' | 'failing' | 'terminating';
}

type ContainerStatus = NonNullable<NonNullable<FullPod['status']>['containerStatuses']>[number];

/** The STATUS of a pod that starts normally. */
const ON_THE_WAY = /^(Pending|ContainerCreating|PodInitializing|Running|Init:\d+\/\d+|SchedulingGated)$/;
/** The STATUS of a pod that is being changed in place, and goes on as it should. */
const IN_PLACE = /^(LeavingServices|ChangingInPlace)$/;

/** The columns of one pod. */
export function podSummary(pod: FullPod): PodSummary {
  const containers = pod.status?.containerStatuses ?? [];
  const ready = containers.filter((container) => container.ready).length;
  const total = pod.spec?.containers.length ?? containers.length;
  const status = statusOf(pod, containers);
  return {
    ready: `${ready}/${total}`,
    status,
    restarts: containers.reduce((sum, { restartCount }) => sum + restartCount, 0),
    health: healthOf(pod, status),
  };
}

function statusOf(pod: FullPod, containers: readonly ContainerStatus[]): string {
  const { metadata, status } = pod;
  if (metadata.deletionTimestamp !== undefined) return status?.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  const init = initStatus(pod);
  if (init !== undefined) return init;
  const failure = containers.map(failureReason).find((reason) => reason !== undefined);
  if (failure !== undefined && status?.phase !== 'Succeeded') return failure;
  // Not a status of kubectl: the pod runs, but does not count until it is changed.
  const record = inPlaceRecord(pod as Pod);
  if (record !== undefined) return record.changed === undefined ? 'LeavingServices' : 'ChangingInPlace';
  const gated = status?.conditions?.some(({ reason }) => reason === 'SchedulingGated');
  return status?.reason ?? (gated ? 'SchedulingGated' : (status?.phase ?? 'Unknown'));
}

function initStatus({ spec, status }: FullPod): string | undefined {
  const all = spec?.initContainers ?? [];
  const statuses = status?.initContainerStatuses ?? [];
  const finished = statuses.filter(({ state, started }) => state?.terminated?.exitCode === 0 || started === true);
  if (all.length === 0 || statuses.length === 0 || finished.length === all.length) return undefined;
  const failure = statuses.map(failureReason).find((each) => each !== undefined && each !== 'PodInitializing');
  return failure === undefined ? `Init:${finished.length}/${all.length}` : `Init:${failure}`;
}

function failureReason({ state }: ContainerStatus): string | undefined {
  if (state?.waiting?.reason !== undefined) return state.waiting.reason;
  const { terminated } = state ?? {};
  if (terminated === undefined || terminated.exitCode === 0) return undefined;
  return terminated.reason ?? `ExitCode:${terminated.exitCode}`;
}

function healthOf(pod: FullPod, status: string): PodSummary['health'] {
  if (pod.metadata.deletionTimestamp !== undefined) return 'terminating';
  const isReady = pod.status?.conditions?.some(({ type, status: truth }) => type === 'Ready' && truth === 'True');
  if (isReady && !isBeingChanged(pod as Pod)) return 'ready';
  if (IN_PLACE.test(status)) return 'changing';
  return ON_THE_WAY.test(status) ? 'starting' : 'failing';
}
