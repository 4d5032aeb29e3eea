// `migrate deployment/NAME` and `migrate md/NAME`: turns one into the other without restarting a pod, and prints each step.

import { later } from '../../runtime/instant.ts';
import type { Context } from '../context.ts';
import { FAILED, failureLine, INTERRUPTED } from '../failure.ts';
import { workloadName } from '../object-name.ts';
import { styleFor } from '../terminal/style.ts';
import { Migration } from './execute.ts';
import { readFacts } from './facts.ts';
import { type Step, sentence } from './step.ts';
import { stepsToDeployment } from './to-deployment.ts';
import { stepsToMyDeployment } from './to-my-deployment.ts';

const DEFAULT_TIMEOUT_MS = 2 * 60_000;

export async function migrate(context: Context): Promise<number> {
  const { args, flags, clock, console } = context;
  const { kind, name } = workloadName(args[0] as string);
  const facts = await readFacts(context, name);
  const [steps, goal] =
    kind === 'Deployment' ? [stepsToMyDeployment(facts), 'MyDeployment'] : [stepsToDeployment(facts), 'Deployment'];
  // Not an error: a migration that was interrupted after its last step is complete.
  if (steps.length === 0) {
    console.out.write(`"${name}" is a ${goal} already: nothing to do\n`);
    return 0;
  }
  if (flags.choice('dry-run', ['client', 'none'] as const) === 'client') {
    const lines = steps.map((step, index) => `${index + 1}. ${sentence(step)} (dry run)`);
    console.out.write(`${lines.join('\n')}\n`);
    return 0;
  }
  const deadline = later(clock.now(), flags.duration('timeout') ?? DEFAULT_TIMEOUT_MS);
  return executeAll(context, steps, new Migration(context, name, deadline));
}

async function executeAll({ console, args }: Context, steps: readonly Step[], migration: Migration): Promise<number> {
  const style = styleFor(console.colour);
  for (const [index, step] of steps.entries()) {
    try {
      await migration.execute(step);
    } catch (error) {
      const line = console.interrupted.aborted ? 'interrupted' : failureLine(error);
      console.err.write(`${line}; kubectl md migrate ${args[0]} goes on at: ${sentence(step)}\n`);
      return console.interrupted.aborted ? INTERRUPTED : FAILED;
    }
    console.out.write(`${style.faint(`${index + 1}/${steps.length}`)} ${sentence(step)} ${style.good('✔')}\n`);
  }
  return 0;
}
