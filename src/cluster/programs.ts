// Gets the cluster's programs for a person at a terminal or a CI log: settings from the environment, progress on
// standard error, so that standard output stays free for what a command has to say.

import { binaries } from './binaries/binaries.ts';
import { plainProgress } from './binaries/progress-plain.ts';
import { terminalProgress } from './binaries/progress-terminal.ts';
import { binarySettings } from './binaries/settings.ts';
import type { Programs } from './cluster.ts';

/** Finds, downloads or builds what is needed, saying what it does. */
export async function programsForPeople(env: NodeJS.ProcessEnv = process.env, signal?: AbortSignal): Promise<Programs> {
  const { stderr } = process;
  const progress = stderr.isTTY ? terminalProgress(stderr) : plainProgress((line) => stderr.write(line));
  return binaries(binarySettings(env), progress, signal);
}
