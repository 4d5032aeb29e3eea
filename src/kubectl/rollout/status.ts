// `rollout status`: waits until a rollout is finished. On a terminal one line is redrawn in place; in a pipe each new state
// is a line of its own, in kubectl's words. Ends with 0 when the rollout is done, and with 1 when it failed or took too long.
// A pause is not the end, because scripts take 0 for a finished rollout; with --until-paused it is.

import { myDeployments } from '../../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import { type Instant, later, msBetween } from '../../runtime/instant.ts';
import { controllerRevisions } from '../../workload/write-context.ts';
import type { Flags } from '../arguments.ts';
import { type Context, type ObjectContext, readTarget } from '../context.ts';
import { FAILED } from '../failure.ts';
import { ObjectWatch } from '../object-watch.ts';
import { printable } from '../terminal/printable.ts';
import { styleFor } from '../terminal/style.ts';
import { progressLine } from './progress-line.ts';
import { type RolloutState, rolloutState, wrongRevision } from './rollout-state.ts';

/** How often the elapsed time on the progress line is updated. */
const TICK_MS = 1_000;

export async function status(context: ObjectContext): Promise<number> {
  const { console, flags, clock } = context;
  const asked = flags.count('revision') ?? 0;
  const first = await readTarget(context);
  await assertRevision(context, first, asked);
  const reporter = console.out.isTerminal ? new LineReporter(context, clock.now()) : new PlainReporter(context);
  const state = rolloutState(printable(first));
  const isEnd = endTest(flags);
  if (isEnd(state) || !flags.on('watch', true)) return reporter.end(state);
  reporter.show(first, state.line);
  const deadline = later(clock.now(), flags.duration('timeout') ?? Number.POSITIVE_INFINITY);
  try {
    return reporter.end(await waitForEnd(context, { first, asked, deadline, isEnd, reporter }));
  } catch (error) {
    reporter.giveUp();
    throw error;
  }
}

interface Wait {
  readonly first: MyDeployment;
  readonly asked: number;
  readonly deadline: Instant;
  readonly isEnd: EndTest;
  readonly reporter: Reporter;
}

type EndTest = (state: RolloutState) => boolean;

function endTest(flags: Flags): EndTest {
  const isPauseTheEnd = flags.on('until-paused');
  return ({ is }) => is === 'done' || is === 'failed' || (is === 'waiting' && isPauseTheEnd);
}

async function waitForEnd(context: Context, { first, asked, deadline, isEnd, reporter }: Wait): Promise<RolloutState> {
  const { client, namespace, clock, console } = context;
  const { name, uid } = first.metadata;
  const watch = new ObjectWatch(client, console.interrupted);
  const objects = watch.informer(myDeployments, {
    namespace,
    fieldSelector: `metadata.name=${name}`,
  });
  try {
    await watch.start();
    for (;;) {
      const object = objects.get(`${namespace}/${name}`);
      if (object === undefined || object.metadata.uid !== uid) return failed('object has been deleted');
      await assertRevision(context, object, asked);
      const state = rolloutState(printable(object));
      if (isEnd(state)) return state;
      reporter.show(object, state.line);
      const leftMs = msBetween(clock.now(), deadline);
      if (leftMs <= 0) return failed('timed out waiting for the condition');
      await watch.nextChange(Math.max(1, Math.min(TICK_MS, leftMs)));
    }
  } finally {
    watch.stop();
  }
}

async function assertRevision({ client, namespace }: Context, object: MyDeployment, asked: number): Promise<void> {
  const name = object.status?.updateRevision;
  if (asked === 0 || name === undefined) return;
  const { revision } = await client.get(controllerRevisions, { namespace, name });
  const wrong = wrongRevision(asked, revision);
  if (wrong !== undefined) throw new Error(wrong);
}

function failed(line: string): RolloutState {
  return { is: 'failed', line };
}

interface Reporter {
  show(object: MyDeployment, line: string): void;
  end(state: RolloutState): number;
  /** Something else will be written next. */
  giveUp(): void;
}

class PlainReporter implements Reporter {
  readonly #context: Context;
  #said = '';

  constructor(context: Context) {
    this.#context = context;
  }

  show(_: MyDeployment, line: string): void {
    if (line !== this.#said) this.#context.console.out.write(`${line}\n`);
    this.#said = line;
  }

  end({ is, line }: RolloutState): number {
    const { out, err } = this.#context.console;
    if (is === 'failed') err.write(`error: ${line}\n`);
    else if (line !== this.#said) out.write(`${line}\n`);
    return is === 'failed' ? FAILED : 0;
  }

  giveUp(): void {}
}

class LineReporter implements Reporter {
  readonly #context: Context;
  readonly #startedAt: Instant;

  constructor(context: Context, startedAt: Instant) {
    this.#context = context;
    this.#startedAt = startedAt;
  }

  show(object: MyDeployment): void {
    const { console, clock } = this.#context;
    const { columns } = console.size();
    const since = msBetween(this.#startedAt, clock.now());
    console.out.write(
      `\r${progressLine(printable(object), { since, columns, style: styleFor(console.colour) })}\u001b[K`,
    );
  }

  end({ is, line }: RolloutState): number {
    const { console } = this.#context;
    const style = styleFor(console.colour);
    console.out.write('\r\u001b[K');
    if (is === 'failed') console.err.write(`error: ${line}\n`);
    else console.out.write(`${is === 'done' ? style.good(line) : line}\n`);
    return is === 'failed' ? FAILED : 0;
  }

  giveUp(): void {
    this.#context.console.out.write('\n');
  }
}
