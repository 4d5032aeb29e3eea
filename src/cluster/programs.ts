// Gets the cluster's programs for a person at a terminal or a CI log: settings from the environment, progress on
// standard error, so that standard output stays free for what a command has to say.

import { binaries, type NodeBinaries, nodeBinaries } from './binaries/binaries.ts';
import type { Progress } from './binaries/progress.ts';
import { plainProgress, terminalProgress } from './binaries/progress-lines.ts';
import { binarySettings } from './binaries/settings.ts';
import type { ToolName } from './binaries/tool.ts';
import { provideTool } from './binaries/tools.ts';
import type { Programs } from './cluster.ts';

/** Finds, downloads or builds what is needed, saying what it does. */
export async function programsForPeople(env: NodeJS.ProcessEnv = process.env, signal?: AbortSignal): Promise<Programs> {
  return binaries(binarySettings(env), progressForPeople(), signal);
}

/** The same for kubelet and kube-proxy, which only a real node needs. */
export async function nodeProgramsForPeople(
  env: NodeJS.ProcessEnv = process.env,
  signal?: AbortSignal,
): Promise<NodeBinaries> {
  return nodeBinaries(binarySettings(env), progressForPeople(), signal);
}

/** The same for a program that only tests use. */
export async function toolForPeople(name: ToolName, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  return provideTool(name, binarySettings(env), progressForPeople());
}

function progressForPeople(): Progress {
  const { stderr } = process;
  return stderr.isTTY ? terminalProgress(stderr) : plainProgress((line) => stderr.write(line));
}
