// Bundles `kubectl md` for people who install the package: one small entry and a chunk for each part, so that a command
// loads only what it needs. In one file, every start would pay for all of them.

import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { REQUIRE } from './bundle.ts';

/** Writes `main.js` and its chunks into `outdir`. */
export async function buildPlugin(outdir: string): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: ['src/kubectl/main.ts'],
    outdir,
    format: 'esm',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'linked',
    banner: { js: REQUIRE },
    // As an ES module: a CommonJS one that is imported on demand loses the names of its exports when chunks are split.
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    logLevel: 'warning',
  });
}
