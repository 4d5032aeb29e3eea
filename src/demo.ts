// `make demo`: a narrated tour on an embedded cluster of its own. It shows commands with their output, and checks the result of
// each. A check that fails ends the demo with exit code 1 and prints what was expected. Nothing is left running.

import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Cluster, type Programs } from './cluster/cluster.ts';
import { programsForPeople } from './cluster/programs.ts';
import { CHAPTERS } from './demo/chapters.ts';
import { Narrator, type Part } from './demo/narrator.ts';
import { BrokenPromise, type Place, Stage } from './demo/stage.ts';
import { FILES } from './demo/web.ts';
import { styleFor } from './kubectl/terminal/style.ts';
import { installOperator, type LocalOperator, startOperator } from './local/operator.ts';
import { stopOnSignals } from './runtime/manager/signals.ts';

const INTERRUPTED = 130;

interface Setting {
  readonly narrator: Narrator;
  readonly signal: AbortSignal;
  /** The name of the cluster; two demos at the same time need two names. */
  readonly name: string;
}

async function demo({ narrator, signal, name }: Setting): Promise<void> {
  const programs = await programsForPeople(process.env, signal);
  const parts: Part[] = [];
  const timed = async <T>(title: string, act: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await act();
    parts.push({ title, ms: performance.now() - startedAt });
    return result;
  };
  narrator.chapter(
    'Start',
    'A Kubernetes control plane on this machine, and the operator as the manifests install it.',
  );
  const cluster = await timed('Start', () => Cluster.start(programs, { name }));
  let operator: LocalOperator | undefined;
  try {
    signal.throwIfAborted();
    operator = await timed('Install', () => installAndRun(cluster));
    narrator.holds(`Kubernetes answers at ${cluster.server}, the operator is ready`);
    const stage = new Stage({ narrator, signal, ...(await prepare(cluster, programs)) });
    for (const { title, story, play } of CHAPTERS) {
      signal.throwIfAborted();
      narrator.chapter(title, story);
      await timed(title, () => play(stage));
    }
    narrator.summary(parts);
  } finally {
    await operator?.stop();
    await cluster.stop();
  }
}

async function installAndRun(cluster: Cluster): Promise<LocalOperator> {
  await installOperator(cluster);
  return startOperator(cluster);
}

/** Files to apply, and a PATH on which kubectl finds its plugin. */
async function prepare(cluster: Cluster, programs: Programs): Promise<Place> {
  const directory = join(cluster.home, 'demo');
  const bin = join(directory, 'bin');
  await mkdir(bin, { recursive: true });
  await Promise.all(Object.entries(FILES).map(([file, text]) => writeFile(join(directory, file), text)));
  const plugin = join(bin, 'kubectl-md');
  await writeFile(plugin, `#!/bin/sh\nexec '${process.execPath}' '${resolve('src/kubectl/main.ts')}' "$@"\n`);
  await chmod(plugin, 0o755);
  const path = [bin, dirname(programs.kubectl), process.env.PATH ?? ''].join(':');
  return { directory, env: { PATH: path, HOME: directory, KUBECONFIG: cluster.kubeconfig } };
}

function exitCodeOf(error: unknown, { narrator, signal }: Setting): number {
  if (signal.aborted) {
    narrator.say('\nStopped; nothing is left running.');
    return INTERRUPTED;
  }
  if (error instanceof BrokenPromise) narrator.failed(error.message);
  else narrator.failed(`the demo cannot go on: ${error instanceof Error ? error.message : error}`);
  return 1;
}

const { values } = parseArgs({ options: { name: { type: 'string', default: 'demo' } } });
const isForPeople = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
const narrator = new Narrator({ write: (text) => void process.stdout.write(text), palette: styleFor(isForPeople) });
const setting: Setting = { narrator, signal: stopOnSignals(), name: values.name };
try {
  await demo(setting);
} catch (error) {
  process.exitCode = exitCodeOf(error, setting);
}
