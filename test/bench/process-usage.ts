// What a process has cost so far, as Linux counts it in /proc: nothing is asked of the process itself.

import { readFile } from 'node:fs/promises';

export interface Usage {
  readonly pid: number;
  /** Of all its threads, in user and kernel mode. */
  readonly cpuSeconds: number;
  /** The memory that is resident now. */
  readonly rssMiB: number;
  /** The most memory that was resident at any moment of its life. */
  readonly peakRssMiB: number;
}

/** The unit of times in /proc/<pid>/stat on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Reads what a running process has used. */
export async function usageOf(pid: number): Promise<Usage> {
  const [stat, status] = await Promise.all([read(`/proc/${pid}/stat`), read(`/proc/${pid}/status`)]);
  return { pid, cpuSeconds: cpuSeconds(stat), rssMiB: rssMiB(status), peakRssMiB: peakRssMiB(status) };
}

/** How long a process has been running. */
export async function ageOf(pid: number): Promise<number> {
  const [stat, uptime] = await Promise.all([read(`/proc/${pid}/stat`), read('/proc/uptime')]);
  return Number.parseFloat(uptime) - ticks(stat, STARTED) / TICKS_PER_SECOND;
}

/** User and system time from the text of /proc/<pid>/stat. */
export function cpuSeconds(stat: string): number {
  return (ticks(stat, USER_TIME) + ticks(stat, SYSTEM_TIME)) / TICKS_PER_SECOND;
}

/** What is resident now, from the text of /proc/<pid>/status. */
export function rssMiB(status: string): number {
  return mebibytes(status, 'VmRSS');
}

/** The high-water mark from the text of /proc/<pid>/status. */
export function peakRssMiB(status: string): number {
  return mebibytes(status, 'VmHWM');
}

function mebibytes(status: string, field: string): number {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`no ${field} in ${JSON.stringify(status.slice(0, 60))}`);
  return Number(kibibytes) / 1024;
}

/** Places of fields in /proc/<pid>/stat, counted from the one after the program's name. */
const [USER_TIME, SYSTEM_TIME, STARTED] = [11, 12, 19];

/** The name is in parentheses and may hold anything, so fields count from the last one. */
function ticks(stat: string, field: number): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field]);
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause) => {
    throw new Error(`cannot read ${path}: the process has ended, or this is not Linux`, { cause });
  });
}
