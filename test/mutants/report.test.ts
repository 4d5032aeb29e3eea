import { describe, expect, it } from '@jest/globals';
import { type Equivalent, parseEquivalents } from './equivalents.ts';
import type { MutantState } from './hunt.ts';
import type { Mutant } from './mutate.ts';
import { outdated, reportOn } from './report.ts';
import { sample } from './sample.ts';

function mutant(id: number, after = `a > ${id}`): Mutant {
  return { id, file: 'src/x.ts', line: id + 1, within: 'f', before: 'a', after, edit: { start: 0, end: 0, put: '' } };
}

const fates = (...outcomes: readonly MutantState[]) => outcomes.map((outcome, id) => ({ mutant: mutant(id), outcome }));
const listing = (...ids: readonly number[]): Equivalent[] =>
  ids.map((id) => ({ ...mutant(id), because: 'it changes nothing' }));

describe('the report', () => {
  it('counts neither what does not compile nor what changes nothing', () => {
    const { lines, score, survivors } = reportOn(
      fates('killed', 'stopped', 'refused', 'survived', 'unreached', 'survived'),
      listing(3),
    );
    expect(survivors.map(({ id }) => id)).toEqual([4, 5]);
    expect(score).toBe(50);
    expect(lines).toEqual([
      'mutants tried        6',
      'noticed by a test    2',
      'do not compile       1',
      'change nothing       1',
      'survived             2',
      'src/x.ts:5 f\n- a\n+ a > 4',
      'src/x.ts:6 f\n- a\n+ a > 5',
      'score                50.0 %',
    ]);
  });

  it('is full marks when there was nothing to notice', () => {
    expect(reportOn([], []).score).toBe(100);
  });

  it.each<MutantState>(['killed', 'stopped', 'refused'])('blames the list for a mutant that is %s', (outcome) => {
    expect(reportOn(fates(outcome), listing(0)).mistakes).toEqual([
      `listed as equivalent, but ${outcome}: src/x.ts:1 f\n- a\n+ a > 0`,
    ]);
  });

  it('blames the list for a mutant that is gone', () => {
    expect(outdated(listing(0, 1), [mutant(0)])).toEqual(['listed as equivalent, but gone: src/x.ts f\n- a\n+ a > 1']);
  });
});

describe('the list of equivalents', () => {
  it('gives a reason for the mutants below it, and takes them as the report prints them', () => {
    const list =
      'For people.\n\n# One reason.\nsrc/x.ts f\n- a\n+ b\nsrc/y.ts:7\n- - c\n+ # d\n\n# Another.\nsrc/z.ts g\n- e\n+ ;\n';
    expect(parseEquivalents(list)).toEqual([
      { because: 'One reason.', file: 'src/x.ts', within: 'f', before: 'a', after: 'b' },
      { because: 'One reason.', file: 'src/y.ts', within: '', before: '- c', after: '# d' },
      { because: 'Another.', file: 'src/z.ts', within: 'g', before: 'e', after: ';' },
    ]);
  });

  it.each([
    { list: '# Why.\nsrc/x.ts f\n- a\n', says: 'a heading, a - and a +' },
    { list: '# Why.\nsrc f\n- a\n+ b\n', says: 'neither a file nor a reason: src f' },
    { list: '# Why.\nsrc/x.ts f\n+ a\n+ b\n', says: 'wants to begin with "- ": + a' },
  ])('is refused: $says', ({ list, says }) => {
    expect(() => parseEquivalents(list)).toThrow(says);
  });
});

describe('a sample', () => {
  const all = Array.from({ length: 50 }, (_, id) => mutant(id));
  const ids = (seed: number) => sample(all, seed).map(({ id }) => id);

  it('is the same for the same seed, another for another, and leaves none out', () => {
    expect(ids(1)).toEqual(ids(1));
    expect(ids(1)).not.toEqual(ids(2));
    expect(ids(1).toSorted((one, other) => one - other)).toEqual(all.map(({ id }) => id));
  });
});
