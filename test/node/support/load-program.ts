// The process behind underLoad. It stops when its standard input ends, as it does when the test ends in any way.

import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const CLIENTS = 4;
const PAUSE_MS = 10;
/** A request to a pod that is gone is never answered; one on a busy machine may take seconds. */
const TIMEOUT_MS = 30_000;
const url = process.argv[2] as string;

const failures: string[] = [];
const bodies = new Set<string>();
let answered = 0;
let stopped = false;

process.stdin.resume().once('close', () => {
  stopped = true;
});
await Promise.all(Array.from({ length: CLIENTS }, client));
process.stdout.write(JSON.stringify({ answered, failures, bodies: [...bodies] }));

async function client(): Promise<void> {
  do {
    try {
      bodies.add(await ask());
      answered++;
    } catch (error) {
      failures.push(String(error));
    }
    await delay(PAUSE_MS);
  } while (!stopped);
}

function ask(): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: TIMEOUT_MS }, (answer) => {
      if (answer.statusCode === 200) text(answer).then(resolve, reject);
      else reject(new Error(`status ${answer.statusCode}`));
    });
    request.once('timeout', () => request.destroy(new Error('no answer')));
    request.once('error', reject);
  });
}
