// From a command line to an exit code. Each command is loaded when it is called: the others cost nothing, and the first
// words appear sooner.

import { systemClock } from '../runtime/clock.ts';
import { type Invocation, parseCommandLine } from './arguments.ts';
import type { CommandFunction } from './context.ts';
import { FAILED, failureLine, INTERRUPTED } from './failure.ts';
import type { Environment } from './session.ts';
import type { Console } from './terminal/console.ts';

const implementations: Readonly<Record<string, () => Promise<CommandFunction>>> = {
  get: async () => (await import('./get/get.ts')).get,
  why: async () => (await import('./why/why.ts')).why,
  'rollout status': async () => (await import('./rollout/status.ts')).status,
  'rollout history': async () => (await import('./rollout/history.ts')).history,
  'rollout diff': async () => (await import('./rollout/diff.ts')).diff,
  'rollout undo': async () => (await import('./rollout/undo.ts')).undo,
  'rollout pause': async () => (await import('./rollout/steer.ts')).pause,
  'rollout resume': async () => (await import('./rollout/steer.ts')).resume,
  'rollout restart': async () => (await import('./rollout/steer.ts')).restart,
  'set image': async () => (await import('./set-image.ts')).setImage,
  migrate: async () => (await import('./migrate/migrate.ts')).migrate,
};

/** Runs one command line; resolves with its exit code, and never rejects. */
export async function run(argv: readonly string[], console: Console, env: Environment): Promise<number> {
  try {
    if (argv[0] === '__complete') {
      const { complete } = await import('./complete.ts');
      return await complete(argv.slice(1), console, env);
    }
    const invocation = parseCommandLine(argv);
    if ('help' in invocation) {
      const { helpText } = await import('./help.ts');
      console.out.write(helpText(invocation.help));
      return 0;
    }
    return await carryOut(invocation, console, env);
  } catch (error) {
    return fail(error, console);
  }
}

async function carryOut(invocation: Invocation, console: Console, env: Environment): Promise<number> {
  const { command, args, flags } = invocation;
  const words = command.path.join(' ');
  if (words === 'completion') {
    const { completionScript } = await import('./completion-script.ts');
    console.out.write(completionScript(args[0] as string));
    return 0;
  }
  const { openSession } = await import('./session.ts');
  const session = await openSession(flags, env);
  try {
    const implementation = await (implementations[words] as () => Promise<CommandFunction>)();
    const { client, namespace } = session;
    return await implementation({ args, flags, console, client, namespace, clock: systemClock });
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
