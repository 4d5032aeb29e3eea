// `make cluster-up` and `make cluster-down`: the embedded cluster alone, in the background.
// `up` gets the programs (showing progress), starts a process that holds the cluster, and returns when it is ready.
// That process stops the cluster on `down`; if it ends in any other way, the cluster ends with it.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Cluster } from './cluster.ts';
import { holderOf } from './home.ts';
import { isAlive } from './incarnation.ts';
import { type ResolvedOptions, resolveOptions } from './options.ts';
import { programsForPeople } from './programs.ts';
import { untilSignal } from './until-signal.ts';

const USAGE = 'usage: cluster up|down [--name NAME] [--nodes N]';

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' }, nodes: { type: 'string' } },
  });
  const options = resolveOptions({
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values.nodes === undefined ? {} : { nodes: Number(values.nodes) }),
  });
  switch (positionals[0]) {
    case 'up':
      return up(options);
    case 'down':
      return down(options);
    case 'hold':
      return hold(options);
    default:
      throw new Error(`${USAGE} (got ${JSON.stringify(positionals.join(' '))})`);
  }
}

async function up(options: ResolvedOptions): Promise<void> {
  const running = await holderOf(options.home);
  if (running !== undefined) {
    console.log(`cluster ${options.name} is already running (pid ${running.pid})`);
    console.log(`export KUBECONFIG=${sharedKubeconfig(options)}`);
    return;
  }
  await programsForPeople();
  const started = performance.now();
  await startHolder(options);
  console.log(`cluster ${options.name} is ready after ${((performance.now() - started) / 1000).toFixed(1)} s`);
  console.log(`logs:  ${relative('.', join(options.home, 'logs'))}`);
  console.log(
    `stop:  ${options.name === 'default' ? 'make cluster-down' : `npm run cluster -- down --name ${options.name}`}`,
  );
  console.log(`export KUBECONFIG=${sharedKubeconfig(options)}`);
}

/** Starts the holding process and waits until it reports that the cluster is ready. */
async function startHolder(options: ResolvedOptions): Promise<void> {
  mkdirSync(dirname(options.home), { recursive: true });
  const logFile = `${options.home}.log`;
  const log = openSync(logFile, 'w');
  const args = [import.meta.filename, 'hold', '--name', options.name, '--nodes', String(options.nodes)];
  const holder = spawn(process.execPath, args, { detached: true, stdio: ['ignore', log, log, 'ipc'] });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    holder.once('message', () => resolve());
    holder.once('exit', (code) => reject(new Error(`the cluster did not start (exit code ${code}), see ${logFile}`)));
  });
  letGo(holder);
}

function letGo(holder: ChildProcess): void {
  holder.disconnect();
  holder.unref();
}

/** The holding process: lives as long as the cluster. */
async function hold(options: ResolvedOptions): Promise<void> {
  const signalled = untilSignal();
  const cluster = await Cluster.start(await programsForPeople(), { name: options.name, nodes: options.nodes });
  await copyFile(cluster.kubeconfig, sharedKubeconfig(options));
  process.send?.('ready');
  await signalled;
  await rm(sharedKubeconfig(options), { force: true });
  await cluster.stop();
}

async function down(options: ResolvedOptions): Promise<void> {
  const holder = await holderOf(options.home);
  if (holder === undefined) {
    console.log(`cluster ${options.name} is not running`);
    return;
  }
  const started = performance.now();
  process.kill(holder.pid, 'SIGTERM');
  for (let waited = 0; await isAlive(holder); waited += 50) {
    // Killing the holder is safe: its guards end every component with it.
    if (waited === 10_000) process.kill(holder.pid, 'SIGKILL');
    await delay(50);
  }
  console.log(`cluster ${options.name} stopped after ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** `.cluster/kubeconfig` for the default cluster, `.cluster/<name>.kubeconfig` for another. */
function sharedKubeconfig(options: ResolvedOptions): string {
  const file = options.name === 'default' ? 'kubeconfig' : `${options.name}.kubeconfig`;
  return join(dirname(options.home), file);
}

try {
  await main();
} catch (error) {
  console.error(`cluster: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
