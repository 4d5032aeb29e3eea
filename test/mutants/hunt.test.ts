// The whole way: mutants of a small source, tried on checks of it that leave one hole on purpose.

import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { prepare } from './ground.ts';
import { type Fate, hunt } from './hunt.ts';
import { reportOn } from './report.ts';

const SUBJECT = 'test/mutants/fixture/price.ts';
const CHECKS = 'test/mutants/fixture/price.checks.ts';

let fates: readonly Fate[];

beforeAll(async () => {
  const { mutants, programs } = await prepare(new Map([[SUBJECT, await readFile(SUBJECT, 'utf8')]]), [CHECKS]);
  fates = await hunt(programs, mutants, { signal: new AbortController().signal });
});

/** The changes that had this outcome, as `before -> after`. */
function having(outcome: Fate['outcome']): string[] {
  return fates.filter((fate) => fate.outcome === outcome).map(({ mutant }) => `${mutant.before} -> ${mutant.after}`);
}

describe('a hunt', () => {
  it('finds the hole that was left on purpose, and no other', () => {
    const discount = 'const discount = count >= 10 ? 0.9 : 1;';
    expect(having('survived')).toEqual([
      `${discount} -> ${discount.replace('>=', '>')}`,
      `${discount} -> ${discount.replace('10', '11')}`,
    ]);
  });

  it('tells what no test reaches from what all tests pass', () => {
    expect(having('unreached')).toEqual(["return { ...order, label: 'free' }; -> return { ...order, label: '' };"]);
  });

  it('leaves the compiler what is its to refuse', () => {
    expect(having('refused')).toEqual([
      "return { ...order, label: 'free' }; -> return { ...{}, label: 'free' };",
      "return { ...order, label: 'free' }; -> return { ...order, ...{} };",
    ]);
  });

  it('ends with a mutant that never does', () => {
    expect(having('killed')).toContain('left /= 2; -> ;');
  });

  it('takes everything else for noticed, and gives its score by that', () => {
    const { noticed, survivors, score } = reportOn(fates, []);
    expect(noticed + survivors.length).toBe(fates.length - 2);
    expect(survivors).toHaveLength(3);
    expect(score).toBeCloseTo((100 * noticed) / (fates.length - 2));
  });

  it('does nothing when it is over before it began', async () => {
    const { mutants, programs } = await prepare(new Map([[SUBJECT, await readFile(SUBJECT, 'utf8')]]), [CHECKS]);
    expect(await hunt(programs, mutants, { signal: AbortSignal.abort() })).toEqual([]);
  });
});

it('refuses to begin with tests that fail by themselves', async () => {
  const broken = (await readFile(SUBJECT, 'utf8')).replace('count * each', 'count + each');
  const { mutants, programs } = await prepare(new Map([[SUBJECT, broken]]), [CHECKS]);
  await expect(hunt(programs, mutants, { signal: new AbortController().signal })).rejects.toThrow(
    `${CHECKS} fails without any mutant`,
  );
});
