// Sends hostile reviews to every webhook of the running operator, again and again: each is answered as it should be,
// connections that say nothing keep nobody waiting, the process lives on, and it does not grow.

import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isOver, type Part, shown, type Tally, type TransitionStage, wordsOf } from '../part.ts';
import { type Answer, type Door, doors, knock } from './door.ts';
import { residentMiB } from './memory.ts';
import { FAREWELL, type HostileReview, hostileReviews } from './reviews.ts';

/** What a process may be larger after all of it: nothing of it is kept, but memory is given back late. */
const GROWTH_MIB = 96;

/** Rounds through all reviews at all webhooks; the first one warms up. */
export async function besiege(stage: TransitionStage, rounds: number, part: Part, tally: Tally): Promise<void> {
  const all = await doors(stage.cluster.client);
  if (all.length === 0) throw new Error('no webhooks are configured');
  const { pid } = stage.operator.process;
  let warm: number | undefined;
  for (let round = 0; round <= rounds && !isOver(part); round++) {
    for (const door of all) for (const what of await besiegeOne(door, tally)) part.onViolation(`${door.path}: ${what}`);
    warm ??= await residentMiB(pid);
  }
  const grown = (await residentMiB(pid)) - (warm ?? 0);
  if (grown > GROWTH_MIB) part.onViolation(`after hostile reviews the operator was ${Math.round(grown)} MiB larger`);
  if (!stage.operator.process.running) part.onViolation('hostile reviews ended the operator');
}

async function besiegeOne(door: Door, tally: Tally): Promise<string[]> {
  const wrong: string[] = [];
  for (const review of hostileReviews) {
    tally.transitions += 1;
    const what = await outcome(door, review);
    if (what !== undefined) wrong.push(`${review.name}: ${what}`);
  }
  const idle = await idlers(door);
  const alive = await knock(door, FAREWELL).catch((error) => wordsOf(error));
  for (const close of idle) close();
  if (!isFarewell(alive)) wrong.push(`afterwards a deletion was answered with ${shown(alive)}`);
  return wrong;
}

async function outcome(door: Door, review: HostileReview): Promise<string | undefined> {
  try {
    const answer = await knock(door, review);
    if (!review.answers.includes(answer.status)) return `answered with ${answer.status}: ${answer.body.slice(0, 200)}`;
    return answer.status === 200 ? judgeReview(answer) : judgeText(answer);
  } catch (error) {
    return review.isCutOff ? undefined : `not answered: ${wordsOf(error)}`;
  }
}

function judgeReview({ body }: Answer): string | undefined {
  const { kind, response } = JSON.parse(body) as { kind?: unknown; response?: { uid?: unknown; allowed?: unknown } };
  const sound = kind === 'AdmissionReview' && response?.uid === 'hostile' && typeof response.allowed === 'boolean';
  return sound ? undefined : `answered with no review of its own: ${body.slice(0, 200)}`;
}

/** One line, without the insides of the program. */
function judgeText({ body, status }: Answer): string | undefined {
  if (status === 431) return undefined; // Node's own, which has no words
  return /^[^\n]*\n$/.test(body) && !/\bat .*\.(ts|js|mjs):\d/.test(body) ? undefined : `answered with ${shown(body)}`;
}

function isFarewell(answer: Answer | string): boolean {
  if (typeof answer === 'string' || answer.status !== 200) return false;
  const { response } = JSON.parse(answer.body) as { response?: { uid?: unknown; allowed?: unknown } };
  return response?.uid === 'alive' && response.allowed === true;
}

/** Connections that promise more than they send; each returned function ends one. */
async function idlers(door: Door): Promise<readonly (() => void)[]> {
  const { port, ca, servername, path } = door;
  const slow = new AbortController();
  // Never answered in time: that it is not is no news.
  const unanswered = knock(door, { body: '{', promisedLength: 1_000, signal: slow.signal }).catch(() => {});
  const plain = connect(port, '127.0.0.1').on('error', () => {});
  plain.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const silent = connectTls({ port, host: '127.0.0.1', ca, servername }).on('error', () => {});
  const garbled = connectTls({ port, host: '127.0.0.1', ca, servername }).on('error', () => {});
  garbled.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nnot a chunk`);
  await new Promise((resolve) => silent.once('secureConnect', resolve).once('error', resolve));
  return [
    () => {
      slow.abort();
      void unanswered;
    },
    ...[plain, silent, garbled].map((socket) => () => void socket.destroy()),
  ];
}
