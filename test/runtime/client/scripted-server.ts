// An HTTP server on loopback that answers as the test says, request by request, and remembers what it was asked. For
// what a real API server cannot be made to do on demand: half a line, a lost answer, a 429.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connection, type ConnectionOptions } from '../../../src/runtime/client/connection.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: SeenRequest) => void;

export class ScriptedServer {
  readonly requests: SeenRequest[] = [];
  /** Sockets ever accepted. */
  sockets = 0;
  readonly #server: Server;
  readonly #script: Answer[] = [];
  readonly #connections: Connection[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', () => {
      this.sockets += 1;
    });
  }

  static async start(): Promise<ScriptedServer> {
    const server = createServer();
    const scripted = new ScriptedServer(server);
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const url = new URL(request.url ?? '/', 'http://scripted');
      const seen = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      scripted.requests.push(seen);
      (scripted.#script.shift() ?? status(500, 'InternalError', 'nothing scripted'))(response, seen);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next answers, one a request. */
  script(...answers: readonly Answer[]): void {
    this.#script.push(...answers);
  }

  /** An answer that comes before all that are scripted. */
  answerNext(answer: Answer): void {
    this.#script.unshift(answer);
  }

  connection(options: ConnectionOptions = {}, token = 'secret'): Connection {
    const cluster = { name: 'scripted', server: this.url, skipTLSVerify: false };
    const connection = new Connection({ cluster, user: { name: 'tester', token } }, options);
    this.#connections.push(connection);
    return connection;
  }

  /** How many sockets are open now. */
  async openSockets(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function json(code: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A refusal as the API server words it. */
export function status(
  code: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return json(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }, headers);
}

/** Takes the request and hangs up. */
export const hangUp: Answer = (response) => response.socket?.destroy();

/** Takes the request and never answers. */
export const silence: Answer = () => {};

/** A 200 whose body the test writes; one that cannot be written hangs up. */
export function stream(write: (response: ServerResponse) => unknown): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    Promise.resolve()
      .then(() => write(response))
      .catch((error) => response.destroy(error));
  };
}

export function line(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}
