// The two objects that a ModelBox makes, and how it stands with what is found under its name. Nothing of others is ever
// taken over: only what we own, or what bears our label and has no owner, such as what a deleted ModelBox left behind.

import type { V1DeploymentSpec, V1DeploymentStatus, V1ServiceSpec } from '@kubernetes/client-node';
import { controllerOf, type KubeObject, type Raw } from '../../runtime/object.ts';
import type { Resource } from '../../runtime/resource.ts';
import { LABEL, modelBoxes } from './names.ts';

export interface Deployment extends KubeObject {
  readonly spec: Raw<V1DeploymentSpec>;
  readonly status?: Raw<V1DeploymentStatus>;
}

export interface Service extends KubeObject {
  readonly spec: Raw<V1ServiceSpec>;
}

export const deployments: Resource<Deployment> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};

export const services: Resource<Service> = {
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
};

/** `orphaned`: bears our label and has no controller. `going`: being deleted. */
export type Standing = 'ours' | 'orphaned' | 'foreign' | 'going';

/** How a ModelBox stands with the object that bears its name. */
export function standingOf({ metadata }: KubeObject, child: KubeObject): Standing {
  const controller = controllerOf(child);
  const { labels, deletionTimestamp } = child.metadata;
  const isOurs = controller?.uid === metadata.uid;
  if (!isOurs && (controller !== undefined || labels?.[LABEL] !== metadata.name)) return 'foreign';
  if (deletionTimestamp !== undefined) return 'going';
  return isOurs ? 'ours' : 'orphaned';
}

/** True of what a ModelBox, whichever it is, can find to be its own or orphaned: of others it reads the metadata only. */
export function mayBeOurs(child: KubeObject): boolean {
  const controller = controllerOf(child);
  if (controller === undefined) return child.metadata.labels?.[LABEL] !== undefined;
  return controller.kind === modelBoxes.kind && controller.apiVersion.startsWith(`${modelBoxes.group}/`);
}
