// `make bench`: MyDeployment side by side with the native Deployment and with the limit of the cluster, in one run on
// one embedded cluster. An independent watch takes the times, Linux counts the CPU, the API server's audit log the
// requests. Everything it starts ends with it, whatever ends it.

import { relative } from 'node:path';
import type { Cluster, Programs } from '../../src/cluster/cluster.ts';
import { programsForPeople } from '../../src/cluster/programs.ts';
import { stopOnSignals } from '../../src/runtime/manager/signals.ts';
import { auditLogOf, setUp, startCluster } from './cluster.ts';
import { currentLoad, describeMachine } from './machine.ts';
import { type BenchOptions, parseOptions, USAGE } from './options.ts';
import { type Run, reportOf, writeReport } from './report.ts';
import { playRounds, progressLine } from './rounds.ts';
import type { Sample } from './sample.ts';
import { daemonWorksOf, worksOf } from './work/works.ts';

const FOLDER = '.cluster/bench';
/** No run of sensible size takes longer. */
const LONGEST_MS = 3 * 3_600_000;

async function main(options: BenchOptions): Promise<void> {
  const signal = AbortSignal.any([stopOnSignals(), AbortSignal.timeout(LONGEST_MS)]);
  const startedAt = new Date();
  const loadBefore = currentLoad();
  if (loadBefore > 1) say(`the machine is busy (load ${loadBefore.toFixed(1)}): times will be longer, and noisy`);
  const programs = await programsForPeople(process.env, signal);
  const cluster = await startCluster(programs, FOLDER);
  try {
    const machine = await describeMachine(cluster.client, loadBefore);
    const samples: Sample[] = [];
    const measured = bench(cluster, programs, { options, signal, onSample: (sample) => samples.push(sample) });
    const failure = await measured.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    // What was measured before a failure is worth reading, too.
    if (samples.length > 0) await report({ startedAt, machine, options, samples, complete: failure === undefined });
    if (failure !== undefined) throw failure.error;
  } finally {
    await cluster.stop();
  }
}

interface Session {
  readonly options: BenchOptions;
  readonly signal: AbortSignal;
  readonly onSample: (sample: Sample) => void;
}

async function bench(cluster: Cluster, programs: Programs, { options, signal, onSample }: Session): Promise<void> {
  const contenders = await setUp(cluster, programs, options.contenders);
  await playRounds({
    cluster,
    contenders,
    signal,
    audit: auditLogOf(cluster),
    size: options.pods,
    rounds: options.rounds,
    works: worksOf(options.works),
    daemonWorks: daemonWorksOf(options.works),
    names: options.contenders,
    onTurn: (round, name) => say(round === 0 ? `warm-up  ${name}` : `round ${round} of ${options.rounds}  ${name}`),
    onSample: (sample) => {
      onSample(sample);
      say(progressLine(sample));
    },
  });
}

async function report(run: Run): Promise<void> {
  const files = await writeReport(run, FOLDER);
  process.stdout.write(`\n${reportOf(run)}\n\n${files.map((file) => relative('.', file)).join('\n')}\n`);
}

/** Progress goes to standard error, so that standard output is the report alone. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function optionsOrUsage(): BenchOptions {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

try {
  await main(optionsOrUsage());
} catch (error) {
  say(`bench: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
