// `make chaos`: the fault campaign. Simulated schedules on every core, defects planted to see that they are caught, then
// on a real control plane crashes of the operator at single writes, and faults of every sort under a random workload. Prints what was looked at and what was broken;
// ends with an error if anything was. Everything it starts ends with it.

import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopOnSignals } from '../../src/runtime/manager/signals.ts';
import { crashEverywhere, onRealCluster, runFaults } from './cluster/real-cluster.ts';
import { scenarios } from './cluster/scenarios.ts';
import { sendHunter } from './hunters.ts';
import { type ChaosOptions, parseOptions, USAGE } from './options.ts';
import { plantedBugs } from './planted/bugs.ts';
import { buildHunt } from './planted/build.ts';
import type { Broken } from './simulation/hunt.ts';
import { runSchedule } from './simulation/run.ts';
import { scheduleOf } from './simulation/schedule.ts';
import { shrink } from './simulation/shrink.ts';

/** Of the budget: what the simulation gets, what all planted bugs get; the real cluster has the rest. */
const SIMULATED = 0.4;
const PLANTED = 0.15;

interface Session {
  readonly folder: string;
  readonly endsAt: number;
  readonly signal: AbortSignal;
  readonly violations: string[];
}

async function campaign(budgetMs: number, signal: AbortSignal): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  const session: Session = { folder, signal, violations: [], endsAt: Date.now() + budgetMs };
  try {
    await simulate(session, budgetMs * SIMULATED);
    await plantAll(session, budgetMs * PLANTED);
    await breakThings(session);
    return session.violations;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function simulate({ folder, signal, violations }: Session, forMs: number): Promise<void> {
  const program = join(folder, 'hunt.mjs');
  await buildHunt(program);
  const first = Math.floor(Date.now() / 1000) % 1_000_000_000;
  const step = availableParallelism();
  const hunts = Array.from({ length: step }, (_, index) => ({ from: first + index, step, forMs, count: 1e9 }));
  const all = await Promise.all(hunts.map((hunt) => sendHunter(program, hunt, signal)));
  const schedules = all.reduce((sum, findings) => sum + findings.schedules, 0);
  const rest = Math.max(...all.map(({ longestRestMs }) => longestRestMs));
  say(`schedules simulated  ${schedules} from seed ${first}, ${Math.round((schedules * 1000) / forMs)} a second`);
  say(`                     at rest after ${Math.round((rest - 600_000) / 1000)} simulated seconds at most`);
  for (const { broken } of all) if (broken) violations.push(describe(broken));
}

async function plantAll({ folder, signal, violations }: Session, forMs: number): Promise<void> {
  const program = join(folder, 'planted.mjs');
  say('planted bugs');
  for (const { name, edits } of plantedBugs) {
    await buildHunt(program, edits);
    const findings = await sendHunter(program, { from: 1, count: 1e9, forMs: Math.max(forMs, 60_000) }, signal);
    const caught = `${findings.schedules} schedules, ${(findings.ms / 1000).toFixed(1)} s`;
    say(`  ${findings.broken ? 'caught after' : 'MISSED in   '} ${caught.padEnd(24)} ${name}`);
    if (!findings.broken) violations.push(`the campaign is too weak to notice an operator that ${name}`);
  }
}

async function breakThings({ folder, endsAt, signal, violations }: Session): Promise<void> {
  const onViolation = (what: string): unknown => violations.push(what);
  await onRealCluster(folder, signal, async (stage) => {
    const first = Math.floor(Date.now() / 1000) % 1_000_000_000;
    const halfTime = Date.now() + (endsAt - Date.now()) / 2;
    const { points, finished } = await crashEverywhere(stage, { endsAt: halfTime, signal, onViolation });
    say(`crash points         ${points}, ${finished} of ${scenarios.length} scenarios to their last write`);
    const runs = await runFaults(stage, first, { endsAt, signal, onViolation });
    say(`fault runs           ${runs} from seed ${first}`);
  });
}

async function replay(seed: number): Promise<readonly string[]> {
  const schedule = scheduleOf(seed);
  const verdict = await runSchedule(schedule);
  say(`seed ${seed}: ${verdict.writes} writes, fingerprint ${verdict.fingerprint}`);
  if (verdict.broken === undefined) return [];
  const shortest = await shrink(schedule, verdict);
  return [describe({ seed, what: shortest.verdict.broken as string, schedule: shortest.schedule })];
}

function describe({ seed, what, schedule: { steps, ...shape } }: Broken): string {
  const lines = steps.map(({ at, act }) => `  at ${at} ms ${JSON.stringify(act)}`);
  return [`seed ${seed}: ${what}`, `  with ${JSON.stringify(shape)}`, ...lines].join('\n');
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

const { budgetMs, seed } = optionsOrUsage();
const violations = seed === undefined ? await campaign(budgetMs, stopOnSignals()) : await replay(seed);
for (const violation of violations) say(`VIOLATION ${violation}\n`);
say(`violations           ${violations.length}`);
process.exitCode = violations.length > 0 ? 1 : 0;
