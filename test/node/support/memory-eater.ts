// The process behind exhaustMemory, in the network of the pod. It ends when the program that it debugs has ended.

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const DEBUGGER = 'http://127.0.0.1:9229/json/list';
const TRIES = 100;
/** Filled, because the kernel counts only memory that was written to. */
const EAT = 'globalThis.eaten = []; setInterval(() => globalThis.eaten.push(Buffer.alloc(2 ** 25, 1)), 10)';

const socket = new WebSocket(await debuggerUrl());
await once(socket, 'open');
socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: EAT } }));
await once(socket, 'close');

async function debuggerUrl(): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      const [target] = (await (await fetch(DEBUGGER)).json()) as [{ readonly webSocketDebuggerUrl: string }];
      return target.webSocketDebuggerUrl;
    } catch (error) {
      if (tries === TRIES) throw error;
    }
    await delay(50);
  }
}
