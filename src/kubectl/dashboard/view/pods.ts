// Pods as cells and as lines, with the words of `kubectl get pods`.

import type { Pod } from '../../../runtime/built-in.ts';
import { timeOf } from '../../../workload/pod.ts';
import { podSummary } from '../../pod-status.ts';
import type { PodRow } from '../protocol.ts';

/** A pod in the row with this key. */
export function podRow(pod: Pod, row: string): readonly [key: string, PodRow] {
  const { name, uid, creationTimestamp } = pod.metadata;
  const node = pod.spec?.nodeName ?? '';
  const createdAt = timeOf(creationTimestamp) ?? 0;
  return [`pod/${uid}`, { name, row, ...podSummary(pod), node, createdAt, containers: containersOf(pod) }];
}

/** Which container kubectl takes when none is named. */
const USUAL_CONTAINER = 'kubectl.kubernetes.io/default-container';

function containersOf({ metadata, spec }: Pod): string[] {
  const names = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].map(({ name }) => name);
  const usual = metadata.annotations?.[USUAL_CONTAINER];
  return names.toSorted((one, other) => Number(other === usual) - Number(one === usual));
}
