// A kind that is watched only from the moment on that another object asks for it, such as nodes for a policy about nodes. Until
// then it costs nothing and shows nothing. Controllers subscribe as to any other source. They wait for it, when they start, as soon
// as they know whether it is asked for: so a replica that takes over plans nothing from an empty cache.
//
// It is never closed, because another object may ask for it again.

import type { KubeObject } from '../object.ts';
import type { Resource } from '../resource.ts';
import type { ChangeHandler, Informer } from './informer.ts';

export interface LazyInformerProps<T extends KubeObject> {
  readonly resource: Resource<T>;
  /** Begins to watch. */
  readonly informer: () => Informer<T>;
  /** The objects that ask for it; the caller of `open` reads them. */
  readonly askers: Pick<Informer<KubeObject>, 'catchUp'>;
}

export class LazyInformer<T extends KubeObject> {
  readonly #props: LazyInformerProps<T>;
  readonly #handlers = new Map<ChangeHandler<T>, (() => void) | undefined>();
  #informer: Informer<T> | undefined;

  constructor(props: LazyInformerProps<T>) {
    this.#props = props;
  }

  get resource(): Resource<T> {
    return this.#props.resource;
  }

  /** Begins to watch, unless it has begun. */
  open(): void {
    if (this.#informer !== undefined) return;
    this.#informer = this.#props.informer();
    for (const handler of this.#handlers.keys()) this.#handlers.set(handler, this.#informer.onChange(handler));
  }

  /** Undefined as long as it is closed. */
  get(key: string): T | undefined {
    return this.#informer?.get(key);
  }

  /** Empty as long as it is closed. */
  byIndex(name: string, value: string): readonly T[] {
    return this.#informer?.byIndex(name, value) ?? [];
  }

  /** Resolves when it shows everything that was there when this was called, or later, if it is asked for. */
  async catchUp(): Promise<void> {
    await this.#props.askers.catchUp();
    await this.#informer?.catchUp();
  }

  /** Calls back for every change until the returned function is called. */
  onChange(handler: ChangeHandler<T>): () => void {
    const entry: ChangeHandler<T> = (change) => handler(change);
    this.#handlers.set(entry, this.#informer?.onChange(entry));
    return () => {
      this.#handlers.get(entry)?.();
      this.#handlers.delete(entry);
    };
  }
}
