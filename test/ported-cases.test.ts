// The list of Kubernetes' own cases is only worth something if each is where the list says it is.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const page = readFileSync('test/README.md', 'utf8');
const [, ported = ''] = page.split("\n## Kubernetes' own cases, and where they are here\n");
const [table = ''] = ported.split('\n## ');

const inCode = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text as string);

/** Each case with each file that it is said to be in. */
const claims = table
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [, cases = '', files = ''] = line.split('|');
    return inCode(cases).flatMap((name) => inCode(files).map((file) => ({ name, file })));
  });

/** True when the text has the name, and not just a longer one that begins with it. */
function mentions(text: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!\\w)${escaped}(?!\\w)`).test(text);
}

describe("Kubernetes' own cases", () => {
  it('are many', () => {
    expect(new Set(claims.map(({ name }) => name)).size).toBeGreaterThan(140);
  });

  it.each(claims)('$name is in $file', ({ name, file }) => {
    expect(mentions(readFileSync(`test/${file}`, 'utf8'), name)).toBe(true);
  });

  it('are not found by the beginning of another name', () => {
    expect(mentions("it('TestScalePausedDeployment')", 'TestScale')).toBe(false);
    expect(mentions("it('x.go TestScale: up')", 'TestScale')).toBe(true);
  });
});
