// Stands between one operator and the API server as an HTTPS server with the API server's own certificate, so that it sees
// every single write and decides what becomes of it: passed on, swallowed before or after it was carried out, refused.
// Reads and watches pass as they are. The operator's token is passed on, so it keeps its own rights, and loses them when a
// token is declared expired.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../../../src/cluster/cluster.ts';

/** A request that changes something, as it arrived. */
export interface Write {
  readonly method: string;
  readonly path: string;
}

/** `swallow`: it never arrives. `lose`: it is carried out, and its answer is never heard. A number: refused with it. */
export type Fate = 'pass' | 'swallow' | 'lose' | number;

export class WriteProxy {
  readonly url: string;
  /** Decides about every write. */
  judge: (write: Write) => Fate = () => 'pass';
  /** True for watches that are to show nothing for now; what they have to show waits. */
  isHeld: (path: string) => boolean = () => false;
  /** Called when a lost write has been carried out. */
  onLost: () => void = () => {};
  /** A token that the API server is to take for none of its own. */
  expired: string | undefined;
  readonly #writes = new Map<string, number>();
  readonly #server: Server;
  readonly #target: URL;
  readonly #agent: Agent;

  readonly #cluster: Cluster;

  private constructor(server: Server, cluster: Cluster) {
    const { server: target, ca } = cluster;
    this.#server = server;
    this.#cluster = cluster;
    this.#target = new URL(target);
    this.#agent = new Agent({ ca, keepAlive: true, maxSockets: 256 });
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (incoming, outgoing) => void this.#answer(incoming, outgoing));
  }

  static async to(cluster: Cluster): Promise<WriteProxy> {
    const server = createServer(await certificateOf(cluster));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WriteProxy(server, cluster);
  }

  /** How many writes there have been about this namespace. Events are told in passing: they do not count. */
  writesAbout(namespace: string): number {
    return this.#writes.get(namespace) ?? 0;
  }

  /** Shows the certificate that the API server now has. */
  async readCertificate(): Promise<void> {
    this.#server.setSecureContext(await certificateOf(this.#cluster));
  }

  /** Ends every connection; new ones are accepted. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    this.#agent.destroy();
    await once(this.#server, 'close');
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = incoming;
    incoming.on('error', () => {}); // a killed operator cuts its connections, which is what we are here for
    if (method === 'GET') {
      this.#forward(incoming, outgoing, undefined);
      return;
    }
    const body = await buffer(incoming).catch(() => undefined);
    if (body === undefined) return;
    const namespace = namespaceOf(path);
    if (namespace !== undefined) this.#writes.set(namespace, this.writesAbout(namespace) + 1);
    const fate = this.judge({ method, path });
    if (typeof fate === 'number') refuse(outgoing, fate);
    else if (fate !== 'swallow') this.#forward(incoming, outgoing, { body, isLost: fate === 'lose' });
  }

  async #show(path: string, answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      for await (const chunk of answer) {
        await held(() => this.isHeld(path) && !outgoing.destroyed);
        outgoing.write(chunk);
      }
      outgoing.end();
    } catch {
      outgoing.destroy(); // either side has gone
    }
  }

  #forward(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    write: { body: Buffer; isLost: boolean } | undefined,
  ): void {
    const { method, url: path } = incoming;
    const headers = this.#spoil(incoming.headers);
    const { hostname: host, port } = this.#target;
    const onward = request({ host, port, method, path, headers, agent: this.#agent }, (answer) => {
      if (write?.isLost) {
        answer.resume().once('end', () => this.onLost());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (path?.includes('watch=true')) void this.#show(path, answer, outgoing);
      else pipeline(answer, outgoing, () => {}); // an answer that breaks off breaks off for the operator, too
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.once('close', () => onward.destroy());
    onward.end(write?.body);
  }

  #spoil(headers: IncomingHttpHeaders): IncomingHttpHeaders {
    const isSpoilt = this.expired !== undefined && headers.authorization === `Bearer ${this.expired}`;
    return isSpoilt ? { ...headers, authorization: 'Bearer expired' } : headers;
  }
}

async function certificateOf({ pki: { files } }: Cluster): Promise<{ cert: Buffer; key: Buffer }> {
  return { cert: await readFile(files.servingCert), key: await readFile(files.servingKey) };
}

/** Where an object is that a request speaks of; undefined for an Event and for what is in no namespace. */
export function namespaceOf(path: string): string | undefined {
  const [, namespace, plural] = /\/namespaces\/([^/]+)\/([^/?]+)/.exec(path) ?? [];
  return plural === 'events' ? undefined : namespace;
}

async function held(isHeld: () => boolean): Promise<void> {
  while (isHeld()) await delay(20);
}

function refuse(outgoing: ServerResponse, code: number): void {
  const reasons: Record<number, string> = { 409: 'Conflict', 429: 'TooManyRequests', 500: 'InternalError' };
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason: reasons[code], message: 'chaos' };
  outgoing.writeHead(code, { 'content-type': 'application/json', ...(code === 429 && { 'retry-after': '1' }) });
  outgoing.end(JSON.stringify(status));
}
