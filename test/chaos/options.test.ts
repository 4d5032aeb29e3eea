import { describe, expect, it } from '@jest/globals';
import { parseOptions } from './options.ts';

describe('parseOptions', () => {
  it.each([
    { env: {}, options: { budgetMs: 600_000, seed: undefined } },
    { env: { BUDGET: '', SEED: '' }, options: { budgetMs: 600_000, seed: undefined } },
    { env: { BUDGET: '90s', SEED: '0' }, options: { budgetMs: 90_000, seed: 0 } },
    { env: { BUDGET: '2h', SEED: '4711' }, options: { budgetMs: 7_200_000, seed: 4711 } },
  ])('$env', ({ env, options }) => {
    expect(parseOptions(env)).toEqual(options);
  });

  it.each([
    { env: { BUDGET: '10' }, says: 'BUDGET must be a time such as 90s, 10m or 2h, got "10"' },
    { env: { BUDGET: '0m' }, says: 'got "0m"' },
    { env: { SEED: 'x' }, says: 'SEED must be a whole number, got "x"' },
  ])('refuses $env', ({ env, says }) => {
    expect(() => parseOptions(env)).toThrow(says);
  });
});
