// MyDeployments, revisions and pods in a few words, for tables. A template is named by its version.

import type { Snapshot } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import type { MyDeployment, MyDeploymentSpec } from '../../../src/kinds/my-deployment/types.gen.ts';
import { timestamp } from '../../../src/runtime/conditions.ts';
import type { ObjectMeta } from '../../../src/runtime/object.ts';
import { controllerReference, type Owner } from '../../../src/runtime/owner.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { buildRevision, type ControllerRevision, hashOf } from '../../../src/workload/revision.ts';
import type { PodTemplate } from '../../../src/workload/template-schema.ts';

export const NOW = Date.UTC(2026, 0, 1, 12);
const PREFIX = 'mydeployment.kubebuilder.zq.com';

export function secondsAgo(seconds: number): string {
  return timestamp(NOW - seconds * 1000);
}

export function template(version: string): PodTemplate {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: `web:${version}` }] } };
}

export interface ObjectOptions extends Partial<Omit<MyDeploymentSpec, 'template'>> {
  readonly version?: string;
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly status?: MyDeployment['status'];
  readonly metadata?: Partial<ObjectMeta>;
}

/** A MyDeployment "web" whose template is of `version` ("v2" unless told). */
export function myDeployment(options: ObjectOptions = {}): MyDeployment & Owner {
  const { version = 'v2', maxSurge, maxUnavailable, status, metadata, ...spec } = options;
  const rollingUpdate = {
    ...(maxSurge !== undefined && { maxSurge }),
    ...(maxUnavailable !== undefined && { maxUnavailable }),
  };
  const paced = maxSurge !== undefined || maxUnavailable !== undefined;
  return {
    apiVersion: 'kubebuilder.zq.com/v1beta1',
    kind: 'MyDeployment',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'web-uid',
      resourceVersion: '1',
      generation: 1,
      ...metadata,
    },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: template(version),
      ...(paced && { strategy: { type: 'RollingUpdate', rollingUpdate } }),
      ...spec,
    },
    ...(status && { status }),
  };
}

export interface RevisionOptions {
  readonly number: number;
  /** Its own count; no record of it when left out. */
  readonly replicas?: number;
  /** The owner's replicas when that was decided. */
  readonly of?: number;
  /** The owner's replicas and surge when that was decided. */
  readonly ceiling?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly metadata?: Partial<ObjectMeta>;
}

export function revision(owner: Owner, version: string, options: RevisionOptions): ControllerRevision {
  const counts = {
    ...(options.replicas !== undefined && { [`${PREFIX}/replicas`]: String(options.replicas) }),
    ...(options.of !== undefined && { [`${PREFIX}/desired-replicas`]: String(options.of) }),
    ...(options.ceiling !== undefined && { [`${PREFIX}/max-replicas`]: String(options.ceiling) }),
  };
  const built = buildRevision(owner, {
    template: template(version),
    number: options.number,
    collisionCount: 0,
    annotations: { ...counts, ...options.annotations },
  });
  const name = built.metadata.name as string;
  const uid = `${version}-uid`;
  return { ...built, metadata: { ...built.metadata, name, uid, resourceVersion: '7', ...options.metadata } };
}

export interface PodOptions {
  /** Seconds for which it has been ready; not ready when left out. */
  readonly readyFor?: number;
  readonly phase?: string;
  readonly metadata?: Partial<ObjectMeta>;
}

/** Pods of a revision, one for each entry. */
export function pods(owner: Owner, of: ControllerRevision, entries: readonly PodOptions[]): Pod[] {
  const hash = hashOf(of);
  return entries.map(({ readyFor, phase = readyFor === undefined ? 'Pending' : 'Running', metadata }, index) => ({
    metadata: {
      name: `${of.metadata.name}-${index}`,
      namespace: 'default',
      uid: `${of.metadata.uid}-${String(index).padStart(4, '0')}`,
      resourceVersion: '9',
      creationTimestamp: secondsAgo(3600),
      labels: { app: 'web', 'controller-revision-hash': hash, 'pod-template-hash': hash },
      ownerReferences: [controllerReference(owner)],
      ...metadata,
    },
    spec: { nodeName: 'node' },
    status: {
      phase,
      conditions:
        readyFor === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: secondsAgo(readyFor) }],
    },
  }));
}

/** `ready` ready pods and `total - ready` that are not. */
export function mixedPods(owner: Owner, of: ControllerRevision, total: number, ready: number): Pod[] {
  return pods(
    owner,
    of,
    Array.from({ length: total }, (_, index) => (index < ready ? { readyFor: 3600 } : {})),
  );
}

export function snapshotOf(
  object: MyDeployment,
  revisions: readonly ControllerRevision[] = [],
  allPods: readonly Pod[] = [],
): Snapshot {
  return { object, revisions, pods: allPods };
}
