// Every defect of the list can still be planted in the sources as they are now, and the campaign catches those of them
// that a few schedules suffice for; `make chaos` shows that it catches all.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transform } from 'esbuild';
import { sendHunter } from '../hunters.ts';
import { plantedBugs } from './bugs.ts';
import { buildHunt, plant } from './build.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planted-'));
});
afterAll(() => rm(folder, { recursive: true }));

it.each(plantedBugs)('can be planted: $name', async ({ edits }) => {
  for (const edit of edits) {
    const text = await readFile(edit.file, 'utf8');
    const planted = plant(text, edit);
    expect(planted).not.toBe(text);
    await expect(transform(planted, { loader: 'ts' })).resolves.toBeDefined();
  }
});

it('says so when what is to be replaced is not there exactly once', () => {
  const edit = { file: 'src/some.ts', find: 'a + b', put: 'a - b' };
  expect(plant('return a + b;', edit)).toBe('return a - b;');
  expect(() => plant('return b + a;', edit)).toThrow('src/some.ts has 0 times, not once: a + b');
  expect(() => plant('a + b; a + b;', edit)).toThrow('2 times');
});

describe('is caught', () => {
  it.each([
    'surges by one too many',
    'tells in its status what it plans instead of what is',
    'makes pods without an owner',
    'measures its pace by the wall clock',
    'remembers owners that are gone',
    'takes a range whose holder lives',
    'leaves a gap between ranges',
    'plans for a range before its cache is fresh',
  ])(
    '%s',
    async (name) => {
      const program = join(folder, 'hunt.mjs');
      const { edits = [], about = 'leader' } = plantedBugs.find((bug) => bug.name === name) ?? {};
      await buildHunt(program, edits);
      const { broken } = await sendHunter(program, { about, from: 1, count: 500, forMs: 20_000 });
      expect(broken?.what).toBeDefined();
    },
    90_000,
  );
});
