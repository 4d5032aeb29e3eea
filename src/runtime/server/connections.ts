// Bounds the connections of a server. Every client that can reach a port can open connections and send nothing, so when
// there are too many, the server closes the one that has been without a request for longest: an unfinished handshake,
// or an idle connection. Only when every connection has a running request is the new connection closed. The API server
// finishes a handshake within milliseconds and opens another connection when it needs one.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  readonly connections: number;
  /** Connections whose TLS handshake is not finished; they count as connections, too. */
  readonly handshakes: number;
}

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #handshakes = new Map<string, Socket>();
  /** Without a request, the longest idle one first. */
  readonly #idle = new Map<string, Socket>();
  /** With their numbers of requests. */
  readonly #busy = new Map<string, number>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Applies the limits to a server. */
  guard(server: Server, protocol: 'http' | 'https'): void {
    server.on('connection', (socket: Socket) => this.#opened(socket, protocol));
    // Node emits two sockets for a TLS connection, so connections are identified by the address and port of the peer.
    server.on('secureConnection', (socket: Socket) => this.#secured(nameOf(socket)));
    server.on('request', (request, response) => this.#requested(request, response));
  }

  #opened(socket: Socket, protocol: 'http' | 'https'): void {
    const name = nameOf(socket);
    socket.once('close', () => this.#closed(name));
    const { connections, handshakes } = this.#limits;
    if (this.#handshakes.size >= handshakes) destroyFirst(this.#handshakes);
    if (this.#count >= connections && !destroyFirst(this.#idle) && !destroyFirst(this.#handshakes)) {
      socket.destroy();
      return;
    }
    (protocol === 'https' ? this.#handshakes : this.#idle).set(name, socket);
  }

  #secured(name: string): void {
    const socket = this.#handshakes.get(name);
    if (socket === undefined) return;
    this.#handshakes.delete(name);
    this.#idle.set(name, socket);
  }

  #requested({ socket }: IncomingMessage, response: ServerResponse): void {
    const name = nameOf(socket);
    this.#idle.delete(name);
    this.#busy.set(name, (this.#busy.get(name) ?? 0) + 1);
    response.once('close', () => this.#answered(name, socket));
  }

  #answered(name: string, socket: Socket): void {
    const requests = this.#busy.get(name);
    if (requests === undefined) return; // closed before it was answered
    if (requests > 1) {
      this.#busy.set(name, requests - 1);
      return;
    }
    this.#busy.delete(name);
    this.#idle.set(name, socket);
  }

  #closed(name: string): void {
    for (const sockets of [this.#handshakes, this.#idle, this.#busy]) sockets.delete(name);
  }

  get #count(): number {
    return this.#handshakes.size + this.#idle.size + this.#busy.size;
  }
}

/** Closes the first of these, if there is one. */
function destroyFirst(sockets: Map<string, Socket>): boolean {
  for (const [name, socket] of sockets) {
    sockets.delete(name);
    socket.destroy();
    return true;
  }
  return false;
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
