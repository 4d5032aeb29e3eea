// What ImoocPod is called, everywhere: URLs, the CRD, RBAC rules, events and kubectl all take it from here.

import type { Resource } from '../../runtime/resource.ts';
import type { ImoocPod } from './types.gen.ts';

export const imoocPods: Resource<ImoocPod> = {
  group: 'batch.tutorial.kubebuilder.io',
  version: 'v1alpha1',
  kind: 'ImoocPod',
  plural: 'imoocpods',
  namespaced: true,
};

export const singular = 'imoocpod';
// Not `ip`, which is what Kubernetes calls its own IPAddresses.
export const shortNames = ['imp'] as const;
export const categories = ['all'] as const;

/** Keeps an ImoocPod until its pods are gone. */
export const FINALIZER = `${imoocPods.group}/pods`;
