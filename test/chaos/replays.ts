// Plays one seed again: a simulated schedule goes the very same way, and is then shortened; a fault run has the same
// people, operators and faults, but a real cluster keeps a pace of its own, so what went wrong once may need a few tries.

import { faultRun } from './cluster/fault-runs.ts';
import type { Lane } from './cluster/lane.ts';
import { inLanes, onRealCluster } from './cluster/real-cluster.ts';
import type { ReplayablePart } from './options.ts';
import { describe, type Player, type Setting } from './parts.ts';
import { SCHEDULES } from './simulation/hunt.ts';
import { runSchedule } from './simulation/run.ts';
import { shrink } from './simulation/shrink.ts';

export const replays: Readonly<Record<ReplayablePart, Player>> = {
  simulation: (setting) => replaySchedule(setting, 'leader'),
  shards: (setting) => replaySchedule(setting, 'shards'),
  faults: (setting) => onRealCluster(setting, (field) => inLanes(field, 1, (lane) => replayFaults(lane, setting))),
};

async function replaySchedule({ seed, say, onViolation }: Setting, about: keyof typeof SCHEDULES): Promise<void> {
  const schedule = SCHEDULES[about](seed);
  const verdict = await runSchedule(schedule);
  say(`seed ${seed}: ${verdict.writes} writes, fingerprint ${verdict.fingerprint}`);
  if (verdict.broken === undefined) return;
  const shortest = await shrink(schedule, verdict);
  onViolation(describe({ seed, what: shortest.verdict.broken as string, schedule: shortest.schedule }));
}

async function replayFaults(lane: Lane, { seed, say, onViolation }: Setting): Promise<void> {
  const { story, broken } = await faultRun(lane, seed);
  say(`seed ${seed}: ${story.join('\n  ')}`);
  for (const what of broken) onViolation(`seed ${seed}: ${what}`);
}
