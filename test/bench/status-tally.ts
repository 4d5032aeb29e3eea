// Since when the status of each object says that all is as asked, from watch events.

import type { KubeObject } from '../../src/runtime/object.ts';

export class StatusTally {
  /** By name; undefined while the status says otherwise. */
  readonly #reportedSince = new Map<string, number | undefined>();
  #reported = 0;

  /** True when there are this many objects and the status of each says so, and began to after this moment. */
  isReported(objects: number, after: number): boolean {
    if (this.#reported < objects || this.#reportedSince.size !== objects) return false;
    return [...this.#reportedSince.values()].every((since) => since !== undefined && since > after);
  }

  /** Since when the status of this object says so; undefined while it does not. */
  reportedSince(name: string): number | undefined {
    return this.#reportedSince.get(name);
  }

  /** What takes the events of objects whose status is read like this. */
  of<T extends KubeObject>(isReported: (object: T) => boolean) {
    return {
      observe: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T, at: number): void => {
        if (type === 'DELETED') this.#remove(object.metadata.name);
        else this.#set(object.metadata.name, isReported(object), at);
      },
      replace: (objects: readonly T[], at: number): void => {
        const listed = new Set(objects.map(({ metadata }) => metadata.name));
        for (const name of this.#reportedSince.keys()) if (!listed.has(name)) this.#remove(name);
        for (const object of objects) this.#set(object.metadata.name, isReported(object), at);
      },
    };
  }

  toString(): string {
    return `${this.#reported} of ${this.#reportedSince.size} statuses say so`;
  }

  #set(name: string, reported: boolean, at: number): void {
    const before = this.#reportedSince.get(name);
    const after = reported ? (before ?? at) : undefined;
    this.#reportedSince.set(name, after);
    if (before !== after) this.#reported += reported ? 1 : -1;
  }

  #remove(name: string): void {
    if (this.#reportedSince.get(name) !== undefined) this.#reported--;
    this.#reportedSince.delete(name);
  }
}
