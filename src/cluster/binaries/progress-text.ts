// The words of a progress event, shared by both renderers.

import type { Activity, ProgressEvent } from './progress.ts';

/** One line for one event: `kube-apiserver: building, 512 of 1834 packages (1m 02s)`. */
export function progressLine(event: ProgressEvent): string {
  return `${event.component}: ${describe(event)} (${duration(event.elapsedMs)})`;
}

function describe(activity: Activity): string {
  switch (activity.step) {
    case 'waiting':
      return `waiting for process ${activity.pid}, which is making it ready`;
    case 'downloading':
      return `downloading, ${megabytes(activity.done)}${activity.total ? ` of ${megabytes(activity.total)}` : ''}`;
    case 'unpacking':
      return 'unpacking';
    case 'resolving':
      return `resolving Go modules, ${activity.done} fetched`;
    case 'building':
      return `building, ${activity.done} of ${activity.total} packages`;
    case 'skipped':
      return `${activity.way} skipped: ${activity.because.split('\n', 1)}`;
    case 'ready':
      return 'ready';
    default:
      return activity satisfies never;
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `9s`, `1m 02s`. */
function duration(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`;
}
