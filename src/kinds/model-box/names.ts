// The names of ModelBox, used everywhere, and the labels and annotations of the objects that it creates.

import type { Resource } from '../../runtime/resource.ts';
import type { ModelBox } from './types.gen.ts';

export const modelBoxes: Resource<ModelBox> = {
  group: 'model.github.com',
  version: 'v1',
  kind: 'ModelBox',
  plural: 'modelboxes',
  namespaced: true,
};

export const singular = 'modelbox';
export const shortNames = ['mb'] as const;
export const categories = ['all'] as const;

/** The label by which the Deployment and the Service select pods; its value is the name of the ModelBox. */
export const LABEL = 'modelbox';

/** Annotations of the Deployment and the Service. */
export const ANNOTATIONS = {
  /** A hash of the last applied manifest: a different hash means that the ModelBox has changed. */
  applied: `${modelBoxes.group}/applied`,
  /** Set on a Deployment whose replicas the ModelBox decides. */
  replicas: `${modelBoxes.group}/replicas`,
} as const;

/** The field manager of the fields that the operator applies. */
export const FIELD_MANAGER = 'modelbox';
/**
 * The field manager of replicas that the ModelBox no longer decides. Without an owner the API server would reset them
 * to 1 before an autoscaler sets them.
 */
export const HANDOVER_MANAGER = 'modelbox-handover';
