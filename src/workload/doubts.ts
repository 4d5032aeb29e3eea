// Writes of which nobody knows whether they were carried out, because their answers were lost. Nothing is decided for an
// owner while there are any: a plan would make up for what is already done, or rely on what is not. See settle.ts.

export type Doubt =
  | { readonly of: 'create' | 'record'; readonly name: string }
  | { readonly of: 'delete'; readonly name: string; readonly uid: string };

export class Doubts {
  readonly #byOwner = new Map<string, Map<string, Doubt>>();

  raise(ownerUid: string, doubt: Doubt): void {
    this.#byOwner.set(ownerUid, (this.#byOwner.get(ownerUid) ?? new Map()).set(keyOf(doubt), doubt));
  }

  resolve(ownerUid: string, doubt: Doubt): void {
    const doubts = this.#byOwner.get(ownerUid);
    doubts?.delete(keyOf(doubt));
    if (doubts?.size === 0) this.#byOwner.delete(ownerUid);
  }

  of(ownerUid: string): readonly Doubt[] {
    return [...(this.#byOwner.get(ownerUid)?.values() ?? [])];
  }

  /** The owner is gone. */
  forget(ownerUid: string): void {
    this.#byOwner.delete(ownerUid);
  }
}

function keyOf(doubt: Doubt): string {
  return doubt.of === 'delete' ? `delete ${doubt.uid}` : `${doubt.of} ${doubt.name}`;
}
