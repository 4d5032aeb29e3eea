// Bundles a program into one file that needs nothing but Node: what the image carries. White space goes, names stay, so
// that stack traces can be read.

import { build } from 'esbuild';

/** CommonJS dependencies ask for Node's own modules at run time, and an ES module has no `require`. */
export const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Bundles `entry` into `outfile`. */
export async function buildBundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    format: 'esm',
    bundle: true,
    platform: 'node',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'linked',
    banner: { js: REQUIRE },
    logLevel: 'warning',
  });
}
