import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { readSources } from '../support/source-tree.ts';
import { parseEquivalents } from './equivalents.ts';
import { parseOptions } from './options.ts';
import { subjectsOf, testsOf } from './subjects.ts';

const sources = readSources('src');
const subjects = subjectsOf(sources);

describe('what is mutated', () => {
  it.each([
    'src/kinds/my-deployment/plan/plan.ts',
    'src/kinds/my-daemon-set/rolling.ts',
    'src/workload/deletion-order.ts',
    'src/runtime/consistency/owner-writes.ts',
    'src/runtime/controller/pacer.ts',
    'src/runtime/queue/queue.ts',
  ])('%s', (path) => {
    expect(subjects).toContain(path);
  });

  it.each([
    'src/workload/pod-owner.ts',
    'src/kinds/my-deployment/schema.ts',
    'src/kinds/my-deployment/types.gen.ts',
    'src/workload/pod-writes.ts',
    'src/kubectl/main.ts',
  ])('is not %s', (path) => {
    expect(sources.has(path)).toBe(true);
    expect(subjects).not.toContain(path);
  });

  it('has to be noticed by quick unit tests of the same layers that load it', () => {
    const everything = new Map([...sources, ...readSources('test')]);
    const tests = testsOf(['src/kinds/my-deployment/plan/progress.ts'], everything);
    expect(tests).toContain('test/kinds/my-deployment/progress.test.ts');
    expect(tests.filter((path) => /cluster|simulation\.test|^test\/(?!kinds|runtime|workload)/.test(path))).toEqual([]);
    expect(tests).not.toContain('test/kinds/collector/plan.test.ts');
  });

  it('is excused with a reason only', async () => {
    const equivalents = parseEquivalents(await readFile('test/mutants/equivalents.txt', 'utf8'));
    for (const { because } of equivalents) expect(because).toMatch(/^\S.{10,}\.$/);
  });
});

describe('parseOptions', () => {
  it.each([
    { env: {}, options: { only: '', budgetMs: undefined, seed: 7, aim: 98 } },
    { env: { ONLY: '', BUDGET: '', SEED: '', AIM: '' }, options: { only: '', budgetMs: undefined, seed: 7, aim: 98 } },
    {
      env: { ONLY: 'src/workload/', BUDGET: '90s', SEED: '4711', AIM: '99.5' },
      options: { only: 'src/workload/', budgetMs: 90_000, seed: 4711, aim: 99.5 },
    },
  ])('$env', ({ env, options }) => {
    expect(parseOptions(env, 7)).toEqual(options);
  });

  it.each([
    { env: { BUDGET: '10' }, says: 'BUDGET must be a time' },
    { env: { SEED: 'x' }, says: 'SEED must be a number' },
    { env: { AIM: '101' }, says: 'AIM must be a number up to 100, got "101"' },
  ])('refuses $env', ({ env, says }) => {
    expect(() => parseOptions(env, 7)).toThrow(says);
  });
});
