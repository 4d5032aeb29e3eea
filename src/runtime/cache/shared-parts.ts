// Stores parts that many objects have in common once: a thousand pods of one owner have the same labels, the same owner
// reference and, if they became ready in the same second, the same status. This saves memory and makes reading all of
// them faster.

/** The first part that equals this one. The result may be shared, so it must never be changed. */
export type Share = <Part extends object>(part: Part) => Part;

/** Bounds the memory of parts that occur only once: beyond this number sharing starts over. */
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
