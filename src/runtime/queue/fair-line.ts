// A line of keys that is fair to tenants, which are namespaces: within a priority the namespaces take turns, so a
// namespace with ten thousand keys delays the key of another by one place. Inside a namespace keys keep their order.

import { Heap } from './heap.ts';

export interface Waiting {
  readonly key: string;
  readonly priority: number;
  /** Smaller ones go first. */
  readonly order: number;
}

interface Tenant {
  /** The namespace; empty for keys without one, which are one tenant. */
  readonly key: string;
  /** Invariant: not empty. */
  readonly keys: Heap<Waiting>;
  /** Smaller ones go first. A tenant gets the last one when it enters the line, and again when it was served. */
  readonly turn: number;
}

export class FairLine {
  readonly #tenants = new Heap<Tenant>((a, b) => priorityOf(b) - priorityOf(a) || a.turn - b.turn);
  #turns = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: string): Waiting | undefined {
    return this.#tenants.get(namespaceOf(key))?.keys.get(key);
  }

  /** Puts the key in, in the place of an older entry of it. */
  set(waiting: Waiting): void {
    const key = namespaceOf(waiting.key);
    const tenant = this.#tenants.get(key) ?? { key, keys: new Heap<Waiting>(byPriority), turn: this.#turns++ };
    if (tenant.keys.get(waiting.key) === undefined) this.#size += 1;
    tenant.keys.set(waiting);
    this.#tenants.set(tenant);
  }

  /** Takes out the key that goes first. */
  pop(): Waiting | undefined {
    const tenant = this.#tenants.peek();
    if (tenant === undefined) return undefined;
    return this.#take(tenant.keys.peek()?.key as string, { ...tenant, turn: this.#turns++ });
  }

  delete(key: string): Waiting | undefined {
    const tenant = this.#tenants.get(namespaceOf(key));
    return tenant?.keys.get(key) && this.#take(key, tenant);
  }

  /** Takes the key from this tenant, and puts the tenant where it belongs from now on. */
  #take(key: string, tenant: Tenant): Waiting | undefined {
    this.#size -= 1;
    const taken = tenant.keys.delete(key);
    if (tenant.keys.size === 0) this.#tenants.delete(tenant.key);
    else this.#tenants.set(tenant);
    return taken;
  }
}

function byPriority(a: Waiting, b: Waiting): number {
  return b.priority - a.priority || a.order - b.order;
}

function priorityOf({ keys }: Tenant): number {
  return keys.peek()?.priority as number;
}

function namespaceOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('/')));
}
