// Bundles a program into one file that needs only Node, plus chunks for what is rarely used: OpenID Connect, issuing
// certificates, and the parts of undici other than its sockets. A chunk is loaded on first use, because the source of a loaded
// module stays in memory. White space is removed; names are kept, so that stack traces can be read.

import { writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { LICENSES_FILE, thirdPartyLicenses } from './licenses.ts';
import { socketsOfUndici } from './sockets-of-undici.ts';

/** CommonJS dependencies require Node's own modules at run time, and an ES module has no `require`. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

interface BundleOptions {
  readonly target?: string;
  readonly plugins?: readonly Plugin[];
}

/** Bundles `entry` into `outfile` and its chunks, beside a file with the licences of the code in them; lists that code. */
export async function buildBundle(
  entry: string,
  outfile: string,
  { target = 'node24', plugins = [socketsOfUndici] }: BundleOptions = {},
): Promise<Metafile> {
  const { dir, name, ext } = parse(outfile);
  const { metafile } = await build({
    entryPoints: [{ in: entry, out: name }],
    outdir: dir,
    outExtension: { '.js': ext },
    format: 'esm',
    bundle: true,
    splitting: true,
    platform: 'node',
    target,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'linked',
    banner: { js: REQUIRE },
    // As an ES module: a CommonJS one that is imported on demand loses the names of its exports when chunks are split.
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    plugins: [...plugins],
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync(join(dir, LICENSES_FILE), thirdPartyLicenses(metafile));
  return metafile;
}
