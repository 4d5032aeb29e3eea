import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { diffText } from '../../../src/kubectl/rollout/diff.ts';
import { lineDiff } from '../../../src/kubectl/rollout/line-diff.ts';
import { coloured, plain } from '../../../src/kubectl/terminal/style.ts';
import { template } from '../../kinds/my-deployment/fixture.ts';

const texts = (lines: string) =>
  lineDiff(...(lines.split('|').map((side) => [...side]) as [string[], string[]])).map(
    ({ sign, text }) => `${sign}${text}`,
  );

describe('the difference of two texts', () => {
  it.each([
    { lines: 'abc|abc', diff: [] },
    { lines: 'abc|axc', diff: ['@', ' a', '-b', '+x', ' c'] },
    { lines: '|ab', diff: ['@', '+a', '+b'] },
    { lines: 'abcdefghij|abcdefghiX', diff: ['@', ' g', ' h', ' i', '-j', '+X'] },
    { lines: 'Xbcdefghij|abcdefghiY', diff: ['@', '-X', '+a', ' b', ' c', ' d', '@', ' g', ' h', ' i', '-j', '+Y'] },
  ])('$lines', ({ lines, diff }) => {
    expect(texts(lines)).toEqual(diff);
  });

  it('leads from one to the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = lineDiff(before, after);
        const changed = (sign: string) => diff.filter((line) => line.sign === sign).map((line) => line.text);
        const kept = (lines: readonly string[], gone: readonly string[]) => lines.length - gone.length;
        expect(kept(before, changed('-'))).toBe(kept(after, changed('+')));
        if (before.join('') !== after.join('')) expect(changed('-').length + changed('+').length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('the difference of two revisions', () => {
  const [one, two] = [
    { number: 1, template: template('v1') },
    { number: 2, template: template('v2') },
  ];

  it('names both and shows the lines, in colour where that is welcome', () => {
    const text = diffText(one, two, plain);
    expect(text).toMatch(/^--- revision 1\n\+\+\+ revision 2\n@@ /);
    expect(text).toContain('\n-    - image: web:v1\n+    - image: web:v2\n');
    expect(diffText(one, two, coloured)).toContain('\u001b[31m-    - image: web:v1\u001b[39m');
  });

  it('says when there is none', () => {
    expect(diffText(one, { ...one, number: 5 }, plain)).toBe('revision 1 and revision 5 have the same template\n');
  });
});
