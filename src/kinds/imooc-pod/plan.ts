// How the operator treats an ImoocPod: as many busybox pods as it asks for, with its name in a label.

import type { PodSource } from '../../workload/build-pod.ts';
import { replicasOwner } from '../../workload/replicas-owner.ts';
import { DEFAULT_REPLICAS, FINALIZER, imoocPod } from './schema.ts';
import type { ImoocPod } from './types.gen.ts';

/** The user "nobody" of busybox, by number: the kubelet cannot tell from a name that it is not root. */
const NOBODY = 65_534;

export const imoocPodOwner = replicasOwner<ImoocPod>({
  definition: imoocPod,
  finalizer: FINALIZER,
  replicas: ({ spec: { replicas = DEFAULT_REPLICAS } }) => replicas,
  source,
  revision: 'busybox',
});

/** A busybox that sleeps for an hour at a time, without privileges: Pod Security admits it in a `restricted` namespace. */
function source({ metadata: { name } }: ImoocPod): PodSource {
  const labels = { app: name };
  return {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
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
    },
  };
}
