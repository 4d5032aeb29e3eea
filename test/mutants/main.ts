// `make mutants`: changes our sources in one small place at a time and looks whether a test notices. Prints the changes that
// none notices, and ends with an error when there are too many of them.

import { stopOnSignals } from '../../src/runtime/manager/signals.ts';
import { type MutantOptions, parseOptions, USAGE } from './options.ts';
import { trial } from './trial.ts';

function optionsOrUsage(): MutantOptions {
  try {
    return parseOptions(process.env, Math.floor(Date.now() / 1000) % 1_000_000_000);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

const options = optionsOrUsage();
const { lines, score, mistakes } = await trial(options, stopOnSignals());
if (options.budgetMs !== undefined) process.stdout.write(`picked by chance     from seed ${options.seed}\n`);
for (const line of [...lines, ...mistakes]) process.stdout.write(`${line}\n`);
process.exit(score < options.aim || mistakes.length > 0 ? 1 : 0);
