// Distinguishes a process from a later one with the same pid. Without this, the pid file or lock of a killed process would stand
// for an unrelated process, which might then be signalled.

import { readFile } from 'node:fs/promises';

export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own words. */
  readonly incarnation: string;
}

/** This very process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, incarnation: (await incarnationOf(process.pid)) ?? '' };
}

/** True while that very process runs. */
export async function isAlive({ pid, incarnation }: ProcessIdentity): Promise<boolean> {
  return (await incarnationOf(pid)) === incarnation;
}

/** The start time where /proc tells it. Undefined when no such process runs. */
async function incarnationOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return isSignallable(pid) ? 'running' : undefined;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the program's name in parentheses and may hold anything, so count from the last one.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields?.[0], fields?.[19]];
  return state === 'Z' ? undefined : started;
}

function isSignallable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
