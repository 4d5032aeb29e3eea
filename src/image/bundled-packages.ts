// Which npm packages are in a bundle, by the files that the bundler read.

import { readFile } from 'node:fs/promises';

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The packages that the files belong to, sorted. */
export async function bundledPackages(files: readonly string[]): Promise<NpmPackage[]> {
  const folders = new Set(files.map(packageFolder).filter((folder) => folder !== undefined));
  const packages = await Promise.all([...folders].sort().map(readPackage));
  return packages.sort((a, b) => (label(a) < label(b) ? -1 : 1));
}

/** node_modules/a/node_modules/@b/c/lib/d.js belongs to node_modules/a/node_modules/@b/c. */
function packageFolder(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

async function readPackage(folder: string): Promise<NpmPackage> {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as NpmPackage;
  if (typeof license !== 'string') throw new Error(`${folder}/package.json names no licence`);
  return { name, version, license };
}

function label({ name, version }: NpmPackage): string {
  return `${name}@${version}`;
}
