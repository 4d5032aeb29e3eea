// What installing the operator needs to know of a kind, and the kinds there are. A new kind is one more line here.

import { permissions as collectorPermissions } from '../kinds/collector/permissions.ts';
import { collector } from '../kinds/collector/schema.ts';
import { permissions as imoocPodPermissions } from '../kinds/imooc-pod/permissions.ts';
import { imoocPod } from '../kinds/imooc-pod/schema.ts';
import { permissions as modelBoxPermissions } from '../kinds/model-box/permissions.ts';
import { modelBox } from '../kinds/model-box/schema.ts';
import { permissions as myDaemonSetPermissions } from '../kinds/my-daemon-set/permissions.ts';
import { myDaemonSet } from '../kinds/my-daemon-set/schema.ts';
import { permissions } from '../kinds/my-deployment/permissions.ts';
import { myDeployment } from '../kinds/my-deployment/schema.ts';
import type { CustomResource } from '../runtime/custom-resource.ts';

/** The right to do some things to one resource. */
export interface Permission {
  /** Empty for the core group. */
  readonly group: string;
  /** Plural; a subresource after a slash. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Only the object of this name. */
  readonly name?: string;
}

/** What a webhook does to an object, and how its path begins. */
export type Admission = 'mutate' | 'validate';

export interface OperatorKind {
  readonly definition: CustomResource;
  /** All that its controller and webhooks need. */
  readonly permissions: readonly Permission[];
  readonly admission: readonly Admission[];
}

/** Names a kind that the operator can run. */
export type KindName = 'MyDeployment' | 'ImoocPod' | 'MyDaemonSet' | 'ModelBox' | 'Collector';

export const KINDS: Readonly<Record<KindName, OperatorKind>> = {
  MyDeployment: { definition: myDeployment, permissions, admission: ['mutate', 'validate'] },
  ImoocPod: { definition: imoocPod, permissions: imoocPodPermissions, admission: ['validate'] },
  MyDaemonSet: { definition: myDaemonSet, permissions: myDaemonSetPermissions, admission: ['mutate', 'validate'] },
  ModelBox: { definition: modelBox, permissions: modelBoxPermissions, admission: ['validate'] },
  Collector: { definition: collector, permissions: collectorPermissions, admission: [] },
};

/** Where the operator serves this webhook: kubebuilder's notation. */
export function webhookPath(admission: Admission, { resource, singular }: CustomResource): string {
  return `/${admission}-${resource.group.replaceAll('.', '-')}-${resource.version}-${singular}`;
}
