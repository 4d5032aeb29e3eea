import { describe, expect, it } from '@jest/globals';
import { parseOptions } from './options.ts';

describe('parseOptions', () => {
  it.each([
    { env: {}, totalMs: 600_000, parts: 5, seed: undefined },
    { env: { BUDGET: '', ONLY: '', SEED: '' }, totalMs: 600_000, parts: 5, seed: undefined },
    { env: { BUDGET: '90s', SEED: '0' }, totalMs: 90_000, parts: 5, seed: 0 },
    { env: { BUDGET: '2h', ONLY: 'faults, simulation', SEED: '4711' }, totalMs: 7_200_000, parts: 2, seed: 4711 },
  ])('$env', ({ env, totalMs, parts, seed }) => {
    const options = parseOptions(env);
    const budgets = Object.values(options.budgets);
    expect(budgets).toHaveLength(parts);
    expect(budgets.reduce((sum, each) => sum + each, 0)).toBeCloseTo(totalMs);
    expect(options.seed).toBe(seed);
  });

  it('gives a part that is looked at alone the whole budget', () => {
    expect(parseOptions({ ONLY: 'crashes', BUDGET: '30m' }).budgets).toEqual({ crashes: 1_800_000 });
  });

  it.each([
    { env: { BUDGET: '10' }, says: 'BUDGET must be a time such as 90s, 10m or 2h, got "10"' },
    { env: { BUDGET: '0m' }, says: 'got "0m"' },
    { env: { ONLY: 'faults,bugs' }, says: 'ONLY knows simulation, planted, crashes, faults, transitions, not "bugs"' },
    { env: { SEED: 'x' }, says: 'SEED must be a whole number, got "x"' },
  ])('refuses $env', ({ env, says }) => {
    expect(() => parseOptions(env)).toThrow(says);
  });
});
