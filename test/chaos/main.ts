// `make chaos`: the fault campaign. Simulated schedules on every core, defects planted to see that they are caught, then
// on a real control plane crashes of the operator at single writes, faults of every sort under a random workload, and
// every value that a field can take. Prints what was looked at and what was broken; ends with an error if anything was.
// With a seed it plays that one again instead. Everything it starts ends with it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopOnSignals } from '../../src/runtime/manager/signals.ts';
import { type ChaosOptions, type PartName, parseOptions, USAGE } from './options.ts';
import { type Player, parts, type Setting } from './parts.ts';
import { replays } from './replays.ts';

async function campaign(budgets: ChaosOptions['budgets'], signal: AbortSignal): Promise<readonly string[]> {
  const violations: string[] = [];
  const seed = Math.floor(Date.now() / 1000) % 1_000_000_000;
  for (const [part, forMs] of Object.entries(budgets) as [PartName, number][]) {
    if (signal.aborted) break;
    violations.push(...(await play(parts[part], { seed, forMs, signal })));
  }
  return violations;
}

async function play(player: Player, task: Pick<Setting, 'seed' | 'forMs' | 'signal'>): Promise<readonly string[]> {
  const violations: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  try {
    await player({ ...task, folder, say, onViolation: (what) => violations.push(what) });
  } finally {
    await rm(folder, { recursive: true });
  }
  return violations;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function optionsOrUsage(): ChaosOptions {
  try {
    return parseOptions(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

const { budgets, replay } = optionsOrUsage();
const signal = stopOnSignals();
const playing =
  replay === undefined
    ? campaign(budgets, signal)
    : play(replays[replay.part], { seed: replay.seed, forMs: 0, signal });
const violations = await playing.catch((error: unknown) => {
  if (!signal.aborted) throw error;
  say('stopped'); // what was under way ends in errors that mean nothing
  process.exit(130);
});
for (const violation of violations) say(`VIOLATION ${violation}\n`);
say(`violations           ${violations.length}`);
// At once: what an abandoned run still waits for must not delay the result.
process.exit(violations.length > 0 ? 1 : 0);
