// What MyDeployment is called, everywhere: URLs, the CRD, RBAC rules, events and kubectl all take it from here.

import type { Resource } from '../../runtime/resource.ts';
import type { MyDeployment } from './types.gen.ts';

export const myDeployments: Resource<MyDeployment> = {
  group: 'kubebuilder.zq.com',
  version: 'v1beta1',
  kind: 'MyDeployment',
  plural: 'mydeployments',
  namespaced: true,
};

export const singular = 'mydeployment';
/** The prefix of its annotations. */
export const ANNOTATIONS = `${singular}.${myDeployments.group}`;
export const shortNames = ['md'] as const;
export const categories = ['all'] as const;
