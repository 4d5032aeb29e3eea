// The pod that an ImoocPod is made of.

import type { PodTemplate } from '../../workload/template-schema.ts';
import { labelsOf } from './snapshot.ts';
import type { ImoocPod } from './types.gen.ts';

/** A busybox that sleeps for an hour at a time. */
export function podTemplate(object: Pick<ImoocPod, 'metadata'>): PodTemplate {
  return {
    metadata: { labels: labelsOf(object) },
    spec: { containers: [{ name: 'busybox', image: 'busybox', command: ['sleep', '3600'] }] },
  };
}
