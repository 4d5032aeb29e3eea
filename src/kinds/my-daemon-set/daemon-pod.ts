// The pod of a node. Its name follows from the set, the node and how many such pods have gone, so that whoever believes
// the node to have none, because of a cache that lags, meets the pod that is there. It gets there through the scheduler.

import { cutName } from '../../workload/build-pod.ts';
import { revisionHash } from '../../workload/hash.ts';
import { affinityTo } from '../../workload/node-affinity.ts';
import type { PodTemplate } from '../../workload/template-schema.ts';
import { tolerations } from './eligibility.ts';
import { NAME_LABEL } from './names.ts';

/** A pod's name is also its hostname, which DNS limits to one label. */
const LONGEST_NAME = 63;

/** `<set>-<node>-<hash>`: the hash keeps `a` on `b-c` and `a-b` on `c`, names that are cut, and attempts apart. */
export function daemonPodName(set: string, node: string, attempt = 0): string {
  const hash = revisionHash(`${set}/${node}/${attempt}`);
  const readable = `${set}-${node}`.replaceAll('.', '-');
  return `${cutName(readable, LONGEST_NAME - hash.length - 1)}-${hash}`;
}

/** Which pods are of the present image. Of the image only: what else the operator puts into pods may not roll a fleet. */
export function imageHash(image: string): string {
  return revisionHash(image);
}

/** What runs on this node. */
export function daemonPodTemplate(set: string, image: string, node: string): PodTemplate {
  return {
    metadata: { labels: { [NAME_LABEL]: set } },
    spec: { containers: [{ name: 'app', image }], affinity: affinityTo(node), tolerations },
  };
}
