// Builds a test file into one program, together with our sources and all of their mutants. Packages stay outside: they
// are loaded once, while the program is run anew for every mutant.

import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** The text of each mutated source, by its path from the repository's root. */
export type MutatedTexts = ReadonlyMap<string, string>;

/** The program of a test file. It is the body of a function with the parameters of a CommonJS module and `__mutant`. */
export async function bundleTest(testFile: string, mutated: MutatedTexts): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [testFile],
    write: false,
    format: 'cjs',
    bundle: true,
    platform: 'node',
    target: 'node24',
    packages: 'external',
    logLevel: 'silent',
    plugins: [loading(mutated)],
  });
  return outputFiles[0]?.text ?? '';
}

function loading(mutated: MutatedTexts): Plugin {
  return {
    name: 'mutants',
    setup: ({ onLoad, onResolve }) => {
      // Large, and the same for every mutant.
      onResolve({ filter: /\.json$/ }, ({ resolveDir, path }) => ({ path: resolve(resolveDir, path), external: true }));
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = mutated.get(relative(process.cwd(), path)) ?? (await readFile(path, 'utf8'));
        const url = JSON.stringify(pathToFileURL(path).href);
        return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' };
      });
    },
  };
}
