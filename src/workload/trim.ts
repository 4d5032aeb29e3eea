// What the cache keeps of objects that the operator does not own. A cluster has thousands of Deployments, Services and
// revisions. Of most of them the operator only needs the metadata and the owner, and of a Deployment that a Collector
// observes also its counts. Annotations are left out: `kubectl apply` writes the whole object into one of them.

import { createHash } from 'node:crypto';
import type { KubeObject } from '../runtime/object.ts';
import type { ControllerRevision } from './revision.ts';

/** The identity of an object and its owners. */
export function trimToMetadata<T extends KubeObject>({ metadata }: T): T {
  const { annotations: _, ...kept } = metadata;
  return { metadata: kept } as T;
}

/** A revision without its data. */
export function trimRevision(revision: ControllerRevision): ControllerRevision {
  return { ...trimToMetadata(revision), revision: revision.revision };
}

/**
 * A Deployment in which changed fields can be detected, without the content of the larger ones; and its counts of pods.
 */
export function trimDeployment<T extends KubeObject & { readonly spec: object; readonly status?: object }>(
  deployment: T,
): T {
  const { spec, status = {} } = deployment;
  const digests = Object.entries(spec).map(([name, value]) => [name, digestOf(value)]);
  const counts = Object.entries(status).filter(([, value]) => typeof value === 'number');
  return { ...trimToMetadata(deployment), spec: Object.fromEntries(digests), status: Object.fromEntries(counts) };
}

/** A value that differs when the given one does; an object stays an object with the same `type`. */
function digestOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { type } = value as { readonly type?: unknown };
  const digest = createHash('sha256').update(JSON.stringify(value)).digest('base64');
  return { ...(typeof type === 'string' && { type }), digest };
}
