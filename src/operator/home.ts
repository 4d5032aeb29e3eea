// The operator's own namespace. It admits only pods that meet the Pod Security standard "restricted". A quota allows pods of
// critical priority, which some providers otherwise forbid outside of kube-system.

import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import type { Settings } from './settings.ts';

const { k8s } = kplus;

export class Home extends Construct {
  constructor(scope: Construct, id: string, { namespace, priorityClass, names }: Settings) {
    super(scope, id);
    const modes = ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']);
    new kplus.Namespace(this, 'namespace', { metadata: { name: namespace, labels: Object.fromEntries(modes) } });
    new k8s.KubeResourceQuota(this, 'quota', {
      metadata: { name: names.quota, namespace },
      spec: {
        hard: { pods: k8s.Quantity.fromString('100') },
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: [priorityClass] }],
        },
      },
    });
  }
}
