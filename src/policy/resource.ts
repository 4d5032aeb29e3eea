// What RolloutPolicy is called. The controller of MyDeployments reads policies, the kind's own controller writes their
// status, and kubectl md asks through their annotations.

import type { Resource } from '../runtime/resource.ts';
import type { RolloutPolicy } from './types.gen.ts';

export const rolloutPolicies: Resource<RolloutPolicy> = {
  group: 'kubebuilder.zq.com',
  version: 'v1alpha1',
  kind: 'RolloutPolicy',
  plural: 'rolloutpolicies',
  namespaced: true,
};
