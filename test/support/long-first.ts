// The order of test files. Jest sorts by what they took last time, or by their size where it does not know, as in a fresh clone:
// short files that drive a real node or build an image would then come last, and one worker would wait for the other. So files that
// start programs come first, the quick unit tests fill the gaps at the end, and files with a real node do not start together.

import { createRequire } from 'node:module';
import type sequencer from '@jest/test-sequencer';

// The types are those of its CommonJS form, and so is what is loaded.
const { default: Sequencer }: typeof sequencer = createRequire(import.meta.url)('@jest/test-sequencer');

/** Unit tests that take longer than their size says: they run cdk8s, compile mutants or play thousands of rollouts. */
const SLOW_UNIT = /\/(?:generated|hunt|economy|interleavings|(?:policy-)?simulation|binaries)\.test\.ts$/;
/** How many other files start between two with a real node. */
const BETWEEN_NODES = 8;

interface TestFile {
  readonly path: string;
}

export function longFirst<T extends TestFile>(tests: readonly T[]): T[] {
  const { node = [], long = [], quick = [] } = Object.groupBy(tests, groupOf);
  const ordered = [...long];
  for (const [index, each] of node.entries()) ordered.splice(index * (BETWEEN_NODES + 1), 0, each);
  return [...ordered, ...quick];
}

function groupOf({ path }: TestFile): 'node' | 'long' | 'quick' {
  if (path.endsWith('.node.test.ts')) return 'node';
  return /\.(?:cluster|image)\.test\.ts$/.test(path) || SLOW_UNIT.test(path) ? 'long' : 'quick';
}

type Tests = Parameters<sequencer.default['sort']>[0];

export default class LongFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    return longFirst(await super.sort(tests));
  }
}
