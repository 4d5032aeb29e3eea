// Which mutants the compiler refuses: those can never be shipped, so no test has to notice them. Each mutant becomes a file
// of its own in a folder that the compiler merges with the repository, so that one run judges all of them.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Mutant, textOfMutant } from './mutate.ts';

const MOST_OUTPUT = 64 * 1024 * 1024;

/** Those of these mutants that do not compile. */
export async function refusedByCompiler(mutants: readonly Mutant[]): Promise<ReadonlySet<Mutant>> {
  if (mutants.length === 0) return new Set();
  const folder = await mkdtemp(resolve('.mutants-'));
  try {
    await Promise.all(mutants.map((mutant) => writeMutant(folder, mutant)));
    const compilerOptions = { rootDirs: ['.', '..'], noUnusedLocals: false, noUnusedParameters: false };
    const config = { extends: '../tsconfig.json', compilerOptions, include: ['src', 'test'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const complaints = new Set(
      [...(await compile(folder)).matchAll(/\.mutant-(\d+)\.ts\(/g)].map(([, id]) => Number(id)),
    );
    return new Set(mutants.filter(({ id }) => complaints.has(id)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeMutant(folder: string, mutant: Mutant): Promise<void> {
  const place = join(folder, dirname(mutant.file));
  await mkdir(place, { recursive: true });
  const name = `${basename(mutant.file, '.ts')}.mutant-${mutant.id}.ts`;
  await writeFile(join(place, name), textOfMutant(await readFile(mutant.file, 'utf8'), mutant));
}

/** What the compiler has to say. It ends with an error when that is not nothing. */
function compile(folder: string): Promise<string> {
  const args = [resolve('node_modules/typescript/bin/tsc'), '--noEmit', '--project', folder];
  return new Promise((done) => {
    execFile(process.execPath, args, { maxBuffer: MOST_OUTPUT }, (_, stdout) => done(stdout));
  });
}
