// A certificate or CA that changes while it is in use, and the servers that use it. A server gets the present one and every later
// one.

import { isDeepStrictEqual } from 'node:util';
import type { KeyPair } from './authority.ts';

export interface Source<T> {
  /** Calls back with the present value, if there is one, and with every later one until the result is called. */
  subscribe(listener: (next: T) => void): () => void;
}

/** A serving certificate: from files that another component renews, or from the operator's own rotator. */
export type CertificateSource = Source<KeyPair>;

/** The PEM of the CA whose certificates clients must show. */
export type ClientCaSource = Source<string>;

/** Holds the present value and calls the listeners when it changes. */
export class Current<T> implements Source<T> {
  readonly #listeners = new Set<(next: T) => void>();
  #current: T | undefined;

  /** Takes a value into use; one that is in use already changes nothing. */
  set(next: T): void {
    if (isDeepStrictEqual(next, this.#current)) return;
    this.#current = next;
    for (const listener of this.#listeners) listener(next);
  }

  subscribe(listener: (next: T) => void): () => void {
    // Wrapped, so that the same function twice is two listeners.
    const entry = (next: T): void => listener(next);
    this.#listeners.add(entry);
    if (this.#current !== undefined) entry(this.#current);
    return () => this.#listeners.delete(entry);
  }
}

export class CurrentCertificate extends Current<KeyPair> implements CertificateSource {}
