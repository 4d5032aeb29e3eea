// One HTTP or HTTPS server with the life of a Runnable: listens when started, and when told to stop lets the answers on
// their way finish, refuses new connections and closes the rest.
//
// Guarantees: a handler that throws is answered with 500 and logged, and harms no other request; a certificate that
// changes is used from the next handshake on, without closing a connection; TLS is 1.2 or newer.

import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from '../certificates/authority.ts';
import type { CertificateSource } from '../certificates/source.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Address } from './address.ts';
import { sendText } from './http.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export interface ListenerOptions {
  readonly address: Address;
  readonly handler: Handler;
  /** Serves HTTPS with these; waits for the first one before it listens. @default plain HTTP */
  readonly certificates?: CertificateSource;
  /** A request must have arrived within this time. @default 30_000 */
  readonly requestTimeoutMs?: number;
  readonly log?: Logger;
}

/**
 * Go's clients, the API server's among them, close a connection that was idle for 90 s. They must be first: a request
 * sent on a connection that we are just closing is lost, and an admission with it.
 */
const KEEP_ALIVE_MS = 120_000;

export class Listener {
  readonly #options: ListenerOptions;
  readonly #log: Logger;
  readonly #listening = Promise.withResolvers<number>();
  /** Not answered yet. */
  readonly #open = new Set<ServerResponse>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLogger;
  }

  /** Resolves with the port once connections are accepted. */
  get listening(): Promise<number> {
    return this.#listening.promise;
  }

  async start(signal: AbortSignal): Promise<void> {
    const { certificates } = this.#options;
    if (certificates === undefined) return this.#serve(createHttpServer(this.#timeouts()), signal);
    const server = createHttpsServer(this.#timeouts());
    const ready = Promise.withResolvers<void>();
    const unsubscribe = certificates.subscribe((next) => {
      this.#use(server, next);
      ready.resolve();
    });
    const onAbort = (): void => ready.resolve();
    signal.addEventListener('abort', onAbort);
    try {
      await ready.promise;
      await this.#serve(server, signal);
    } finally {
      signal.removeEventListener('abort', onAbort);
      unsubscribe();
    }
  }

  async #serve(server: Server, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { host, port } = this.#options.address;
    server.on('request', (request, response) => this.#answer(request, response));
    server.listen({ port, ...(host === undefined ? {} : { host }) });
    await once(server, 'listening');
    const bound = (server.address() as AddressInfo).port;
    this.#log.info('listening', { ...(host !== undefined && { host }), port: bound });
    this.#listening.resolve(bound);
    const closed = once(server, 'close');
    const close = (): void => {
      server.close();
      // Or the client would keep its connection, and we would wait for it to give it up.
      for (const response of this.#open) if (!response.headersSent) response.setHeader('connection', 'close');
    };
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) close();
    await closed;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    const answered = new Promise<void>((resolve) => resolve(this.#options.handler(request, response)));
    answered.catch((error) => {
      this.#log.error('handler failed', { method: request.method, url: request.url, error });
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'internal server error\n');
    });
  }

  #use(server: HttpsServer, { cert, key }: KeyPair): void {
    try {
      server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' });
      this.#log.info('serving certificate loaded');
    } catch (error) {
      this.#log.error('cannot use the new certificate, keeping the old one', { error });
    }
  }

  #timeouts(): { readonly requestTimeout: number; readonly headersTimeout: number; readonly keepAliveTimeout: number } {
    const requestTimeout = this.#options.requestTimeoutMs ?? 30_000;
    const headersTimeout = Math.min(requestTimeout, 10_000);
    return { requestTimeout, headersTimeout, keepAliveTimeout: KEEP_ALIVE_MS };
  }
}
