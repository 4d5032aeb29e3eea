// From a command line to an exit code.

import packageJson from '../../package.json' with { type: 'json' };
import { monotonicClock, wallClock } from '../runtime/clock.ts';
import { type Invocation, parseCommandLine } from './arguments.ts';
import { complete } from './complete.ts';
import { completionScript } from './completion-script.ts';
import type { CommandFunction } from './context.ts';
import { FAILED, failureLine, INTERRUPTED } from './failure.ts';
import { get } from './get/get.ts';
import { helpText } from './help.ts';
import { migrate } from './migrate/migrate.ts';
import { abort, promote, retry } from './policy/verbs.ts';
import { diff } from './rollout/diff.ts';
import { pause, restart, resume } from './rollout/edits.ts';
import { history } from './rollout/history.ts';
import { status } from './rollout/status.ts';
import { undo } from './rollout/undo.ts';
import { forEach } from './select.ts';
import { type Environment, openSession } from './session.ts';
import { namesBeforeImages, setImage } from './set-image.ts';
import type { Console } from './terminal/console.ts';
import { why } from './why/why.ts';

const implementations: Readonly<Record<string, CommandFunction>> = {
  get,
  why: forEach(why, { isSpaced: true }),
  'rollout status': forEach(status),
  'rollout history': forEach(history, { isSpaced: true }),
  'rollout diff': forEach(diff, { names: ([name = '']) => [name] }),
  'rollout undo': forEach(undo),
  'rollout pause': forEach(pause),
  'rollout resume': forEach(resume),
  'rollout restart': forEach(restart),
  'rollout promote': forEach(promote),
  'rollout abort': forEach(abort),
  'rollout retry': forEach(retry),
  'set image': forEach(setImage, { names: namesBeforeImages }),
  // Loaded on demand: it is larger than all other commands together.
  dashboard: async (context) => (await import('./dashboard/dashboard.ts')).dashboard(context),
  migrate,
};

/** Runs one command line; resolves with its exit code, and never rejects. */
export async function run(argv: readonly string[], console: Console, env: Environment): Promise<number> {
  try {
    if (argv[0] === '__complete') return await complete(argv.slice(1), console, env);
    const invocation = parseCommandLine(argv);
    if ('help' in invocation) {
      console.out.write(helpText(invocation.help));
      return 0;
    }
    return await runCommand(invocation, console, env);
  } catch (error) {
    return fail(error, console);
  }
}

async function runCommand(invocation: Invocation, console: Console, env: Environment): Promise<number> {
  const { command, args, flags } = invocation;
  const words = command.path.join(' ');
  if (words === 'completion') {
    console.out.write(completionScript(args[0] as string));
    return 0;
  }
  if (words === 'version') {
    console.out.write(`kubectl md v${packageJson.version}\n`);
    return 0;
  }
  const session = await openSession(flags, env);
  try {
    const implementation = implementations[words] as CommandFunction;
    const { client, namespace, server } = session;
    const clocks = { clock: monotonicClock, wallNow: wallClock };
    return await implementation({ args, flags, console, client, namespace, server, ...clocks });
  } catch (error) {
    return fail(error, console, session.server);
  } finally {
    await session.close();
  }
}

function fail(error: unknown, console: Console, server?: string): number {
  if (console.interrupted.aborted) return INTERRUPTED;
  console.err.write(`${failureLine(error, server)}\n`);
  return FAILED;
}
