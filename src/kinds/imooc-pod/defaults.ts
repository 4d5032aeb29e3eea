// What an ImoocPod means where it says nothing, and how much it may ask for.

import type { ImoocPodSpec } from './types.gen.ts';

/** More sleeping pods than this are a typing error rather than a wish. */
export const MAX_REPLICAS = 1000;

export const DEFAULT_REPLICAS = 1;

/** How many names a status lists: one of a thousand pods is not read by anybody, and would be written again and again. */
export const MAX_LISTED_NAMES = 100;

/** The spec with every field filled in. */
export function withDefaults({ replicas = DEFAULT_REPLICAS }: ImoocPodSpec): Required<ImoocPodSpec> {
  return { replicas };
}
