// Which mutants a source has, and that switching one on does what editing the text would do.

import { describe, expect, it } from '@jest/globals';
import { transformSync } from 'esbuild';
import { type Mutant, mutateSource, textOfMutant } from './mutate.ts';

const after = (source: string): string[] => mutateSource('x.ts', source, 0).mutants.map((mutant) => mutant.after);

describe('the mutants of', () => {
  it.each([
    { source: 'a < b;', mutants: [';', 'a <= b;', 'a >= b;'] },
    { source: 'const x = a === b;', mutants: ['const x = a !== b;'] },
    { source: 'const x = a && b;', mutants: ['const x = a;', 'const x = b;'] },
    { source: 'const x = a ?? b;', mutants: ['const x = b;'] },
    { source: 'const x = c ? a : b;', mutants: ['const x = a;', 'const x = b;'] },
    { source: 'const x = !a;', mutants: ['const x = a;'] },
    { source: 'const x = -1;', mutants: ['const x = 1;'] },
    { source: 'const x = 1_000;', mutants: ['const x = 1001;'] },
    { source: "const x = 'word';", mutants: ["const x = '';"] },
    { source: "const x = '';", mutants: ["const x = 'mutant';"] },
    { source: "const x = 'a sentence';", mutants: [] },
    { source: `const x = \`\${a}-\${b}\`;`, mutants: ["const x = '';"] },
    { source: 'const x = true;', mutants: ['const x = false;'] },
    { source: 'const x = [a, ...b];', mutants: ['const x = [...[], ...b];', 'const x = [a, ...[]];'] },
    { source: 'const x = { a, b: c };', mutants: ['const x = { ...{}, b: c };', 'const x = { a, ...{} };'] },
    { source: 'const x = a.filter(f).map(g);', mutants: ['const x = a.map(g);'] },
    { source: 'const x = a?.some(f);', mutants: ['const x = a?.every(f);'] },
    { source: 'const x = Math.min(a, b);', mutants: ['const x = Math.max(a, b);'] },
    { source: 'const x = a.toString();', mutants: [] },
    { source: 'const x = /^a$/;', mutants: ['const x = /a$/;', 'const x = /^a/;'] },
    { source: 'if (a) f();', mutants: ['if (true) f();', 'if (false) f();', 'if (a) ;'] },
    { source: 'for (const x of y) ;', mutants: ['for (const x of []) ;'] },
    { source: 'x += 1;', mutants: [';', 'x -= 1;', 'x += 2;'] },
    { source: "import x from './x.ts';", mutants: [] },
    { source: "type X = 'a' | 'b';", mutants: [] },
    { source: "const x = y as 'a';", mutants: [] },
    {
      source: "const x = { 'a-b': c, [d]: e };",
      mutants: ['const x = { ...{}, [d]: e };', "const x = { 'a-b': c, ...{} };"],
    },
  ])('$source', ({ source, mutants }) => {
    expect(after(source)).toEqual(mutants);
  });

  it('a line are told with the line, the function and the file that they are in', () => {
    const source = '// – a dash of three bytes\nexport function f(a: number) {\n  return (\n    a < 1\n  );\n}\n';
    const [mutant] = mutateSource('src/x.ts', source, 7).mutants;
    expect(mutant).toMatchObject({ id: 7, file: 'src/x.ts', line: 4, within: 'f', before: 'a < 1', after: 'a <= 1' });
    expect(textOfMutant(source, mutant as Mutant)).toBe(source.replace('<', '<='));
  });

  it('a method are told with its name, those of a constant with that', () => {
    const source = 'class A { #f() { return 1; } g() { return 2; } }\nconst LIMIT = 3;';
    expect(mutateSource('x.ts', source, 0).mutants.map(({ within }) => within)).toEqual(['f', 'g', 'LIMIT']);
  });
});

/** A program with every sort of place in it; `run` shows all that a mutant can change. */
const PROGRAM = `
const WORDS = ['one', 'two', ...['three']];
interface Box { readonly size: number; readonly label?: string | undefined }
class Counter {
  #count = 0;
  readonly step: number;
  constructor(step = 1) { this.step = step; }
  add(by: number): number { if (by > 0) this.#count += by * this.step; else this.#count -= 1; return this.#count; }
}
function describe({ size, label = 'none' }: Box): string {
  const big = size >= 10 && label !== 'none' ? 'big' : 'small';
  return \`\${big}-\${label.toUpperCase()}\`;
}
function pick(boxes: readonly Box[] | undefined): (string | undefined)[] {
  const sizes = boxes?.filter(({ size }) => size !== 5).map(({ size }) => size).sort((a, b) => a - b) ?? [];
  let total = 0;
  for (const size of sizes) total = total + size;
  let halvings = 0;
  while (total > 1 && halvings < 50) { total = total / 2; halvings++; }
  return [sizes.join('|'), String(halvings), WORDS.find((word) => /^t/.test(word)), boxes?.[0]?.label?.trim()];
}
const counter = new Counter(2);
const boxes = [{ size: 12, label: ' a ' }, { size: 5 }, { size: 3, label: 'b' }, { size: 10, label: 'c' }];
export const result = JSON.stringify([
  boxes.map(describe), pick(boxes), pick(undefined), [1, -1, 3].map((by) => counter.add(by)),
  Math.max(0, ...boxes.map(({ size }) => size)), (boxes as readonly Box[])[1]!.label ?? null, !boxes.some(({ size }) => size < 4),
]);
`;

/** What a TypeScript program exports as its result, or why it fails. */
function resultOf(source: string, mutant?: number): unknown {
  const { code } = transformSync(source, { loader: 'ts', format: 'cjs' });
  const module = { exports: {} as { result?: unknown } };
  try {
    new Function('module', 'exports', '__mutant', code)(module, module.exports, (id: number) => id === mutant);
    return module.exports.result;
  } catch (error) {
    return String(error);
  }
}

describe('a source with all of its mutants', () => {
  const { text, mutants } = mutateSource('x.ts', PROGRAM, 0);

  it('does what it did while none is on', () => {
    expect(resultOf(text)).toEqual(resultOf(PROGRAM));
  });

  it('does what the edited source does when one is on, whichever that is', () => {
    expect(mutants.length).toBeGreaterThan(80);
    for (const mutant of mutants) {
      expect({ of: mutant.after, is: resultOf(text, mutant.id) }).toEqual({
        of: mutant.after,
        is: resultOf(textOfMutant(PROGRAM, mutant)),
      });
    }
  });
});
