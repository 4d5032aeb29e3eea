// How long the campaign may take and which schedule it is to replay, from the environment that `make chaos` passes on.

export interface ChaosOptions {
  readonly budgetMs: number;
  /** Replay this schedule only. */
  readonly seed: number | undefined;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

export const USAGE = `usage: make chaos [BUDGET=10m] [SEED=4711]
  BUDGET  how long to look, such as 90s, 10m or 2h
  SEED    replay one simulated schedule, and print the shortest one that fails the same way
`;

/** Reads BUDGET and SEED; an empty value counts as none. */
export function parseOptions(env: Readonly<Record<string, string | undefined>>): ChaosOptions {
  return { budgetMs: parseBudget(env.BUDGET || '10m'), seed: env.SEED ? parseSeed(env.SEED) : undefined };
}

function parseBudget(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smh])$/.exec(text) ?? [];
  const budgetMs = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (!(budgetMs > 0)) throw new Error(`BUDGET must be a time such as 90s, 10m or 2h, got "${text}"`);
  return budgetMs;
}

function parseSeed(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`SEED must be a whole number, got "${text}"`);
  return Number(text);
}
