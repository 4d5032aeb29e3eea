// Bundles a program into one file that needs only Node, plus chunks for what is rarely used: OpenID Connect, issuing
// certificates, and the parts of undici other than its sockets. A chunk is loaded on first use, because the source of a loaded
// module stays in memory. White space is removed; names are kept, so that stack traces can be read.

import { writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { LICENSES_FILE, thirdPartyLicenses } from './licenses.ts';
import { carrying, type Page } from './page.ts';
import { socketsOfUndici } from './sockets-of-undici.ts';

/** CommonJS dependencies require Node's own modules at run time, and an ES module has no `require`. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

const shared = {
  bundle: true,
  platform: 'node',
  minifySyntax: true,
  minifyWhitespace: true,
  // As an ES module: a CommonJS one that is imported on demand loses the names of its exports when chunks are split.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  metafile: true,
  logLevel: 'warning',
} as const;

interface BundleOptions {
  readonly target?: string;
  readonly plugins?: readonly Plugin[];
  /** The page that the bundle carries, if any. */
  readonly page?: Page;
}

/** Bundles `entry` into `outfile` and its chunks, beside a file with the licences of the code in them; lists that code. */
export async function buildBundle(
  entry: string,
  outfile: string,
  { target = 'node24', plugins = [socketsOfUndici], page }: BundleOptions = {},
): Promise<Metafile> {
  const { dir, name, ext } = parse(outfile);
  const { metafile } = await build({
    ...shared,
    entryPoints: [{ in: entry, out: name }],
    outdir: dir,
    outExtension: { '.js': ext },
    format: 'esm',
    splitting: true,
    target,
    legalComments: 'linked',
    banner: { js: REQUIRE },
    plugins: [...plugins, ...(page === undefined ? [] : [carrying(page)])],
  });
  writeFileSync(join(dir, LICENSES_FILE), thirdPartyLicenses(metafile, page?.metafile));
  return metafile;
}

/** The same as one CommonJS file without chunks, which is what a single executable runs. */
export async function buildSingleFile(entry: string, outfile: string, page?: Page): Promise<Metafile> {
  const { metafile } = await build({
    ...shared,
    entryPoints: [entry],
    outfile,
    format: 'cjs',
    target: 'node24',
    legalComments: 'none',
    plugins: [socketsOfUndici, ...(page === undefined ? [] : [carrying(page)])],
  });
  writeFileSync(join(parse(outfile).dir, LICENSES_FILE), thirdPartyLicenses(metafile, page?.metafile));
  return metafile;
}
