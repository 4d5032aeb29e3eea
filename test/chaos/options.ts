// How long the campaign may take, what it looks at and which seed it is to replay, from the environment that `make chaos`
// passes on.

/** With what share of the budget each part may do. */
const SHARES = {
  simulation: 0.2,
  shards: 0.05,
  planted: 0.15,
  crashes: 0.25,
  faults: 0.15,
  transitions: 0.15,
  mutants: 0.05,
};

export type PartName = keyof typeof SHARES;
export const PART_NAMES = Object.keys(SHARES) as readonly PartName[];

/** Parts in which one seed makes one run. */
const REPLAYABLE = ['simulation', 'shards', 'faults'] as const satisfies readonly PartName[];

export type ReplayablePart = (typeof REPLAYABLE)[number];

export interface ChaosOptions {
  /** How long each part may take, in milliseconds; only those that are asked for. */
  readonly budgets: Readonly<Partial<Record<PartName, number>>>;
  /** Play this again, and nothing else. */
  readonly replay: { readonly part: ReplayablePart; readonly seed: number } | undefined;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

export const USAGE = `usage: make chaos [BUDGET=10m] [ONLY=simulation,faults]
       make chaos [ONLY=faults] SEED=4711
  BUDGET  how long to look, such as 90s, 10m or 2h
  ONLY    some of ${PART_NAMES.join(', ')}
  SEED    replay one simulated schedule, with ONLY=shards one of operators that share namespaces, and print the
          shortest one that fails the same way; with ONLY=faults replay one fault run: the same people, operators and
          faults, but a real cluster keeps a pace of its own
`;

/** Reads BUDGET, ONLY and SEED; an empty value counts as none. */
export function parseOptions(env: Readonly<Record<string, string | undefined>>): ChaosOptions {
  const parts = env.ONLY ? parseParts(env.ONLY) : PART_NAMES;
  const whole = parts.reduce((sum, part) => sum + SHARES[part], 0);
  const budgetMs = parseBudget(env.BUDGET || '10m');
  const budgets = Object.fromEntries(parts.map((part) => [part, (budgetMs * SHARES[part]) / whole]));
  return { budgets, replay: env.SEED ? parseReplay(env.SEED, env.ONLY || 'simulation') : undefined };
}

/** A time such as 90s, 10m or 2h, in milliseconds. */
export function parseBudget(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smh])$/.exec(text) ?? [];
  const budgetMs = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (!(budgetMs > 0)) throw new Error(`BUDGET must be a time such as 90s, 10m or 2h, got "${text}"`);
  return budgetMs;
}

function parseParts(text: string): readonly PartName[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !PART_NAMES.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`ONLY knows ${PART_NAMES.join(', ')}, not "${unknown}"`);
  return PART_NAMES.filter((part) => names.includes(part));
}

function parseReplay(seed: string, only: string): ChaosOptions['replay'] {
  if (!/^\d{1,15}$/.test(seed)) throw new Error(`SEED must be a whole number, got "${seed}"`);
  const part = REPLAYABLE.find((each) => each === only.trim());
  if (part === undefined) throw new Error(`SEED goes with ONLY=${REPLAYABLE.join(' or ONLY=')}, not with "${only}"`);
  return { part, seed: Number(seed) };
}
