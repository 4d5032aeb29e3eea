// The stream of frames to one tab, as server-sent events. Something is sent every few seconds even when nothing changes, so that the
// page notices when this program has ended, and this program when the tab has.

import type { ServerResponse } from 'node:http';
import type { Reader } from './broadcast.ts';

const HEARTBEAT_MS = 10_000;
/** How soon the browser connects again. */
const AGAIN_MS = 1_000;

export class EventStream implements Reader {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, { onDrain, onClose }: { onDrain(): void; onClose(): void }) {
    this.#response = response;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`retry: ${AGAIN_MS}\n\n`);
    response.on('drain', onDrain);
    const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
    response.once('close', () => {
      clearInterval(heartbeat);
      onClose();
    });
  }

  send(frame: string): boolean {
    return this.#response.write(`data: ${frame}\n\n`);
  }

  end(): void {
    this.#response.end();
  }
}
