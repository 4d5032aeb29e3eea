// Bundles the page of `kubectl md dashboard`: one script, one style and the document that loads them. They are small, need nothing
// from anywhere else, and go into the plugin as text, so that the npm package and the single executable carry them alike.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

const FOLDER = 'src/kubectl/dashboard/page';

export interface Page {
  /** By the name under which the server has them. */
  readonly files: Readonly<Record<string, string>>;
  readonly metafile: Metafile;
}

/** Builds the page for browsers of the last two years. */
export async function buildPage(): Promise<Page> {
  const { outputFiles, metafile } = await build({
    entryPoints: [{ in: `${FOLDER}/main.tsx`, out: 'page' }],
    outdir: 'page',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const built = Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
  const copied = ['index.html', 'icon.svg'].map((name) => [name, readFileSync(`${FOLDER}/${name}`, 'utf8')]);
  return { files: { ...built, ...Object.fromEntries(copied) }, metafile };
}

/** Puts the page into a bundle, in the one module that the dashboard takes it from: other commands do not load it. */
export function carrying({ files }: Page): Plugin {
  const contents = `export const pageFiles = ${JSON.stringify(files)};`;
  return {
    name: 'page',
    setup: ({ onLoad }) => onLoad({ filter: /\/kubectl\/dashboard\/page-files\.ts$/ }, () => ({ contents })),
  };
}
