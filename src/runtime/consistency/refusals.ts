// What the API server has refused to one owner, so that plans do without it for a while (refused-writes.ts).

export interface Refusal {
  readonly reason: 'FailedAdopt' | 'FailedRelease' | 'FailedCreate' | 'FailedUpdate';
  /** The API server's own message. */
  readonly message: string;
}

/** Stands for every object that an owner has yet to create; an adoption or release is known by the UID of its object. */
export const NEW_OBJECTS = 'new objects';

/** What was refused to one owner, by UID or as NEW_OBJECTS, each with the time left to the next attempt. */
export type Refusals = ReadonlyMap<string, Refusal & { readonly forMs: number }>;

export const NO_REFUSALS: Refusals = new Map();
