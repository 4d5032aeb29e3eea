// Collector v2beta1: the same fields, under the names that Kubernetes has for such fields: `targetRef`, as in an autoscaler, and
// `changeHistoryLimit`, as a Deployment's `revisionHistoryLimit`. v1 is stored, and clients that name no version get it, because a
// beta version ranks behind it. So only a request for v2beta1 needs an operator that converts.

import type { Conversion, OtherVersion, VersionSchema } from '../../runtime/custom-resource.ts';
import type { Collector } from './types.gen.ts';
import type { CollectorV2Beta1 } from './v2beta1.gen.ts';

export const conversion: Conversion<CollectorV2Beta1, Collector> = {
  toStored: ({ spec: { targetRef, changeHistoryLimit, ...spec }, ...object }) => ({
    ...object,
    spec: {
      ...spec,
      target: targetRef,
      ...(changeHistoryLimit !== undefined && { historyLimit: changeHistoryLimit }),
    },
  }),
  fromStored: ({ spec: { target, historyLimit, ...spec }, ...object }) => ({
    ...object,
    spec: {
      ...spec,
      targetRef: target,
      ...(historyLimit !== undefined && { changeHistoryLimit: historyLimit }),
    },
  }),
};

export function v2beta1(schema: VersionSchema): OtherVersion {
  return { name: 'v2beta1', served: true, conversion, ...schema };
}
