// A switchable TCP proxy between a client and the API server: it passes bytes on until a test tells it to cut, reset,
// stall or delay them. TLS runs end to end through it, so to the client it is the network itself that misbehaves.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** A network between a client and the API server that fails on demand. */
export class TcpProxy {
  /** Where a client connects instead, e.g. `https://127.0.0.1:12345`. */
  readonly url: string;
  /** How many connections were ever accepted. */
  accepted = 0;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #stalled = false;
  #refusing = false;
  #delayMs = 0;
  #waiting: (() => void)[] = [];

  private constructor(server: Server, target: URL) {
    this.#server = server;
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (client) => this.#accept(client, target));
  }

  static async to(targetUrl: string): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, new URL(targetUrl));
  }

  /** How many connections are open now. */
  get open(): number {
    return this.#pairs.size;
  }

  /** Ends every open connection: politely (FIN), or as a crashed host would (RST). New ones are accepted. */
  cut(how: 'close' | 'reset' = 'close'): void {
    for (const { client, server } of this.#pairs) {
      if (how === 'reset') client.resetAndDestroy();
      else client.destroy();
      server.destroy();
    }
  }

  /** From now on nothing passes in either direction, but connections stay open and new ones are accepted. */
  stall(): void {
    this.#stalled = true;
  }

  /** From now on new connections are reset at once, as if nothing listened. */
  refuse(): void {
    this.#refusing = true;
  }

  /** Holds every chunk back for this long. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Everything passes again, including what was held back. */
  heal(): void {
    this.#stalled = false;
    this.#refusing = false;
    this.#delayMs = 0;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  async close(): Promise<void> {
    this.heal();
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket, target: URL): void {
    this.accepted++;
    client.on('error', () => {}); // ends are what this proxy is for
    if (this.#refusing) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ host: target.hostname, port: Number(target.port) });
    server.on('error', () => client.resetAndDestroy());
    const pair = { client, server };
    this.#pairs.add(pair);
    client.once('close', () => {
      server.destroy();
      this.#pairs.delete(pair);
    });
    void this.#pass(client, server);
    void this.#pass(server, client);
  }

  /** Copies one direction; a socket that ends on the way ends the other side as well. */
  async #pass(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from) {
        if (this.#delayMs > 0) await delay(this.#delayMs);
        if (this.#stalled) await new Promise<void>((resume) => this.#waiting.push(resume));
        if (!to.write(chunk as Buffer)) await once(to, 'drain');
      }
      to.end();
    } catch {
      to.destroy(); // one side was cut: the other must not wait for it
    }
  }
}
