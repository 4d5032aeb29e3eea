// Certificates in files that another component renews, such as cert-manager through a mounted Secret. The files are read again
// every ten seconds, because a mounted Secret changes by symbolic links, which file events do not report.
//
// Guarantees: a serving certificate is used only with its own key, so a read between two writes does no harm; a client CA is used
// only if the file begins with a certificate, because with an empty file Node would trust every public CA. While files cannot be
// read, the last valid content stays in use; before there was any, no client is served.

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Clock, monotonicClock, sleep } from '../clock.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Phase, Runnable } from '../manager/runnable.ts';
import type { KeyPair } from './authority.ts';
import { type CertificateObserver, tellExpiry } from './observer.ts';
import { belongTogether } from './secret.ts';
import { type CertificateSource, type ClientCaSource, Current, type Source } from './source.ts';

interface PollOptions {
  /** @default 10_000 */
  readonly pollMs?: number;
  readonly clock?: Clock;
  readonly log?: Logger;
}

/** Where the files are. */
export interface CertificateFilesOptions extends PollOptions {
  readonly certFile: string;
  readonly keyFile: string;
  readonly observer?: CertificateObserver;
}

export interface ClientCaFileOptions extends PollOptions {
  readonly file: string;
}

/** Reads a value again and again. */
abstract class PolledFiles<T> implements Runnable, Source<T> {
  abstract readonly name: string;
  readonly phase: Phase = 'servers';
  readonly #pollMs: number;
  readonly #clock: Clock;
  readonly #current = new Current<T>();

  constructor({ pollMs = 10_000, clock = monotonicClock }: PollOptions) {
    this.#pollMs = pollMs;
    this.#clock = clock;
  }

  subscribe(listener: (next: T) => void): () => void {
    return this.#current.subscribe(listener);
  }

  async start(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const value = await this.read();
        this.#current.set(value);
        this.succeeded(value);
      } catch (error) {
        this.failed(error);
      }
      // The signal ended the wait; the loop checks it.
      await sleep(this.#clock, this.#pollMs, signal).catch(() => {});
    }
  }

  /** Throws when the files cannot be used. */
  protected abstract read(): Promise<T>;
  protected abstract failed(error: unknown): void;
  protected succeeded(_value: T): void {}
}

/** The serving certificate and its key. */
export class CertificateFiles extends PolledFiles<KeyPair> implements CertificateSource {
  readonly name = 'certificate files';
  readonly #options: CertificateFilesOptions;
  readonly #log: Logger;

  constructor(options: CertificateFilesOptions) {
    super(options);
    this.#options = options;
    this.#log = (options.log ?? silentLogger).with({ certFile: options.certFile });
  }

  protected async read(): Promise<KeyPair> {
    const { certFile, keyFile } = this.#options;
    const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
    if (!belongTogether({ cert, key })) throw new Error(`${keyFile} is not the key of ${certFile}`);
    return { cert, key };
  }

  protected override succeeded({ cert }: KeyPair): void {
    const { observer = {} } = this.#options;
    tellExpiry(observer, 'serving', cert);
    observer.read?.('success');
  }

  protected failed(error: unknown): void {
    this.#options.observer?.read?.('error');
    this.#log.error('cannot read the certificate', { error });
  }
}

/** The CA whose certificates clients must show. */
export class ClientCaFile extends PolledFiles<string> implements ClientCaSource {
  readonly name = 'client CA file';
  readonly #file: string;
  readonly #log: Logger;

  constructor(options: ClientCaFileOptions) {
    super(options);
    this.#file = options.file;
    this.#log = (options.log ?? silentLogger).with({ file: options.file });
  }

  protected async read(): Promise<string> {
    const pem = await readFile(this.#file, 'utf8');
    new X509Certificate(pem); // throws unless the file begins with a certificate
    return pem;
  }

  protected failed(error: unknown): void {
    this.#log.error('cannot read the CA of clients', { error });
  }
}
