// What Collector is called, everywhere: URLs, the CRD, RBAC rules, events and kubectl all take it from here.

import type { Resource } from '../../runtime/resource.ts';
import type { Collector } from './types.gen.ts';

export const collectors: Resource<Collector> = {
  group: 'collector.ip.my.domain',
  version: 'v1',
  kind: 'Collector',
  plural: 'collectors',
  namespaced: true,
};

export const singular = 'collector';
export const shortNames = ['col'] as const;
