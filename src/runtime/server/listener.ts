// One HTTP or HTTPS server as a Runnable: listens when started; when stopped, finishes running responses, refuses new
// connections and closes the rest.
//
// Guarantees: an error of a handler is answered with 500 and logged, and affects no other request; a renewed
// certificate is used from the next handshake on, without closing a connection; TLS is 1.2 or newer; connections,
// handshakes and the time of each step of a request are bounded. With a client CA, a connection without a certificate
// of that CA ends in the handshake.

import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { KeyPair } from '../certificates/authority.ts';

import type { CertificateSource, ClientCaSource } from '../certificates/source.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Address } from './address.ts';
import { type ConnectionLimits, Connections } from './connections.ts';
import { sendText } from './http.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export interface ListenerOptions {
  /** Says in the log which server this is: `health`, `metrics` or `webhook`. */
  readonly name?: string;
  readonly address: Address;
  readonly handler: Handler;
  /** Serves HTTPS with these; waits for the first one before it listens. @default plain HTTP */
  readonly certificates?: CertificateSource;
  /** Only clients with a certificate of this CA are served; waits for the first one, too. @default every client */
  readonly clientCa?: ClientCaSource;
  /** A request must have arrived within this time. @default 10_000 */
  readonly requestTimeoutMs?: number;
  /** @default 256 connections, 64 handshakes */
  readonly limits?: ConnectionLimits;
  readonly log?: Logger;
}

/**
 * Go's clients, including the API server, close a connection after 90 s without a request. They must close it first: a
 * request on a connection that this server is closing is lost, and an admission with it.
 */
const KEEP_ALIVE_MS = 120_000;
/** A connection on which nothing moves. The longest that Kubernetes lets a webhook take is 30 s. */
const SILENCE_MS = 60_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** How often Node looks for requests that are late; its own 30 s would make every time-out that much longer. */
const CHECK_EVERY_MS = 1_000;
/** A TLS connection takes a hundred kilobytes. */
const LIMITS: ConnectionLimits = { connections: 256, handshakes: 64 };

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
    const { certificates, clientCa } = this.#options;
    if (certificates === undefined) return this.#serve(createHttpServer(this.#timeouts()), 'http', signal);
    const mutual = clientCa !== undefined && { requestCert: true, rejectUnauthorized: true };
    const server = createHttpsServer({ ...this.#timeouts(), ...mutual, handshakeTimeout: HANDSHAKE_TIMEOUT_MS });
    const ready = Promise.withResolvers<void>();
    const unsubscribe = onMaterial(certificates, clientCa, (material) => {
      this.#use(server, material);
      ready.resolve();
    });
    const onAbort = (): void => ready.resolve();
    signal.addEventListener('abort', onAbort);
    try {
      await ready.promise;
      await this.#serve(server, 'https', signal);
    } finally {
      signal.removeEventListener('abort', onAbort);
      unsubscribe();
    }
  }

  async #serve(server: Server, protocol: 'http' | 'https', signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { name, address } = this.#options;
    const { host, port } = address;
    new Connections(this.#options.limits ?? LIMITS).guard(server, protocol);
    server.on('request', (request, response) => this.#answer(request, response));
    server.setTimeout(SILENCE_MS);
    server.listen({ port, ...(host === undefined ? {} : { host }) });
    await once(server, 'listening');
    const bound = (server.address() as AddressInfo).port;
    this.#log.info('listening', {
      ...(name !== undefined && { server: name }),
      ...(host !== undefined && { host }),
      port: bound,
    });
    this.#listening.resolve(bound);
    const closed = once(server, 'close');
    const close = (): void => {
      server.close();
      // Otherwise the client would keep its connection, and the stop would wait for it.
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
      this.#log.error('handler failed', { error });
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'internal server error\n');
    });
  }

  #use(server: HttpsServer, material: SecureContextOptions): void {
    try {
      server.setSecureContext({ ...material, minVersion: 'TLSv1.2' });
      this.#log.info('serving certificate loaded');
    } catch (error) {
      this.#log.error('cannot use the new certificate, keeping the old one', { error });
    }
  }

  #timeouts(): ServerOptions {
    const requestTimeout = this.#options.requestTimeoutMs ?? 10_000;
    return {
      requestTimeout,
      headersTimeout: Math.min(requestTimeout, 10_000),
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
  }
}

/** Calls back with the material for handshakes once it is complete, and whenever a part of it changes. */
function onMaterial(
  certificates: CertificateSource,
  clientCa: ClientCaSource | undefined,
  use: (material: SecureContextOptions) => void,
): () => void {
  let pair: KeyPair | undefined;
  let ca: string | undefined;
  const tell = (): void => {
    if (pair === undefined || (clientCa !== undefined && ca === undefined)) return;
    use({ cert: pair.cert, key: pair.key, ...(ca !== undefined && { ca }) });
  };
  const unsubscribeCa = clientCa?.subscribe((next) => {
    ca = next;
    tell();
  });
  const unsubscribe = certificates.subscribe((next) => {
    pair = next;
    tell();
  });
  return () => {
    unsubscribeCa?.();
    unsubscribe();
  };
}
