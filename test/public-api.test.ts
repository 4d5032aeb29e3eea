// What people see of an export before they use it is the sentence above it, in their editor: every entry of the package has one for
// each of its own. The kinds of Kubernetes itself need none.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';

const KUBERNETES = 'src/runtime/built-in.ts';
const REEXPORT = /^export (?:type )?(\*|\{[^}]*\}) from '([^']+)';/gm;
const DECLARATION = /^export (?:abstract |async )*(?:interface|class|function|const|type) (\w+)/;

interface Export {
  readonly name: string;
  readonly hasSentence: boolean;
}

/** What a module declares itself, by name. */
function declaredIn(file: string): Map<string, Export> {
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line, index): [string, Export][] => {
      const name = DECLARATION.exec(line)?.[1];
      const hasSentence = lines[index - 1]?.endsWith('*/') ?? false;
      return name === undefined ? [] : [[name, { name: `${name} of ${file}`, hasSentence }]];
    }),
  );
}

/** What a module hands on from others. */
function exportsOf(index: string): Export[] {
  return [...readFileSync(index, 'utf8').matchAll(REEXPORT)].flatMap(([, names = '', from = '']) => {
    const file = join(dirname(index), from);
    const declared = declaredIn(file);
    if (file === KUBERNETES) return [];
    if (names === '*') return [...declared.values()];
    const wanted = names
      .slice(1, -1)
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*/, ''),
      );
    return wanted
      .filter(Boolean)
      .map((name) => declared.get(name) ?? { name: `${name} of ${file}`, hasSentence: false });
  });
}

it.each(['src/index.ts', 'src/runtime/index.ts', 'src/testing/index.ts'])('%s says what each export is', (index) => {
  const all = exportsOf(index);
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter(({ hasSentence }) => !hasSentence).map(({ name }) => name)).toEqual([]);
});
