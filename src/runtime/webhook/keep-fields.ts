// Fields that only the stored version of a kind has. A client that reads an object in another version and writes it back would remove
// them; so they travel in an annotation of the other version, as in Cluster API.
//
// Caveat: who writes the other version can write the annotation, and the API server does not validate what comes out of a conversion.
// A controller and its webhook have to bear any value of the right type in such a field.

import type { Conversion } from '../custom-resource.ts';
import type { KubeObject } from '../object.ts';

type WithSpec = KubeObject & { readonly spec: object };

/** The conversion, with these fields of the stored spec kept in an annotation of the other version. */
export function keepFields<Other extends WithSpec, Stored extends WithSpec>(
  annotation: string,
  fields: readonly (keyof Stored['spec'] & string)[],
  { toStored, fromStored }: Conversion<Other, Stored>,
): Conversion<Other, Stored> {
  const isKept = ([name]: readonly [string, unknown]): boolean => fields.some((field) => field === name);
  return {
    toStored: (object) => {
      const { [annotation]: text, ...others } = object.metadata.annotations ?? {};
      if (text === undefined) return toStored(object);
      const { annotations: _, ...metadata } = object.metadata;
      const annotations = Object.keys(others).length === 0 ? {} : { annotations: others };
      const stored = toStored({ ...object, metadata: { ...metadata, ...annotations } });
      const kept = Object.fromEntries(Object.entries(fieldsIn(text)).filter(isKept));
      return { ...stored, spec: { ...kept, ...stored.spec } };
    },
    fromStored: (object) => {
      const kept = Object.entries(object.spec).filter(isKept);
      const spec = Object.fromEntries(Object.entries(object.spec).filter((field) => !isKept(field)));
      const other = fromStored({ ...object, spec });
      if (kept.length === 0) return other;
      const annotations = { ...other.metadata.annotations, [annotation]: JSON.stringify(Object.fromEntries(kept)) };
      return { ...other, metadata: { ...other.metadata, annotations } };
    },
  };
}

/** Nothing, for an annotation that a user has spoiled. */
function fieldsIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
