// An HTTP proxy in front of a real API server that can misbehave where a TCP proxy cannot: answer 429 or 500, or end
// every watch as soon as it begins. It signs in with the credentials it was given; its clients need none.

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Access } from '../../../src/runtime/client/access.ts';
import { CredentialReader, type Credentials } from '../../../src/runtime/client/credentials.ts';

export type Fault =
  | { readonly kind: 'refuse'; readonly code: number; readonly retryAfterSeconds?: number }
  | { readonly kind: 'endWatches' };

export class FaultProxy {
  fault: Fault | undefined;
  /** Requests that have arrived. */
  requests = 0;
  readonly #server: Server;
  readonly #target: URL;
  readonly #credentials: Credentials;

  private constructor(server: Server, target: URL, credentials: Credentials) {
    this.#server = server;
    this.#target = target;
    this.#credentials = credentials;
    server.on('request', (incoming, outgoing) => this.#answer(incoming, outgoing));
  }

  static async to(access: Access): Promise<FaultProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const credentials = await new CredentialReader(access).read();
    return new FaultProxy(server, new URL(access.cluster.server), credentials);
  }

  /** How a client reaches the server through here. */
  get access(): Access {
    const server = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return { cluster: { name: 'proxied', server, skipTLSVerify: false }, user: { name: 'nobody' } };
  }

  /** Ends every open connection; new ones are accepted. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.requests += 1;
    if (this.fault?.kind === 'refuse') {
      const { code, retryAfterSeconds } = this.fault;
      const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
      outgoing.writeHead(code, headers).end(`proxy says ${code}`);
    } else if (this.fault?.kind === 'endWatches' && incoming.url?.includes('watch=true')) {
      outgoing.writeHead(200).end();
    } else {
      this.#forward(incoming, outgoing);
    }
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { headers, method, url } = incoming;
    const send = this.#target.protocol === 'https:' ? secureRequest : request;
    const onward = send(new URL(url ?? '/', this.#target), {
      ...this.#credentials.tls,
      method,
      headers: { ...headers, ...this.#credentials.headers, host: this.#target.host },
    });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}
