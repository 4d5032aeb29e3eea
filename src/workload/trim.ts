// What the cache keeps of objects that belong to others. A cluster has thousands of Deployments, Services and revisions,
// of which the operator has to know that they exist, whose they are and, of a Deployment that a Collector observes, how it
// stands. Annotations are left out: `kubectl apply` writes the whole object into one of them.

import { createHash } from 'node:crypto';
import type { KubeObject } from '../runtime/object.ts';
import type { ControllerRevision } from './revision.ts';

/** Who an object is and whose. */
export function trimToMetadata<T extends KubeObject>({ metadata }: T): T {
  const { annotations: _, ...kept } = metadata;
  return { metadata: kept } as T;
}

/** A revision without what it recorded. */
export function trimRevision(revision: ControllerRevision): ControllerRevision {
  return { ...trimToMetadata(revision), revision: revision.revision };
}

/** A Deployment whose fields can be told to have changed, but not what the larger ones say; and its counts of pods. */
export function trimDeployment<T extends KubeObject & { readonly spec: object; readonly status?: object }>(
  deployment: T,
): T {
  const { spec, status = {} } = deployment;
  const digests = Object.entries(spec).map(([name, value]) => [name, digestOf(value)]);
  const counts = Object.entries(status).filter(([, value]) => typeof value === 'number');
  return { ...trimToMetadata(deployment), spec: Object.fromEntries(digests), status: Object.fromEntries(counts) };
}

/** A value that differs when the given one does; what is an object stays one, and of the same type. */
function digestOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { type } = value as { readonly type?: unknown };
  const digest = createHash('sha256').update(JSON.stringify(value)).digest('base64');
  return { ...(typeof type === 'string' && { type }), digest };
}
