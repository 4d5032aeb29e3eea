// What a right value looks like where the schema says no more than "a string": by the place it has in a spec. The first
// entry that fits counts. Companions are fields that must be there when another one is.

import type { Json } from '../../support/merge-patch.ts';

export type Fields = Readonly<Record<string, Json>>;

export interface Companion {
  /** The object that they belong to. */
  readonly at: RegExp;
  /** Only on the way to these fields. */
  readonly towards?: RegExp;
  readonly fields: Fields;
}

export interface Samples {
  readonly values: readonly (readonly [at: RegExp, value: Json])[];
  readonly companions: readonly Companion[];
  /** The key of an entry in the map at this place. */
  keyAt(at: string): string;
}

export function sampleAt({ values }: Samples, at: string): Json | undefined {
  return values.find(([pattern]) => pattern.test(at))?.[1];
}

/** What belongs beside the field that `target` leads to; the later entries win. */
export function companionsAt({ companions }: Samples, at: string, target: string): Fields {
  const fitting = companions.filter((each) => each.at.test(at) && (each.towards?.test(target) ?? true));
  return Object.assign({}, ...fitting.map(({ fields }) => fields));
}
