// An HTTP server that answers the queries of gates as a test says, well or badly; and what it was asked.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly query: string | null;
  readonly authorization: string | undefined;
}

export type Answer = (response: ServerResponse, asked: Asked) => unknown;

/** Answers with this JSON. */
export const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Answers with one sample of this value. */
export const sample = (value: string): Answer =>
  json({ status: 'success', data: { resultType: 'vector', result: [{ metric: {}, value: [1, value] }] } });

/** Never answers. */
export const hang: Answer = () => {};

export class MisbehavingServer {
  readonly url: string;
  readonly asked: Asked[] = [];
  answer: Answer = sample('0');
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response));
  }

  static async start(): Promise<MisbehavingServer> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new MisbehavingServer(server);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const asked = await read(request);
      this.asked.push(asked);
      await this.answer(response, asked);
    } catch {
      response.destroy(); // given up in the middle, or no answer can be made because the test is over
    }
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url, headers } = request;
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  return { method, path: url, query: form.get('query'), authorization: headers.authorization };
}
