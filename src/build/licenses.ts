// The licences of third-party code in a bundle, most of which require their text to be distributed with it. esbuild's metadata
// says which packages have code in the bundle. A package without the text of a licence is an error.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';

export const LICENSES_FILE = 'THIRD_PARTY_LICENSES.txt';

const HEADER = `The programs beside this file contain code of the packages below, under the licences that follow each.
An image of the operator also contains Node.js and the libraries it is linked with; their licences are in /usr/share/doc there.
`;

const RULE = '='.repeat(80);
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENSE = /^(licen[cs]e|copying|notice)\b/i;

/** The text for everything that went into the outputs of these builds. */
export function thirdPartyLicenses(...metafiles: readonly (Metafile | undefined)[]): string {
  const files = new Set(metafiles.flatMap((metafile) => (metafile === undefined ? [] : bundledFiles(metafile))));
  const byPackage = Map.groupBy(files, (path) => PACKAGE.exec(path)?.[0]);
  byPackage.delete(undefined); // our own files, and what our plugins make up
  const sections = [...byPackage].map(([folder, files]) => section(folder as string, files));
  return [HEADER, ...sections.sort()].join(`\n${RULE}\n`);
}

/** The files that have code in the outputs of a build. */
export function bundledFiles({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return [...new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path))];
}

function section(folder: string, files: readonly string[]): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = [...licenseFiles(folder, files)].sort().map((path) => readFileSync(path, 'utf8').trim());
  if (texts.length === 0) throw new Error(`${name}@${version} has no file with its licence (${license}) in ${folder}`);
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

/** A package may contain code of yet others, with a licence in the folder of that code. */
function licenseFiles(folder: string, files: readonly string[]): ReadonlySet<string> {
  const folders = new Set(files.flatMap((file) => foldersBetween(folder, dirname(file))));
  return new Set(
    [...folders].flatMap((each) =>
      readdirSync(each)
        .filter(isLicense)
        .map((name) => join(each, name)),
    ),
  );
}

function foldersBetween(top: string, folder: string): string[] {
  return folder === top ? [top] : [folder, ...foldersBetween(top, dirname(folder))];
}

function isLicense(name: string): boolean {
  return LICENSE.test(name) && !/\.(c|m)?(js|ts|map)$/.test(name);
}
