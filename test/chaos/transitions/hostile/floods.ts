// Floods at the port of the webhooks, by a sender without any credentials: bodies that never arrive, reviews as large as
// they may be, answers that are not taken, connections that say nothing. While each of them lasts, the operator stays
// within a bound of memory, answers its probes, and goes on answering admissions.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { isOver, type Part, type Tally, type TransitionStage, wordsOf } from '../part.ts';
import { type Door, doors, knock } from './door.ts';
import { judgeStrain, type Strain, strainOf } from './memory.ts';
import { FAREWELL, largeReview } from './reviews.ts';

export interface FloodSize {
  readonly senders: number;
  /** How long the flood lasts, in milliseconds. */
  readonly forMs: number;
}

export interface FloodReport extends Strain {
  /** Admissions that were asked for and answered while the flood lasted. */
  readonly asked: number;
  readonly answered: number;
}

/** Begins the flood at one webhook; the result ends it. */
type Flood = (door: Door, size: FloodSize) => Promise<() => void>;

const MIB = 1024 * 1024;

/** What the API server does with a 503: it asks again after a second, until the webhook's timeout. */
const PATIENCE_MS = 10_000;
const EVERY_MS = 250;

/** Without bounds, sixty senders of large reviews took 1,640 MiB. */
const FLOODS: Readonly<Record<string, Flood>> = {
  'bodies that stall': (door, { senders }) => {
    const body = Buffer.alloc(3 * MIB - 1, ' ');
    return together(senders, () => sent(door, head(door, body.length + 1), body));
  },
  'large reviews': (door, { senders }) => repeated(door, largeReview(2.3 * MIB), senders),
  'answers that are not taken': (door, { senders }) => {
    const review = largeReview(MIB);
    return together(senders, async () => (await sent(door, head(door, review.length), review)).pause());
  },
  'connections that say nothing': (door, { senders }) =>
    together(senders * 10, () => opened(connect(door.port, '127.0.0.1'))),
  'handshakes without a request': (door, { senders }) => together(senders * 5, () => secured(door)),
};

/** Of the admissions that are asked for during a flood. */
const LEAST_ANSWERED = 0.8;

/** Every flood, one after the other, each with the bounds that hold while it lasts. */
export async function flood(stage: TransitionStage, size: FloodSize, part: Part, tally: Tally): Promise<void> {
  for (const name of Object.keys(FLOODS)) {
    if (isOver(part)) return;
    tally.transitions += 1;
    const report = await measureFlood(stage, name, size);
    const { asked, answered } = report;
    judgeStrain(name, report, part, tally);
    if (answered < asked * LEAST_ANSWERED)
      part.onViolation(`${name}: ${answered} of ${asked} admissions were answered`);
    if (!stage.operator.process.running) part.onViolation(`${name} ended the operator`);
  }
}

/** Floods the first webhook and measures. */
export async function measureFlood(
  { cluster: { client }, operator }: TransitionStage,
  name: string,
  size: FloodSize,
): Promise<FloodReport> {
  const [door] = await doors(client);
  const flood = FLOODS[name];
  if (door === undefined || flood === undefined) throw new Error(`no flood "${name}", or no webhook`);
  let [asked, answered] = [0, 0];
  const strain = await strainOf(operator, async () => {
    const end = await flood(door, size);
    const endsAt = Date.now() + size.forMs;
    for (; Date.now() < endsAt; await delay(EVERY_MS)) {
      asked += 1;
      if (await admitted(door)) answered += 1;
    }
    end();
  });
  return { ...strain, asked, answered };
}

/** Asks as the API server does: again after a second while the answer is 503. */
async function admitted(door: Door): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const answer = await knock(door, FAREWELL).catch(wordsOf);
    if (typeof answer !== 'string' && answer.status === 200) return true;
    if (typeof answer !== 'string' && answer.status !== 503) return false;
    await delay(1_000);
  }
  return false;
}

/** Sends a review, so many at a time, until it is ended. */
async function repeated(door: Door, body: Buffer, senders: number): Promise<() => void> {
  const over = new AbortController();
  const send = async (): Promise<void> => {
    while (!over.signal.aborted) await knock(door, { body, signal: over.signal }).catch(() => delay(50));
  };
  for (let index = 0; index < senders; index++) void send();
  return () => over.abort();
}

function head({ path, servername }: Door, length: number): string {
  return `POST ${path} HTTP/1.1\r\nHost: ${servername}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

/** A connection on which this has been sent, as far as it was taken. */
async function sent(door: Door, ...what: readonly (string | Buffer)[]): Promise<Socket> {
  const socket = await secured(door);
  for (const part of what) socket.write(part);
  return socket;
}

async function secured({ port, ca, servername }: Door): Promise<Socket> {
  return opened(connectTls({ port, host: '127.0.0.1', ca, servername }), 'secureConnect');
}

/** Also one that is closed again at once: a server may refuse it. */
async function opened(socket: Socket, event = 'connect'): Promise<Socket> {
  socket.on('error', () => {});
  await Promise.race([once(socket, event), once(socket, 'close')]).catch(() => {});
  return socket;
}

async function together(count: number, open: () => Promise<Socket>): Promise<() => void> {
  const sockets = await Promise.all(Array.from({ length: count }, open));
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
