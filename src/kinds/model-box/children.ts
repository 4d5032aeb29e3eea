// The two objects that a ModelBox creates, and their relation to the objects that are found under its name. A ModelBox
// takes over only objects that it owns, or objects with its label and no owner, such as those that a deleted ModelBox
// left behind.

import type { V1DeploymentSpec, V1DeploymentStatus, V1ServiceSpec } from '@kubernetes/client-node';
import * as builtIn from '../../runtime/built-in.ts';
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

export const deployments = builtIn.deployments as Resource<Deployment>;
export const services = builtIn.services as Resource<Service>;

/** `orphaned`: has our label and no controller. `going`: is being deleted. */
export type Standing = 'ours' | 'orphaned' | 'foreign' | 'going';

/** The relation of a ModelBox to the object of its name. */
export function standingOf({ metadata }: KubeObject, child: KubeObject): Standing {
  const controller = controllerOf(child);
  const { labels, deletionTimestamp } = child.metadata;
  const isOurs = controller?.uid === metadata.uid;
  if (!isOurs && (controller !== undefined || labels?.[LABEL] !== metadata.name)) return 'foreign';
  if (deletionTimestamp !== undefined) return 'going';
  return isOurs ? 'ours' : 'orphaned';
}

/** True for objects that a ModelBox may own or adopt; of all others the cache keeps the metadata only. */
export function mayBeOurs(child: KubeObject): boolean {
  const controller = controllerOf(child);
  if (controller === undefined) return child.metadata.labels?.[LABEL] !== undefined;
  return controller.kind === modelBoxes.kind && controller.apiVersion.startsWith(`${modelBoxes.group}/`);
}
