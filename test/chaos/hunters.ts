// Starts simulations as processes of their own, so that all cores are used and a planted bug cannot leak into anything.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Findings, Hunt } from './simulation/hunt.ts';

const run = promisify(execFile);
const MOST_OUTPUT = 16 * 1024 * 1024;

/** Runs a built simulation (planted/build.ts) on this task. */
export async function sendHunter(program: string, hunt: Hunt, signal?: AbortSignal): Promise<Findings> {
  const args = [program, '--hunt', JSON.stringify(hunt)];
  const { stdout } = await run(process.execPath, args, { maxBuffer: MOST_OUTPUT, ...(signal && { signal }) });
  return JSON.parse(stdout) as Findings;
}
