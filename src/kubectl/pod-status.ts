// A pod in a few words, as `kubectl get pods` has them: READY, STATUS, RESTARTS.

import type { Pod as FullPod } from '../runtime/built-in.ts';

export interface PodWords {
  /** `1/2` */
  readonly ready: string;
  /** `Running`, `CrashLoopBackOff`, `Init:0/1`, `Terminating`, … */
  readonly status: string;
  readonly restarts: number;
  readonly mood: 'good' | 'waiting' | 'bad' | 'leaving';
}

type ContainerStatus = NonNullable<NonNullable<FullPod['status']>['containerStatuses']>[number];

/** What a healthy pod may say on its way. */
const ON_THE_WAY = /^(Pending|ContainerCreating|PodInitializing|Running|Init:\d+\/\d+|SchedulingGated)$/;

/** The words for one pod. */
export function podWords(pod: FullPod): PodWords {
  const containers = pod.status?.containerStatuses ?? [];
  const ready = containers.filter((container) => container.ready).length;
  const total = pod.spec?.containers.length ?? containers.length;
  const status = statusOf(pod, containers);
  return {
    ready: `${ready}/${total}`,
    status,
    restarts: containers.reduce((sum, { restartCount }) => sum + restartCount, 0),
    mood: moodOf(pod, status),
  };
}

function statusOf(pod: FullPod, containers: readonly ContainerStatus[]): string {
  const { metadata, status } = pod;
  if (metadata.deletionTimestamp !== undefined) return status?.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  const init = initStatus(pod);
  if (init !== undefined) return init;
  const troubled = containers.map(troubleOf).find((trouble) => trouble !== undefined);
  if (troubled !== undefined && status?.phase !== 'Succeeded') return troubled;
  const gated = status?.conditions?.some(({ reason }) => reason === 'SchedulingGated');
  return status?.reason ?? (gated ? 'SchedulingGated' : (status?.phase ?? 'Unknown'));
}

function initStatus({ spec, status }: FullPod): string | undefined {
  const all = spec?.initContainers ?? [];
  const statuses = status?.initContainerStatuses ?? [];
  const finished = statuses.filter(({ state, started }) => state?.terminated?.exitCode === 0 || started === true);
  if (all.length === 0 || statuses.length === 0 || finished.length === all.length) return undefined;
  const trouble = statuses.map(troubleOf).find((each) => each !== undefined && each !== 'PodInitializing');
  return trouble === undefined ? `Init:${finished.length}/${all.length}` : `Init:${trouble}`;
}

function troubleOf({ state }: ContainerStatus): string | undefined {
  if (state?.waiting?.reason !== undefined) return state.waiting.reason;
  const { terminated } = state ?? {};
  if (terminated === undefined || terminated.exitCode === 0) return undefined;
  return terminated.reason ?? `ExitCode:${terminated.exitCode}`;
}

function moodOf(pod: FullPod, status: string): PodWords['mood'] {
  if (pod.metadata.deletionTimestamp !== undefined) return 'leaving';
  const isReady = pod.status?.conditions?.some(({ type, status: truth }) => type === 'Ready' && truth === 'True');
  if (isReady) return 'good';
  return ON_THE_WAY.test(status) ? 'waiting' : 'bad';
}
