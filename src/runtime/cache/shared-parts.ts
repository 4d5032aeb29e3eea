// Keeps parts that many objects have in common once: a thousand pods of one owner have the same labels, the same owner
// reference and, those that became ready in the same second, the same status. It saves memory, and whoever reads all of
// them finds most of what it reads in the processor's cache.

/** The first part given that says the same as this one. What it returns may be anybody's, so it must never be changed. */
export type Share = <Part extends object>(part: Part) => Part;

/** Parts that came once and never again must not pile up, so beyond this many sharing begins anew. */
const MOST_PARTS = 1024;

export class SharedParts {
  readonly #parts = new Map<string, object>();

  readonly share: Share = <Part extends object>(part: Part): Part => {
    const text = JSON.stringify(part);
    const known = this.#parts.get(text);
    if (known !== undefined) return known as Part;
    if (this.#parts.size >= MOST_PARTS) this.#parts.clear();
    this.#parts.set(text, part);
    return part;
  };
}
