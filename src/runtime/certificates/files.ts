// A serving certificate in two files that another component renews, such as cert-manager through a mounted Secret. The files are
// read again every ten seconds, because a mounted Secret changes by symbolic links, which file events do not report.
//
// Guarantees: a pair is used only when key and certificate belong together, so a moment between two writes does no harm;
// files that cannot be read leave the last good pair in use.

import { readFile } from 'node:fs/promises';
import { type Clock, monotonicClock, sleep } from '../clock.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Phase, Runnable } from '../manager/runnable.ts';
import type { KeyPair } from './authority.ts';
import { type CertificateObserver, tellExpiry } from './observer.ts';
import { belongTogether } from './secret.ts';
import { type CertificateSource, CurrentCertificate } from './source.ts';

export interface CertificateFilesOptions {
  readonly certFile: string;
  readonly keyFile: string;
  /** @default 10_000 */
  readonly pollMs?: number;
  readonly observer?: CertificateObserver;
  readonly clock?: Clock;
  readonly log?: Logger;
}

export class CertificateFiles implements Runnable, CertificateSource {
  readonly name = 'certificate files';
  readonly phase: Phase = 'servers';
  readonly #options: CertificateFilesOptions;
  readonly #observer: CertificateObserver;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #current = new CurrentCertificate();

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
    this.#observer = options.observer ?? {};
    this.#clock = options.clock ?? monotonicClock;
    this.#log = (options.log ?? silentLogger).with({ certFile: options.certFile });
  }

  subscribe(listener: (next: KeyPair) => void): () => void {
    return this.#current.subscribe(listener);
  }

  async start(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const pair = await this.#read();
        this.#current.set(pair);
        tellExpiry(this.#observer, 'serving', pair.cert);
        this.#observer.read?.('success');
      } catch (error) {
        this.#observer.read?.('error');
        this.#log.error('cannot read the certificate', { error });
      }
      // The signal ended the wait; the loop checks it.
      await sleep(this.#clock, this.#options.pollMs ?? 10_000, signal).catch(() => {});
    }
  }

  async #read(): Promise<KeyPair> {
    const { certFile, keyFile } = this.#options;
    const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
    if (!belongTogether({ cert, key })) throw new Error(`${keyFile} is not the key of ${certFile}`);
    return { cert, key };
  }
}
