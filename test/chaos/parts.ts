// The parts of the campaign, each with its own budget: what it looks at, and the lines that it prints about that.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AIM } from '../mutants/options.ts';
import { describe as describeMutant } from '../mutants/report.ts';
import { trial } from '../mutants/trial.ts';
import { crashEverywhere, onRealCluster, runFaults } from './cluster/real-cluster.ts';
import { scenarios } from './cluster/scenarios.ts';
import { sendHunter } from './hunters.ts';
import type { PartName } from './options.ts';
import { plantedBugs } from './planted/bugs.ts';
import { buildHunt } from './planted/build.ts';
import type { Broken, Hunt } from './simulation/hunt.ts';
import { runTransitions } from './transitions/run.ts';

export interface Setting {
  /** For what is built; empty at first. */
  readonly folder: string;
  /** When it was begun, in seconds: where its seeds begin. */
  readonly seed: number;
  readonly forMs: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly onViolation: (what: string) => void;
}

export type Player = (setting: Setting) => Promise<void>;

export const parts: Readonly<Record<PartName, Player>> = {
  simulation: (setting) => simulate(setting, 'leader', 'schedules simulated '),
  shards: (setting) => simulate(setting, 'shards', 'schedules of shards '),
  planted: plantAll,
  crashes: (setting) =>
    onRealCluster(setting, async (field) => {
      const { points, finished } = await crashEverywhere(field, deadlineOf(setting));
      setting.say(`crash points         ${points}, ${finished} of ${scenarios.length} scenarios to their last write`);
    }),
  faults: (setting) =>
    onRealCluster({ ...setting, name: 'chaos-breaking' }, (breaking) =>
      onRealCluster(setting, async (sound) => {
        const runs = await runFaults({ sound, breaking }, setting.seed, deadlineOf(setting));
        setting.say(`fault runs           ${runs} from seed ${setting.seed}`);
      }),
    ),
  transitions: async (setting) => {
    const { seed, onViolation } = setting;
    const seen = await runTransitions(setting.folder, { ...deadlineOf(setting), seed });
    const fields = `${seen.fields} of ${seen.allFields} fields`;
    setting.say(`spec transitions     ${seen.transitions}, ${fields} from seed ${seed}`);
    for (const [attack, { peakMiB, slowestProbeMs }] of seen.strains) {
      const took = `${Math.round(peakMiB)} MiB at most, ${Math.round(slowestProbeMs)} ms for a probe`;
      setting.say(`  ${took.padEnd(36)} ${attack}`);
    }
    for (const what of seen.violations) onViolation(what);
  },
  mutants: tryMutants,
};

async function simulate(
  { folder, seed, forMs, signal, say, onViolation }: Setting,
  about: NonNullable<Hunt['about']>,
  title: string,
): Promise<void> {
  const program = join(folder, 'hunt.mjs');
  await buildHunt(program);
  const step = availableParallelism();
  const hunts = Array.from({ length: step }, (_, index) => ({ about, from: seed + index, step, forMs, count: 1e9 }));
  const all = await Promise.all(hunts.map((hunt) => sendHunter(program, hunt, signal)));
  const schedules = all.reduce((sum, findings) => sum + findings.schedules, 0);
  const rest = Math.max(...all.map(({ longestRestMs }) => longestRestMs));
  say(`${title} ${schedules} from seed ${seed}, ${Math.round((schedules * 1000) / forMs)} a second`);
  say(`                     at rest after ${Math.round(rest / 1000)} simulated seconds at most`);
  for (const { broken } of all) if (broken) onViolation(describe(broken));
}

/** The least time that a defect gets, however small the budget: one that is missed for want of time tells nothing. */
const LEAST_HUNT_MS = 60_000;

async function plantAll({ folder, forMs, signal, say, onViolation }: Setting): Promise<void> {
  const program = join(folder, 'planted.mjs');
  say('planted bugs');
  const budget = { from: 1, count: 1e9, forMs: Math.max(forMs, LEAST_HUNT_MS) };
  for (const { name, edits, about = 'leader' } of plantedBugs) {
    await buildHunt(program, edits);
    const findings = await sendHunter(program, { ...budget, about }, signal);
    const caught = `${findings.schedules} schedules, ${(findings.ms / 1000).toFixed(1)} s`;
    say(`  ${findings.broken ? 'caught after' : 'MISSED in   '} ${caught.padEnd(24)} ${name}`);
    if (!findings.broken) onViolation(`the campaign is too weak to notice an operator that ${name}`);
  }
}

/** The tests themselves are looked at: a sample of small changes of the pure code, of which they have to notice nearly all. */
async function tryMutants({ seed, forMs, signal, say, onViolation }: Setting): Promise<void> {
  const { noticed, survivors, score, mistakes } = await trial({ only: '', budgetMs: forMs, seed }, signal);
  say(`mutants noticed      ${noticed} of ${noticed + survivors.length} from seed ${seed}`);
  for (const mutant of survivors) say(describeMutant(mutant));
  for (const mistake of mistakes) onViolation(mistake);
  if (score < AIM) onViolation(`the tests notice ${score.toFixed(1)} % of the mutants, not ${AIM} %`);
}

/** What was broken, and the shortest schedule that breaks it. */
export function describe({ seed, what, schedule: { steps, ...shape } }: Broken): string {
  const lines = steps.map(({ at, act }) => `  at ${at} ms ${JSON.stringify(act)}`);
  return [`seed ${seed}: ${what}`, `  with ${JSON.stringify(shape)}`, ...lines].join('\n');
}

function deadlineOf({ forMs, signal, onViolation }: Setting) {
  return { endsAt: Date.now() + forMs, signal, onViolation };
}
