// `make chaos`: the fault campaign. Simulated schedules on every core, defects planted to see that they are caught, then
// on a real control plane crashes of the operator at single writes, faults of every sort under a random workload, and
// every value that a field can take. Prints what was looked at and what was broken; ends with an error if anything was.
// Everything it starts ends with it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopOnSignals } from '../../src/runtime/manager/signals.ts';
import { type ChaosOptions, type PartName, parseOptions, USAGE } from './options.ts';
import { describe, parts } from './parts.ts';
import { runSchedule } from './simulation/run.ts';
import { scheduleOf } from './simulation/schedule.ts';
import { shrink } from './simulation/shrink.ts';

async function campaign(budgets: ChaosOptions['budgets'], signal: AbortSignal): Promise<readonly string[]> {
  const violations: string[] = [];
  const seed = Math.floor(Date.now() / 1000) % 1_000_000_000;
  const onViolation = (what: string): unknown => violations.push(what);
  for (const [part, forMs] of Object.entries(budgets) as [PartName, number][]) {
    if (signal.aborted) break;
    const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
    try {
      await parts[part]({ folder, seed, forMs, signal, say, onViolation });
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  return violations;
}

async function replay(seed: number): Promise<readonly string[]> {
  const schedule = scheduleOf(seed);
  const verdict = await runSchedule(schedule);
  say(`seed ${seed}: ${verdict.writes} writes, fingerprint ${verdict.fingerprint}`);
  if (verdict.broken === undefined) return [];
  const shortest = await shrink(schedule, verdict);
  return [describe({ seed, what: shortest.verdict.broken as string, schedule: shortest.schedule })];
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

const { budgets, seed } = optionsOrUsage();
const violations = seed === undefined ? await campaign(budgets, stopOnSignals()) : await replay(seed);
for (const violation of violations) say(`VIOLATION ${violation}\n`);
say(`violations           ${violations.length}`);
process.exitCode = violations.length > 0 ? 1 : 0;
