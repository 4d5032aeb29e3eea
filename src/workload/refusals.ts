// What the API server has refused to an owner and plans go on without for a while (refused-writes.ts).

export interface Refusal {
  readonly reason: 'FailedAdopt' | 'FailedRelease' | 'FailedCreate';
  /** The server's own words. */
  readonly message: string;
}

/** Stands for every pod that an owner has yet to make; an adoption or release is known by the UID of its object. */
export const NEW_PODS = 'new pods';

/** What was refused to one owner, by UID or as NEW_PODS, each with the time left to the next attempt. */
export type Refusals = ReadonlyMap<string, Refusal & { readonly forMs: number }>;

export const NO_REFUSALS: Refusals = new Map();
