// What MyDaemonSet is called, everywhere: URLs, the CRD, RBAC rules, events and kubectl all take it from here.

import type { Resource } from '../../runtime/resource.ts';
import type { MyDaemonSet } from './types.gen.ts';

export const myDaemonSets: Resource<MyDaemonSet> = {
  group: 'apps.zhongmingmao.io',
  version: 'v1beta1',
  kind: 'MyDaemonSet',
  plural: 'mydaemonsets',
  namespaced: true,
};

export const singular = 'mydaemonset';
export const shortNames = ['mds'] as const;
export const categories = ['all'] as const;

/** On every pod, with the name of its MyDaemonSet. */
export const NAME_LABEL = `${myDaemonSets.group}/${singular}`;
