// The source of a server's certificate: files that another component renews, or the operator's own rotator. A server gets the
// present certificate and every later one.

import type { KeyPair } from './authority.ts';

export interface CertificateSource {
  /** Calls back with the present certificate, if there is one, and with every later one until the result is called. */
  subscribe(listener: (next: KeyPair) => void): () => void;
}

/** Holds the present certificate and calls the listeners when it changes. */
export class CurrentCertificate implements CertificateSource {
  readonly #listeners = new Set<(next: KeyPair) => void>();
  #current: KeyPair | undefined;

  /** Takes a certificate into use; one that is in use already changes nothing. */
  set(next: KeyPair): void {
    if (this.#current?.cert === next.cert && this.#current.key === next.key) return;
    this.#current = next;
    for (const listener of this.#listeners) listener(next);
  }

  subscribe(listener: (next: KeyPair) => void): () => void {
    // Wrapped, so that the same function twice is two listeners.
    const entry = (next: KeyPair): void => listener(next);
    this.#listeners.add(entry);
    if (this.#current !== undefined) entry(this.#current);
    return () => this.#listeners.delete(entry);
  }
}
