// A release mirror on loopback that serves files from memory, honours ranges, and can be told to misbehave.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export class Mirror implements AsyncDisposable {
  /** Every request so far: the path, and the range if one was asked for. */
  readonly requests: string[] = [];
  readonly #files = new Map<string, Buffer>();
  readonly #misbehaviour = new Map<string, Handler[]>();
  readonly #server: Server;
  #cut: { readonly at: number; readonly response: ServerResponse } | undefined;

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(): Promise<Mirror> {
    const mirror = new Mirror();
    await new Promise<void>((resolve) => mirror.#server.listen(0, '127.0.0.1', resolve));
    return mirror;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  serve(path: string, content: Buffer | string): this {
    this.#files.set(path, Buffer.from(content));
    return this;
  }

  /** Serves a file and, beside it, its checksum. */
  publish(path: string, content: Buffer | string): this {
    return this.serve(path, content).serve(`${path}.sha256`, sha256(content));
  }

  /** The next request for `path` is answered by `handler`; may be called several times. */
  once(path: string, handler: Handler): this {
    this.#misbehaviour.set(path, [...(this.#misbehaviour.get(path) ?? []), handler]);
    return this;
  }

  /**
   * The next request for `path` gets `bytes` bytes of its body and is cut when `clientHas` says that they arrived:
   * a client drops what it has received but not yet read, so only this makes the place of the cut certain.
   */
  cutOnce(path: string, bytes: number): this {
    return this.once(path, (request, response) => {
      const { body, start } = this.#range(request, path);
      response.writeHead(start > 0 ? 206 : 200, headers(body, start)).write(body.subarray(0, bytes));
      this.#cut = { at: start + bytes, response };
    });
  }

  /** To be called with the number of bytes that the client has of the file being cut. */
  clientHas(bytes: number): void {
    if (this.#cut !== undefined && bytes >= this.#cut.at) this.#cut.response.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.requests.push(request.headers.range ? `${path} ${request.headers.range}` : path);
    const misbehave = this.#misbehaviour.get(path)?.shift();
    if (misbehave) misbehave(request, response);
    else if (this.#files.has(path)) this.#send(path, request, response);
    else response.writeHead(404).end('not here');
  }

  #send(path: string, request: IncomingMessage, response: ServerResponse): void {
    const { body, start } = this.#range(request, path);
    response.writeHead(start > 0 ? 206 : 200, headers(body, start)).end(body);
  }

  #range(request: IncomingMessage, path: string): { body: Buffer; start: number } {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    return { body: (this.#files.get(path) ?? Buffer.alloc(0)).subarray(start), start };
  }
}

export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function headers(body: Buffer, start: number): Record<string, string | number> {
  const end = start + body.length;
  return {
    'content-length': body.length,
    ...(start > 0 ? { 'content-range': `bytes ${start}-${end - 1}/${end}` } : {}),
  };
}
