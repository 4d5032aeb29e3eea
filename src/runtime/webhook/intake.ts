// Bounds the memory of all requests together: bodies being received, bodies that wait for their turn, and responses
// being sent. Every client that can reach the port can send, so memory is reserved before anything is read.
//
// A stalled client must not block others: when there is no room, the request that has waited longest for its client is
// ended. The API server sends a body, and reads a response, within milliseconds. It retries a request that is refused
// with 503 and Retry-After, until the webhook's own timeout.

import { HttpProblem } from './http-problem.ts';

/** The least that a request takes: its headers, its socket's buffers, and our own objects. */
const LEAST_BYTES = 16 * 1024;

/** The reservation of one request. */
export interface Room {
  /** The server works on the request: from now on it is not ended. */
  keep(): void;
  /** The client has to act again, now on this many bytes; `giveWay` is called when others need the room. */
  exchange(bytes: number, giveWay: () => void): void;
  /** To be called when nothing is held any more; may be called again. */
  release(): void;
}

/** A request that waits for its client. */
interface Waiting {
  readonly bytes: number;
  readonly giveWay: () => void;
}

export class Intake {
  readonly #mostBytes: number;
  #bytes = 0;
  /** The one that has waited longest comes first. */
  readonly #waiting = new Map<Room, Waiting>();

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Reserves room for a body; throws an HttpProblem when there is none. */
  enter(bytes: number, giveWay: () => void): Room {
    this.#makeRoom(Math.max(bytes, LEAST_BYTES));
    let held = 0;
    const hold = (next: number): void => {
      this.#bytes += next - held;
      held = next;
    };
    const room: Room = {
      keep: () => void this.#waiting.delete(room),
      exchange: (next, toGiveWay) => {
        hold(Math.max(next, LEAST_BYTES));
        this.#waiting.set(room, { bytes: held, giveWay: toGiveWay });
      },
      release: () => {
        hold(0);
        this.#waiting.delete(room);
      },
    };
    room.exchange(bytes, giveWay);
    return room;
  }

  #makeRoom(bytes: number): void {
    if (this.#bytes + bytes <= this.#mostBytes) return;
    const waiting = [...this.#waiting];
    const atWork = waiting.reduce((left, [, each]) => left - each.bytes, this.#bytes);
    if (atWork + bytes > this.#mostBytes) throw busy();
    for (const [room, { giveWay }] of waiting) {
      if (this.#bytes + bytes <= this.#mostBytes) break;
      room.release();
      giveWay();
    }
  }
}

/** The answer to a request for which there is no room. */
export function busy(): HttpProblem {
  return new HttpProblem(503, 'too many requests at once');
}
