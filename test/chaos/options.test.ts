import { describe, expect, it } from '@jest/globals';
import { parseOptions } from './options.ts';

describe('parseOptions', () => {
  it.each([
    { env: {}, totalMs: 600_000, parts: 7 },
    { env: { BUDGET: '', ONLY: '', SEED: '' }, totalMs: 600_000, parts: 7 },
    { env: { BUDGET: '90s' }, totalMs: 90_000, parts: 7 },
    { env: { BUDGET: '2h', ONLY: 'faults, simulation' }, totalMs: 7_200_000, parts: 2 },
  ])('$env', ({ env, totalMs, parts }) => {
    const options = parseOptions(env);
    const budgets = Object.values(options.budgets);
    expect(budgets).toHaveLength(parts);
    expect(budgets.reduce((sum, each) => sum + each, 0)).toBeCloseTo(totalMs);
    expect(options.replay).toBeUndefined();
  });

  it.each([
    { env: { SEED: '0' }, part: 'simulation', seed: 0 },
    { env: { SEED: '4711', ONLY: 'simulation' }, part: 'simulation', seed: 4711 },
    { env: { SEED: '4711', ONLY: 'shards' }, part: 'shards', seed: 4711 },
    { env: { SEED: '4711', ONLY: ' faults' }, part: 'faults', seed: 4711 },
  ])('replays $part $seed with $env', ({ env, part, seed }) => {
    expect(parseOptions(env).replay).toEqual({ part, seed });
  });

  it('gives a part that is looked at alone the whole budget', () => {
    expect(parseOptions({ ONLY: 'crashes', BUDGET: '30m' }).budgets).toEqual({ crashes: 1_800_000 });
  });

  it.each([
    { env: { BUDGET: '10' }, says: 'BUDGET must be a time such as 90s, 10m or 2h, got "10"' },
    { env: { BUDGET: '0m' }, says: 'got "0m"' },
    {
      env: { ONLY: 'faults,bugs' },
      says: 'ONLY knows simulation, shards, planted, crashes, faults, transitions, mutants, not "bugs"',
    },
    { env: { SEED: 'x' }, says: 'SEED must be a whole number, got "x"' },
    { env: { SEED: '-1', ONLY: 'faults' }, says: 'SEED must be a whole number, got "-1"' },
    {
      env: { SEED: '1', ONLY: 'crashes' },
      says: 'SEED goes with ONLY=simulation or ONLY=shards or ONLY=faults, not with "crashes"',
    },
    { env: { SEED: '1', ONLY: 'faults,simulation' }, says: 'not with "faults,simulation"' },
    {
      env: { SEED: '1', ONLY: 'bugs' },
      says: 'ONLY knows simulation, shards, planted, crashes, faults, transitions, mutants, not "bugs"',
    },
  ])('refuses $env', ({ env, says }) => {
    expect(() => parseOptions(env)).toThrow(says);
  });
});
