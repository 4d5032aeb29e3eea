// What ModelBox is called, everywhere, and what the objects that it makes carry so that people and programs can tell
// whose they are.

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
  /** A hash of what was last applied: another one is wanted when the ModelBox has changed. */
  applied: `${modelBoxes.group}/applied`,
  /** On a Deployment whose replicas the ModelBox decides. */
  replicas: `${modelBoxes.group}/replicas`,
} as const;

/** The owner, at the API server, of the fields that we apply. */
export const FIELD_MANAGER = 'modelbox';
/** The owner of replicas that nobody decides any more, until an autoscaler does: without one they would fall to 1. */
export const HANDOVER_MANAGER = 'modelbox-handover';
