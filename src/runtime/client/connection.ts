// The connection to one API server: its address, its sockets and the present credentials. Sockets are shared by every
// client in the process and replaced only when the CA or the client certificate changes; tokens are just headers.
//
// Guarantees: files are looked at again after a minute at most; `renew` looks at once, but not more than once a second
// however many requests fail together; credentials that cannot be read any more leave the last good ones in use.

import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { type Clock, monotonicClock } from '../clock.ts';
import { type Instant, later, msBetween } from '../instant.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Access } from './access.ts';
import { CredentialReader, type Credentials, type Headers } from './credentials.ts';
import { Abandoned } from './failure.ts';

/** What one request needs. A new object each time that anything in it changes. */
export interface Channel {
  readonly headers: Headers;
  /** For requests that end soon: a bounded number of sockets, kept alive. */
  readonly requests: Dispatcher;
  /** For watches: each holds its HTTP/1.1 socket for minutes, so they must not use up the bound above. */
  readonly streams: Dispatcher;
}

/** Settings of a connection. */
export interface ConnectionOptions {
  /** Most sockets for ordinary requests. @default 64 */
  readonly sockets?: number;
  /** @default 'mydeployment-runtime' */
  readonly userAgent?: string;
  readonly clock?: Clock;
  readonly log?: Logger;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** client-go's value: below the idle time-outs of common load balancers. */
const TCP_KEEP_ALIVE_MS = 30_000;
/** The API server keeps idle connections for three minutes; leave before it does, so that no request meets a closing one. */
const IDLE_SOCKET_MS = 90_000;
const LEAST_BETWEEN_RENEWALS_MS = 1_000;

/** The sockets and the credentials for one API server, shared by the clients of a process. */
export class Connection {
  readonly access: Access;
  readonly server: URL;
  readonly #options: ConnectionOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #reader: CredentialReader;
  readonly #dispatchers = new Set<Dispatcher>();
  #channel: Channel | undefined;
  #tls: string | undefined;
  #freshUntil: Instant | undefined;
  #renewedAt: Instant | undefined;
  #loading: Promise<Channel> | undefined;
  #closed = false;

  constructor(access: Access, options: ConnectionOptions = {}) {
    this.access = access;
    this.server = new URL(access.cluster.server);
    this.#options = options;
    this.#clock = options.clock ?? monotonicClock;
    this.#log = options.log ?? silentLogger;
    this.#reader = new CredentialReader(access);
  }

  /** Sockets and headers to use now; reads credentials only when they are due. */
  async current(): Promise<Channel> {
    if (this.#closed) throw new Abandoned(`connection to ${this.server.host} is closed`);
    const isFresh = this.#freshUntil !== undefined && this.#clock.now() < this.#freshUntil;
    if (this.#channel !== undefined && isFresh) return this.#channel;
    return this.#load();
  }

  /** Reads credentials again because the server refused these; true when there are others to try with. */
  async renew(refused: Channel): Promise<boolean> {
    if (this.#channel !== refused) return true;
    const now = this.#clock.now();
    if (this.#renewedAt === undefined || msBetween(this.#renewedAt, now) >= LEAST_BETWEEN_RENEWALS_MS) {
      this.#renewedAt = now;
      this.#reader.forget();
    } else if (this.#loading === undefined) {
      return false;
    }
    return (await this.#load()) !== refused;
  }

  /** Ends every request and closes every socket. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#dispatchers].map((dispatcher) => dispatcher.destroy()));
    this.#dispatchers.clear();
  }

  #load(): Promise<Channel> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<Channel> {
    try {
      const credentials = await this.#reader.read();
      this.#channel = this.#channelFor(credentials);
      this.#freshUntil = later(this.#clock.now(), this.#reader.maxAgeMs);
      return this.#channel;
    } catch (cause) {
      const user = this.access.user.name;
      if (this.#channel === undefined) throw new Error(`cannot read the credentials of user "${user}"`, { cause });
      this.#log.warn('cannot read credentials, using the last good ones', { user, error: cause });
      this.#freshUntil = later(this.#clock.now(), LEAST_BETWEEN_RENEWALS_MS);
      return this.#channel;
    }
  }

  #channelFor({ tls, headers }: Credentials): Channel {
    const old = this.#channel;
    const fingerprint = JSON.stringify(tls);
    if (old === undefined || fingerprint !== this.#tls) {
      if (old !== undefined) this.#retire(old);
      this.#tls = fingerprint;
      return {
        headers: this.#withUserAgent(headers),
        requests: this.#dispatcher(tls, this.#options.sockets ?? 64),
        streams: this.#dispatcher(tls, null),
      };
    }
    const next = this.#withUserAgent(headers);
    return JSON.stringify(next) === JSON.stringify(old.headers) ? old : { ...old, headers: next };
  }

  #withUserAgent(headers: Headers): Headers {
    return { 'user-agent': this.#options.userAgent ?? 'mydeployment-runtime', ...headers };
  }

  #dispatcher(tls: Credentials['tls'], connections: number | null): Dispatcher {
    const { cluster } = this.access;
    const connect = {
      ...tls,
      rejectUnauthorized: !cluster.skipTLSVerify,
      ...(cluster.tlsServerName ? { servername: cluster.tlsServerName } : {}),
      timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    };
    // HTTP/1.1: one request a socket keeps a slow answer from delaying others. The client's own deadlines replace undici's.
    const shared = { allowH2: false, connections, keepAliveTimeout: IDLE_SOCKET_MS, headersTimeout: 0, bodyTimeout: 0 };
    const dispatcher = cluster.proxyUrl
      ? new ProxyAgent({ uri: cluster.proxyUrl, requestTls: connect, ...shared })
      : new Agent({ connect, ...shared });
    this.#dispatchers.add(dispatcher);
    return dispatcher;
  }

  /** Lets the requests on their way finish, then closes the sockets; a watch ends with its own time-out. */
  #retire(channel: Channel): void {
    for (const dispatcher of [channel.requests, channel.streams]) {
      dispatcher.close().then(
        () => this.#dispatchers.delete(dispatcher),
        (error) => this.#log.warn('cannot close retired sockets', { error }),
      );
    }
  }
}
