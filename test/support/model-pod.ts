// A pod that can be changed in place, as the API server and its kubelet have it: what each endpoint lets through, when the generation
// rises, and what the kubelet does about it and reports.

import { timestamp } from '../../src/runtime/conditions.ts';
import type { PodPatch } from '../../src/workload/action.ts';
import type { Resources } from '../../src/workload/in-place/resources.ts';
import type { Pod, PodCondition } from '../../src/workload/pod.ts';

type Named = { readonly name: string };
type Texts = Readonly<Record<string, string | null>>;
interface Body {
  readonly metadata?: { readonly labels?: Texts; readonly annotations?: Texts };
  readonly spec?: { readonly containers?: readonly Named[] };
  readonly status?: { readonly conditions?: readonly PodCondition[] };
}

/** A container's status tells the model which image it was started with, and which resources it has. */
type Started = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number] & {
  readonly image?: string;
  readonly resources?: Resources;
};

/** No node of the model can give a running container so much CPU. */
export const INFEASIBLE_CPU = '100';
const STUCK: Readonly<Record<string, string>> = { [INFEASIBLE_CPU]: 'Infeasible' };

export function asCreated(pod: Pod, spec: Pod['spec']): Pod {
  return { ...pod, spec: { ...spec }, metadata: { ...pod.metadata, generation: 1 } };
}

/** A strategic merge patch of a pod or a subresource, without the version. */
export function patchedPod(pod: Pod, { subresource, body }: PodPatch): Pod {
  const { metadata = {}, spec = {}, status = {} } = body as Body;
  // The resize endpoint resets metadata and status, that of the status resets the spec, and the pod's own one the status.
  const meta = subresource === 'resize' ? {} : metadata;
  const annotations = merged(pod.metadata.annotations, meta.annotations);
  const containers =
    subresource === 'status'
      ? pod.spec?.containers
      : mergedBy('name', pod.spec?.containers ?? [], spec.containers ?? []);
  const conditions =
    subresource === 'status'
      ? mergedBy('type', pod.status?.conditions ?? [], status.conditions ?? [])
      : pod.status?.conditions;
  const isNews = JSON.stringify(containers) !== JSON.stringify(pod.spec?.containers);
  const { annotations: _, ...rest } = pod.metadata;
  return {
    ...pod,
    metadata: {
      ...rest,
      labels: merged(pod.metadata.labels, meta.labels),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      generation: (pod.metadata.generation ?? 1) + Number(isNews),
    },
    spec: { ...pod.spec, ...(containers && { containers }) },
    status: { ...pod.status, ...(conditions && { conditions }) },
  };
}

export interface Report {
  /** Whether its containers are. */
  readonly ready: 'True' | 'False';
  /** Makes the IDs of containers unlike any before. */
  readonly serial: number;
  readonly now: number;
}

/** The status that the kubelet reports once it has done what the spec says. */
export function reportOf(pod: Pod, { ready, serial, now }: Report): NonNullable<Pod['status']> {
  const { metadata, spec, status } = pod;
  const started = (spec?.containers ?? []).map(({ name, image = '', resources: asked }): Started => {
    const before = status?.containerStatuses?.find((each) => each.name === name) as Started | undefined;
    if (before?.containerID !== undefined && before.image === image) return before;
    const restartCount = before === undefined ? 0 : (before.restartCount ?? 0) + 1;
    const resources = before === undefined ? asked : before.resources;
    const state = { running: { startedAt: timestamp(now) } };
    return {
      name,
      image,
      restartCount,
      containerID: `model://${name}-${serial}`,
      state,
      ...(resources && { resources }),
    };
  });
  const others = (status?.conditions ?? []).filter(({ type }) => !['Ready', 'ContainersReady'].includes(type));
  const isOpen = hasOpenGates(pod);
  const since = (type: string, holds: string): PodCondition => {
    const before = status?.conditions?.find((each) => each.type === type);
    return before?.status === holds ? before : { type, status: holds, lastTransitionTime: timestamp(now) };
  };
  const conditions = [
    since('Ready', ready === 'True' && isOpen ? 'True' : 'False'),
    since('ContainersReady', ready),
    ...others,
  ];
  return { ...status, observedGeneration: metadata.generation ?? 1, conditions, containerStatuses: started };
}

/** What the kubelet makes of an image. */
export type Fate = 'runs' | 'never ready' | 'crashes';

/**
 * The next status that a kubelet reports on its way to what the spec says: it has seen the pod; it has resized and restarted
 * containers; they are ready. Undefined when there is nothing to report.
 */
export function nextReport(
  pod: Pod,
  fate: Fate,
  { serial, now }: Pick<Report, 'serial' | 'now'>,
): NonNullable<Pod['status']> | undefined {
  const { metadata, status } = pod;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 1)) {
    return { ...status, ...resizeReport(pod, now), phase: 'Running', observedGeneration: metadata.generation ?? 1 };
  }
  const started = reportOf(pod, { ready: 'False', serial, now });
  const isRunning = JSON.stringify(started.containerStatuses) === JSON.stringify(status?.containerStatuses);
  if (!isRunning) return started;
  if (fate === 'crashes') {
    const waiting = { reason: 'CrashLoopBackOff' };
    const running = status?.containerStatuses ?? [];
    if (running.some(({ state }) => state?.waiting !== undefined)) return undefined;
    const crashed = running.map((each) => ({
      ...each,
      restartCount: (each.restartCount ?? 0) + 3,
      state: { waiting },
    }));
    return { ...started, containerStatuses: crashed };
  }
  const settled = reportOf(pod, { ready: fate === 'runs' ? 'True' : 'False', serial, now });
  return JSON.stringify(settled) === JSON.stringify(status) ? undefined : settled;
}

/** The kubelet resizes what runs, or says why it does not. */
function resizeReport({ spec, status }: Pod, now: number): Pick<NonNullable<Pod['status']>, 'conditions'> {
  const others = (status?.conditions ?? []).filter(({ type }) => type !== 'PodResizePending');
  const running = (status?.containerStatuses ?? []) as readonly Started[];
  const askedOf = (name: string | undefined): Resources | undefined =>
    spec?.containers?.find((each) => each.name === name)?.resources;
  const resized = running.filter(({ name, resources }) => JSON.stringify(askedOf(name)) !== JSON.stringify(resources));
  const [reason] = resized.flatMap(({ name }) => STUCK[askedOf(name)?.requests?.cpu ?? ''] ?? []);
  if (reason !== undefined) {
    const pending = { type: 'PodResizePending', status: 'True', reason, lastTransitionTime: timestamp(now) };
    return { conditions: [...others, pending] };
  }
  const containerStatuses = running.map((each) => {
    const resources = askedOf(each.name);
    return { ...each, ...(resources && { resources }) };
  });
  return { conditions: others, ...(running.length > 0 && { containerStatuses }) };
}

/** Its containers are not ready for a moment. */
export function unready({ status }: Pod, now: number): NonNullable<Pod['status']> {
  const conditions = (status?.conditions ?? []).map((condition) =>
    ['Ready', 'ContainersReady'].includes(condition.type)
      ? { ...condition, status: 'False', lastTransitionTime: timestamp(now) }
      : condition,
  );
  return { ...status, conditions };
}

/** True when the kubelet has nothing to do: everything runs, or crashes, as the spec says. */
export function isReported(pod: Pod): boolean {
  const { metadata, spec, status } = pod;
  const isRunning = (spec?.containers ?? []).every(
    ({ name, image }) => (status?.containerStatuses?.find((each) => each.name === name) as Started)?.image === image,
  );
  const holds = (wanted: string): boolean =>
    status?.conditions?.some(({ type, status: is }) => type === wanted && is === 'True') ?? false;
  const isReady = holds('ContainersReady') && hasOpenGates(pod);
  return isRunning && status?.observedGeneration === metadata.generation && holds('Ready') === isReady;
}

function hasOpenGates({ spec, status }: Pod): boolean {
  return (spec?.readinessGates ?? []).every(({ conditionType }) =>
    status?.conditions?.some(({ type, status: holds }) => type === conditionType && holds === 'True'),
  );
}

function merged(before: Readonly<Record<string, string>> = {}, changes: Texts = {}): Readonly<Record<string, string>> {
  const entries = Object.entries({ ...before, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Items with a key are merged by it, and new ones come last. */
function mergedBy<Item extends object>(key: keyof Item, before: readonly Item[], changes: readonly object[]): Item[] {
  const kept = before.map((item) => {
    const change = changes.find((each) => (each as Item)[key] === item[key]);
    return change === undefined ? item : { ...item, ...change };
  });
  const added = changes.filter((each) => !before.some((item) => item[key] === (each as Item)[key]));
  return [...kept, ...(added as Item[])];
}
