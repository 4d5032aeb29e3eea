// Builds the simulation with a defect planted in our sources: esbuild loads the files through here, and what is to be
// replaced must be there exactly once. Production code has no switch for any of this.

import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Edit } from './bugs.ts';

/** The program that is built. */
const HUNT = 'test/chaos/simulation/hunt.ts';

/** Builds the simulation with these edits of our sources into one file. */
export async function buildHunt(outfile: string, edits: readonly Edit[] = []): Promise<void> {
  const planted = new Set<Edit>();
  await build({
    entryPoints: [HUNT],
    outfile,
    format: 'esm',
    bundle: true,
    platform: 'node',
    target: 'node24',
    packages: 'external',
    logLevel: 'silent',
    plugins: [planting(edits, planted)],
  });
  for (const edit of edits) if (!planted.has(edit)) throw new Error(`the simulation does not load ${edit.file}`);
}

/** The text with the edit made in it. */
export function plant(text: string, { file, find, put }: Edit): string {
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times, not once: ${find}`);
  return parts.join(put);
}

/** Makes these edits while esbuild loads our sources, and notes which it has made. */
export function planting(edits: readonly Edit[], planted: Set<Edit>): Plugin {
  return {
    name: 'planting',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const ours = edits.filter(({ file }) => file === relative(process.cwd(), path));
        for (const edit of ours) planted.add(edit);
        const text = await readFile(join(path), 'utf8');
        return { contents: ours.reduce(plant, text), loader: 'ts' };
      });
    },
  };
}
