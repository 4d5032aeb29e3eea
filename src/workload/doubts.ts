// Writes for one owner of which nobody knows whether they were carried out, because their answers were lost. Nothing is
// decided for the owner while there are any: a plan would make up for what is already done, or rely on what is not. See
// settle.ts.

export type Doubt =
  | { readonly of: 'create' | 'record'; readonly name: string }
  | { readonly of: 'delete'; readonly name: string; readonly uid: string };

export class Doubts {
  readonly #doubts = new Map<string, Doubt>();

  raise(doubt: Doubt): void {
    this.#doubts.set(keyOf(doubt), doubt);
  }

  resolve(doubt: Doubt): void {
    this.#doubts.delete(keyOf(doubt));
  }

  get all(): readonly Doubt[] {
    return [...this.#doubts.values()];
  }
}

function keyOf(doubt: Doubt): string {
  return doubt.of === 'delete' ? `delete ${doubt.uid}` : `${doubt.of} ${doubt.name}`;
}
