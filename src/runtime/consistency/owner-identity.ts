// Whose writes are remembered: an owner by key and uid, so that a new owner of the same name starts with nothing.

export interface OwnerIdentity {
  /** `namespace/name`, or `name`. */
  readonly key: string;
  readonly uid: string;
}
