// StaticSite v1alpha1, which users may go on with: what it looked like when v1beta1 came, and how its objects become those of the
// stored version and back. Change the fields of the stored version in schema.ts, run `make generate`, and say here what became of them.

import type { Conversion, OtherVersion } from 'mydeployment/runtime';
import type { StaticSite } from './types.gen.ts';
import type { StaticSiteV1Alpha1 } from './v1alpha1.gen.ts';
import { schema } from './v1alpha1.schema.ts';

/**
 * Nothing may be lost on the way there and back: v1alpha1.test.ts tries it with objects of all shapes. `keepFields` lets new fields of
 * the stored version travel in an annotation.
 */
export const conversion: Conversion<StaticSiteV1Alpha1, StaticSite> = {
  toStored: (object) => ({ ...object, spec: { ...object.spec } }),
  fromStored: (object) => ({ ...object, spec: { ...object.spec } }),
};

export const v1alpha1: OtherVersion = { name: 'v1alpha1', served: true, conversion, ...schema };
