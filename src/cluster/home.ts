// The directory of one cluster. Its pid file names the process that runs the cluster. A directory whose process was killed is
// removed and made anew.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, ownIdentity, type ProcessIdentity } from './incarnation.ts';

/** Takes the directory for this process and empties it; refuses if a living process has it. */
export async function claimHome(home: string): Promise<void> {
  const holder = await holderOf(home);
  if (holder !== undefined && holder.pid !== process.pid) {
    throw new Error(`cluster at ${home} is already running (pid ${holder.pid}); stop that first`);
  }
  await rm(home, { recursive: true, force: true });
  await mkdir(join(home, 'logs'), { recursive: true });
  await writeFile(pidFile(home), `${JSON.stringify(await ownIdentity())}\n`);
}

/** The living process that has this directory, if there is one. */
export async function holderOf(home: string): Promise<ProcessIdentity | undefined> {
  const text = await readFile(pidFile(home), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const holder = parseHolder(text);
  return holder !== undefined && (await isAlive(holder)) ? holder : undefined;
}

/** Releases the directory: removes everything but the logs. */
export async function releaseHome(home: string): Promise<void> {
  const parts = await readdir(home).catch(() => []);
  const removed = parts.filter((part) => part !== 'logs');
  await Promise.all(removed.map((part) => rm(join(home, part), { recursive: true, force: true })));
}

/** Removes the directories whose names begin with `prefix` and whose cluster has ended. */
export async function removeEnded(directory: string, prefix: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const home = join(directory, name);
    if ((await holderOf(home)) === undefined) await rm(home, { recursive: true, force: true });
  }
}

function pidFile(home: string): string {
  return join(home, 'pid');
}

/** A file that a crash has truncated names no process. */
function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    const { pid, incarnation } = JSON.parse(text) as Partial<ProcessIdentity>;
    return typeof pid === 'number' && typeof incarnation === 'string' ? { pid, incarnation } : undefined;
  } catch {
    return undefined;
  }
}
