// What an operator's process takes while something is done to it: its memory, as the kernel counts it against the limit
// of a container, and how long its event loop does not answer.

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { LocalOperator } from '../../../../src/local/operator.ts';
import type { Part, Tally } from '../part.ts';

export interface Strain {
  /** Resident memory at its highest, in MiB. */
  readonly peakMiB: number;
  /** The longest that a liveness probe waited for its answer, in milliseconds. */
  readonly slowestProbeMs: number;
}

const EVERY_MS = 20;
/** The limit of the operator's container is 512 Mi. */
const MOST_MIB = 400;

/** Measures an operator for as long as `play` runs. */
export async function strainOf(
  { process: { pid }, healthUrl }: LocalOperator,
  play: () => Promise<void>,
): Promise<Strain> {
  let [peakMiB, slowestProbeMs] = [0, 0];
  const over = new AbortController();
  const measure = async (look: () => Promise<void>): Promise<void> => {
    for (; !over.signal.aborted; await delay(EVERY_MS)) await look();
    await look();
  };
  const measured = Promise.all([
    measure(async () => {
      peakMiB = Math.max(peakMiB, await residentMiB(pid));
    }),
    measure(async () => {
      const startedAt = performance.now();
      await fetch(`${healthUrl}/healthz/ping`);
      slowestProbeMs = Math.max(slowestProbeMs, performance.now() - startedAt);
    }),
  ]);
  try {
    await play();
  } finally {
    over.abort();
  }
  await measured;
  return { peakMiB, slowestProbeMs };
}

/** Notes what the operator took during an attack, and holds its memory to the bound. */
export function judgeStrain(attack: string, strain: Strain, part: Part, tally: Tally): void {
  const { peakMiB, slowestProbeMs } = strain;
  tally.strains.set(attack, { peakMiB, slowestProbeMs });
  if (peakMiB > MOST_MIB) part.onViolation(`${attack}: the operator took ${Math.round(peakMiB)} MiB`);
}

/** The resident memory of a process, in MiB. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`no VmRSS in ${JSON.stringify(status.slice(0, 60))}`);
  return Number(kibibytes) / 1024;
}
