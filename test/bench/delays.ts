// `npm run bench:delays`: what each mechanism that delays or saves something buys. The operator as it is and the operator
// without one of them take turns on one cluster; the table says how everything changes when that one is missing. A
// mechanism that changes nothing by a tenth has no place in the operator. What waits for the sake of a promise, such as
// the confirming of writes, is not among them: the planted defects of the fault campaign show that it is needed.

import { join } from 'node:path';
import { buildBundle } from '../../src/build/bundle.ts';
import { socketsOfUndici } from '../../src/build/sockets-of-undici.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { programsForPeople } from '../../src/cluster/programs.ts';
import { MALLOC, NODE_FLAGS, startOperator } from '../../src/local/operator.ts';
import { stopOnSignals } from '../../src/runtime/manager/signals.ts';
import type { Edit } from '../chaos/planted/bugs.ts';
import { planting } from '../chaos/planted/build.ts';
import { auditLogOf, setUp, startCluster } from './cluster.ts';
import type { Contenders } from './contenders/contender.ts';
import { chosen, count } from './options.ts';
import { orderOf } from './rounds.ts';
import type { Sample } from './sample.ts';
import { median } from './statistics.ts';
import { playTurn } from './turn.ts';
import { worksOf } from './work/works.ts';

const FOLDER = '.cluster/bench';
const LONGEST_MS = 2 * 3_600_000;

/** The operator without something. */
interface Variant {
  readonly without: string;
  readonly edits?: readonly Edit[];
  readonly nodeFlags?: readonly string[];
  readonly malloc?: NodeJS.ProcessEnv;
  readonly plugins?: readonly (typeof socketsOfUndici)[];
}

const STATUS_WRITER = 'src/runtime/status-writer.ts';

const VARIANTS: readonly Variant[] = [
  { without: 'nothing: the operator as it is' },
  {
    without: 'the pace of reconciles',
    edits: [
      edit('src/kinds/my-deployment/owner.ts', '    paceMs: ({ spec }) => paceMs(limitsOf(withDefaults(spec))),\n'),
    ],
  },
  {
    without: 'batching of steps',
    edits: [edit('src/kinds/my-deployment/plan/batching.ts', 'until + PATIENCE_MS > rollout.now', 'false')],
  },
  {
    without: 'coalescing of status writes',
    edits: [edit(STATUS_WRITER, "urgency === 'now' || last?.uid !== uid", "urgency === 'now' || last?.uid !== ''")],
  },
  {
    without: 'longer intervals while the API server is busy',
    edits: [edit(STATUS_WRITER, 'Math.min(INTERVAL_OF_WRITE * tookMs, LONGEST_INTERVAL_MS)', '0')],
  },
  ...NODE_FLAGS.map((flag) => ({ without: flag, nodeFlags: NODE_FLAGS.filter((each) => each !== flag) })),
  ...Object.entries(MALLOC).map(([name, value]) => ({
    without: `${name}=${value}`,
    malloc: Object.fromEntries(Object.entries(MALLOC).filter(([each]) => each !== name)),
  })),
  { without: 'sockets of undici only', plugins: [] },
];

function edit(file: string, find: string, put = ''): Edit {
  return { file, find, put };
}

/** A figure of one turn. */
const COLUMNS: Readonly<Record<string, (samples: ReadonlyMap<string, Sample>) => number | undefined>> = {
  'create s': (samples) => samples.get('create')?.seconds,
  'roll s': (samples) => samples.get('roll')?.seconds,
  'many s': (samples) => total(samples, ['many-create', 'many-roll'], 'seconds'),
  'reaction p50 ms': (samples) => middle(samples.get('reaction')?.reactionsMs),
  'status of 3 p50 ms': (samples) => middle(samples.get('freshness')?.statusLagsMs),
  'status after roll ms': (samples) => middle(samples.get('roll')?.statusLagsMs),
  writes: (samples) => total(samples, ['create', 'roll', 'many-create', 'many-roll'], 'writes'),
  'CPU s': (samples) => total(samples, ['create', 'roll', 'many-create', 'many-roll'], 'cpuSeconds'),
  'memory MiB': (samples) => Math.max(...[...samples.values()].map(({ peakRssMiB }) => peakRssMiB)),
};

function total(
  samples: ReadonlyMap<string, Sample>,
  works: readonly string[],
  field: 'seconds' | 'writes' | 'cpuSeconds',
): number | undefined {
  const values = works.flatMap((work) => samples.get(work)?.[field] ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

function middle(values: readonly number[] | undefined): number | undefined {
  return values && median(values);
}

const WORKS = ['create', 'roll', 'reaction', 'freshness', 'many'] as const;

/** How many pods, how many rounds, the variants whose name contains one of these words, and which works. */
async function main([pods = '400', rounds = '2', only = '', work = WORKS.join()]: readonly string[]): Promise<void> {
  const size = count('pods', pods);
  const variants = VARIANTS.filter(
    ({ without }, index) => index === 0 || only.split(',').some((word) => without.includes(word)),
  );
  const signal = AbortSignal.any([stopOnSignals(), AbortSignal.timeout(LONGEST_MS)]);
  const programs = await programsForPeople(process.env, signal);
  const cluster = await startCluster(programs, FOLDER);
  const turns = new Map<Variant, Map<string, Sample>[]>(variants.map((variant) => [variant, []]));
  try {
    const contenders = await setUp(cluster, programs, ['ours']);
    const ours = contenders.get('ours') as Contenders;
    const programOf = new Map(
      await Promise.all(
        variants.map(async (variant, index) => [variant, await buildVariant(cluster, variant, index)] as const),
      ),
    );
    const works = worksOf(chosen('works', work, WORKS));
    for (let round = 0; round <= count('rounds', rounds); round++) {
      for (const variant of round === 0 ? variants.slice(0, 1) : orderOf(variants, round)) {
        const samples = new Map<string, Sample>();
        const start = startOf(cluster, variant, programOf.get(variant) as string);
        const contender = { ...ours, deployment: { ...ours.deployment, start } };
        process.stderr.write(`round ${round}  without ${variant.without}\n`);
        const onSample = (sample: Sample): void => void samples.set(sample.work, sample);
        await playTurn(contender, works, { cluster, audit: auditLogOf(cluster), size, signal, round, onSample });
        process.stderr.write(`${figuresOf(samples)}\n`);
        if (round > 0) turns.get(variant)?.push(samples);
      }
    }
  } finally {
    await cluster.stop();
    process.stdout.write(`${tableOf(turns)}\n`);
  }
}

async function buildVariant(cluster: Cluster, { edits = [], plugins }: Variant, index: number): Promise<string> {
  const program = join(cluster.home, `variant-${index}`, 'operator.mjs');
  const planted = new Set<Edit>();
  await buildBundle('src/main.ts', program, {
    plugins: [...(plugins ?? [socketsOfUndici]), planting(edits, planted)],
  });
  if (planted.size < edits.length) throw new Error(`the operator does not load ${edits.map(({ file }) => file)}`);
  return program;
}

function startOf(cluster: Cluster, { nodeFlags = NODE_FLAGS, malloc = MALLOC }: Variant, program: string) {
  return async () => (await startOperator(cluster, { program, nodeFlags, malloc, flags: ['--leader-elect'] })).process;
}

/** One turn in a line, so that a run that is cut short has said something. */
function figuresOf(samples: ReadonlyMap<string, Sample>): string {
  return Object.entries(COLUMNS)
    .flatMap(([name, figure]) => figure(samples)?.toFixed(2).replace(/^/, `${name} `) ?? [])
    .join(', ');
}

/** The operator as it is in figures, each variant that had a turn as a ratio to it. */
function tableOf(all: ReadonlyMap<Variant, readonly ReadonlyMap<string, Sample>[]>): string {
  const turns = [...all].filter(([, samples]) => samples.length > 0);
  const baseline = all.get(VARIANTS[0] as Variant) ?? [];
  const figureOf = (samples: readonly ReadonlyMap<string, Sample>[], column: string): number =>
    samples.length === 0 ? Number.NaN : median(samples.map((turn) => COLUMNS[column]?.(turn) ?? Number.NaN));
  const names = Object.keys(COLUMNS);
  const rows = turns.map(([variant, samples]) => {
    const cells = names.map((name) => {
      const value = figureOf(samples, name);
      const ratio = value / figureOf(baseline, name);
      if (Number.isNaN(value)) return '';
      return variant === VARIANTS[0] || Number.isNaN(ratio) ? value.toFixed(value < 100 ? 2 : 0) : ratio.toFixed(2);
    });
    return `| ${[variant.without, ...cells].join(' | ')} |`;
  });
  return [`| without | ${names.join(' | ')} |`, `|---${'|---'.repeat(names.length)}|`, ...rows].join('\n');
}

await main(process.argv.slice(2));
