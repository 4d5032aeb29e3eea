// Which connection of a server gives way to a newcomer, tried step by step with sockets that are only names.
// connections.test.ts tries the same with real ones.

import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Connections } from '../../../src/runtime/server/connections.ts';

class FakeSocket extends EventEmitter {
  readonly remoteAddress = '10.0.0.1';
  readonly remotePort: number;

  constructor(remotePort: number) {
    super();
    this.remotePort = remotePort;
  }

  /** Its end is heard of later, as that of a real one is. */
  destroy(): void {
    closed.push(this.remotePort);
  }
}

let server: EventEmitter;
let closed: number[];
const sockets = new Map<number, FakeSocket>();

/** The server with at most three connections, and at most two handshakes. */
function guard(protocol: 'http' | 'https'): void {
  new Connections({ connections: 3, handshakes: 2 }).guard(server as Server, protocol);
}

function open(...ports: number[]): void {
  for (const port of ports) {
    sockets.set(port, new FakeSocket(port));
    server.emit('connection', sockets.get(port));
  }
}

/** The handshake is finished. Node shows the same connection as another socket. */
function secure(...ports: number[]): void {
  for (const port of ports) server.emit('secureConnection', new FakeSocket(port));
}

/** A request begins; the function ends it. */
function request(port: number): () => void {
  const response = new EventEmitter();
  server.emit('request', { socket: sockets.get(port) }, response);
  return () => response.emit('close');
}

function close(port: number): void {
  sockets.get(port)?.emit('close');
}

beforeEach(() => {
  server = new EventEmitter();
  closed = [];
});

describe('a server without TLS', () => {
  beforeEach(() => guard('http'));

  it('has as many connections as it may, of which none is a handshake', () => {
    open(1, 2, 3);
    expect(closed).toEqual([]);
  });

  it('closes those that have been idle for longest, one for each newcomer', () => {
    open(1, 2, 3, 4, 5);
    expect(closed).toEqual([1, 2]);
  });

  it('counts one that was answered as the youngest', () => {
    open(1, 2);
    request(1)();
    open(3, 4, 5);
    expect(closed).toEqual([2, 1]);
  });

  it('closes none with a request, and the newcomer when all have one', () => {
    open(1, 2, 3);
    for (const port of [1, 2, 3]) request(port);
    open(4);
    expect(closed).toEqual([4]);
    close(4);
    open(5);
    expect(closed).toEqual([4, 5]);
  });

  it('closes none while one of its requests is at work', () => {
    open(1, 2, 3);
    const end = [request(1), request(1), request(1)] as const;
    for (const port of [2, 3]) request(port);
    end[0]();
    end[1]();
    open(4);
    expect(closed).toEqual([4]);
    end[2]();
    open(5);
    expect(closed).toEqual([4, 1]);
  });

  it('has room again when one is closed, whatever it did', () => {
    open(1, 2, 3);
    const end = request(3);
    close(1);
    close(3);
    end(); // its answer ends after its connection
    open(4, 5);
    expect(closed).toEqual([]);
    open(6);
    expect(closed).toEqual([2]);
  });

  it('counts requests anew when a port is used again', () => {
    open(1);
    request(1);
    request(1);
    close(1);
    open(1, 2, 3);
    request(1)();
    open(4, 5, 6);
    expect(closed).toEqual([2, 3, 1]);
  });
});

describe('a server with TLS', () => {
  beforeEach(() => guard('https'));

  it('closes the handshake that has not been finished for longest', () => {
    open(1, 2);
    expect(closed).toEqual([]);
    open(3, 4);
    expect(closed).toEqual([1, 2]);
  });

  it('counts finished ones as connections, not as handshakes', () => {
    open(1);
    secure(1);
    open(2);
    secure(2);
    open(3);
    secure(3);
    expect(closed).toEqual([]);
    open(4);
    expect(closed).toEqual([1]);
  });

  it('closes idle connections before handshakes, and handshakes before the newcomer', () => {
    open(1, 2);
    secure(1, 2);
    request(2);
    open(3);
    expect(closed).toEqual([]);
    open(4);
    expect(closed).toEqual([1]);
    secure(3, 4);
    request(3);
    request(4);
    open(5);
    expect(closed).toEqual([1, 5]);
  });

  it('closes a handshake when every connection has a request', () => {
    open(1, 2);
    secure(1, 2);
    request(1);
    request(2);
    open(3, 4);
    expect(closed).toEqual([3]);
  });

  it('forgets a handshake that was closed', () => {
    open(1, 2);
    close(1);
    open(3);
    expect(closed).toEqual([]);
    secure(1, 2); // too late for the first
    open(4);
    expect(closed).toEqual([]);
  });
});
