// Holds the operator to an end: of pods that admission robs of what their owner knows them by, there are never more than
// one attempt makes. A process that dies, or that hears nothing, may leave those of its last attempt behind.

import type { Pod } from '../../../src/workload/pod.ts';
import { isActive } from '../../support/pod-facts.ts';
import type { Commit } from './api-server.ts';
import type { Schedule } from './schedule.ts';

/** The most pods that any schedule allows at once. */
const MOST_AT_ONCE = 15;
/** After these an operator may not know what became of its last attempt. */
const SEVERED: readonly string[] = ['crash', 'crashAtWrite', 'depose', 'apiDown', 'weather'];

export class AlteredPods {
  readonly #names = new Set<string>();
  readonly #present = new Set<string>();
  readonly #allowed: number;

  constructor({ steps }: Schedule) {
    this.#allowed = MOST_AT_ONCE * (1 + steps.filter(({ act }) => SEVERED.includes(act.do)).length);
  }

  add(name: string): void {
    this.#names.add(name);
  }

  /** What is wrong after this write; undefined when nothing is. */
  take({ resource, type, object }: Commit): string | undefined {
    const { name, uid } = object.metadata;
    if (resource.kind !== 'Pod' || !this.#names.has(name)) return undefined;
    if (type === 'DELETED' || !isActive(object as Pod)) this.#present.delete(uid);
    else this.#present.add(uid);
    const { size } = this.#present;
    return size > this.#allowed ? `${size} pods that admission changed, where ${this.#allowed} are allowed` : undefined;
  }
}
