// `make mutants`: changes our sources in one small place at a time and looks whether a test notices. Prints the changes that
// none notices, and ends with an error when there are too many of them.

import { readFile } from 'node:fs/promises';
import { stopOnSignals } from '../../src/runtime/manager/signals.ts';
import { parseEquivalents } from './equivalents.ts';
import { hunt, prepare } from './hunt.ts';
import { type MutantOptions, parseOptions, USAGE } from './options.ts';
import { outdated, reportOn } from './report.ts';
import { sample } from './sample.ts';

function optionsOrUsage(): MutantOptions {
  try {
    return parseOptions(process.env, Math.floor(Date.now() / 1000) % 1_000_000_000);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

const { only, budgetMs, seed, aim } = optionsOrUsage();
const equivalents = parseEquivalents(await readFile('test/mutants/equivalents.txt', 'utf8'));
const stopped = stopOnSignals();
const ground = await prepare(only);
const files = new Set(ground.mutants.map(({ file }) => file));
process.stdout.write(`${ground.mutants.length} mutants of ${files.size} files, ${ground.programs.size} test files\n`);
const picked = budgetMs === undefined ? ground.mutants : sample(ground.mutants, seed);
const fates = await hunt(ground, picked, { signal: stopped, forMs: budgetMs });
const { lines, score, mistakes } = reportOn(fates, equivalents);
const listed = equivalents.filter(({ file }) => file.includes(only));
const wrong = [...mistakes, ...outdated(listed, ground.mutants)];
if (budgetMs !== undefined) process.stdout.write(`picked by chance     from seed ${seed}\n`);
for (const line of [...lines, ...wrong]) process.stdout.write(`${line}\n`);
process.exit(score < aim || wrong.length > 0 ? 1 : 0);
