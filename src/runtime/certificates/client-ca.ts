// The CA whose certificates clients must show, in a file that another component keeps. It is read again every ten seconds,
// as serving certificates in files are (files.ts).
//
// Guarantees: only a file that begins with a certificate is used, because with an empty one Node would trust every public
// CA; a file that cannot be read leaves the last good one in use, and as long as there was none, no client is served.

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Clock, monotonicClock, sleep } from '../clock.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Phase, Runnable } from '../manager/runnable.ts';

export interface ClientCaSource {
  /** Calls back with the present PEM, if there is one, and with every later one until the result is called. */
  subscribe(listener: (pem: string) => void): () => void;
}

export interface ClientCaFileOptions {
  readonly file: string;
  /** @default 10_000 */
  readonly pollMs?: number;
  readonly clock?: Clock;
  readonly log?: Logger;
}

export class ClientCaFile implements Runnable, ClientCaSource {
  readonly name = 'client CA file';
  readonly phase: Phase = 'servers';
  readonly #options: ClientCaFileOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #listeners = new Set<(pem: string) => void>();
  #current: string | undefined;

  constructor(options: ClientCaFileOptions) {
    this.#options = options;
    this.#clock = options.clock ?? monotonicClock;
    this.#log = (options.log ?? silentLogger).with({ file: options.file });
  }

  subscribe(listener: (pem: string) => void): () => void {
    const entry = (pem: string): void => listener(pem);
    this.#listeners.add(entry);
    if (this.#current !== undefined) entry(this.#current);
    return () => this.#listeners.delete(entry);
  }

  async start(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#read().catch((error) => this.#log.error('cannot read the CA of clients', { error }));
      // The signal ended the wait; the loop checks it.
      await sleep(this.#clock, this.#options.pollMs ?? 10_000, signal).catch(() => {});
    }
  }

  async #read(): Promise<void> {
    const pem = await readFile(this.#options.file, 'utf8');
    new X509Certificate(pem); // throws unless the file begins with a certificate
    if (pem === this.#current) return;
    this.#current = pem;
    for (const listener of this.#listeners) listener(pem);
  }
}
