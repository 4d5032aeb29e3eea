// The pod that an ImoocPod is made of.

import type { PodTemplate } from '../../workload/template-schema.ts';
import { labelsOf } from './snapshot.ts';
import type { ImoocPod } from './types.gen.ts';

/** The user "nobody" of busybox, by number: the kubelet cannot tell from a name that it is not root. */
const NOBODY = 65_534;

/**
 * A busybox that sleeps for an hour at a time, with no right that it does not need: Pod Security admits it in a namespace
 * that is `restricted`. Pods that run are never compared with this, so a change of it concerns new pods only.
 */
export function podTemplate(object: Pick<ImoocPod, 'metadata'>): PodTemplate {
  return {
    metadata: { labels: labelsOf(object) },
    spec: {
      securityContext: { runAsNonRoot: true, runAsUser: NOBODY, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'busybox',
          image: 'busybox',
          command: ['sleep', '3600'],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
      ],
    },
  };
}
