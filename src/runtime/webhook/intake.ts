// Bounds what all requests together hold in memory: bodies on their way in, bodies that wait for their turn, and answers
// on their way out. Everything that can reach the port can send, so room is taken before anything is read.
//
// A peer that stalls must not keep others out: when there is no room, the request that has waited longest for its peer
// gives way to the newcomer. The API server sends a body, and takes an answer, within milliseconds. A request that is
// refused with 503 and Retry-After it sends again, until the webhook's own timeout.

import { HttpProblem } from './http-problem.ts';

/** What a request takes at least: its headers, its socket's buffers, and our own objects. */
const LEAST_BYTES = 16 * 1024;

/** The part of the room that one request has. */
export interface Room {
  /** We are at work: from now on the request does not give way. */
  keep(): void;
  /** The peer has to act again, now on so many bytes; `giveWay` is called when others need the room. */
  exchange(bytes: number, giveWay: () => void): void;
  /** To be called once, or more often, when nothing is held any more. */
  release(): void;
}

/** A request that waits for its peer. */
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

  /** Takes room for a body; throws an HttpProblem when there is none. */
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
