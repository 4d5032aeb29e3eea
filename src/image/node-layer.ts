// The image's first layer: Node, the C and C++ libraries that it loads, and the licences of both. It depends on the pins
// alone, so a new version of the operator leaves it as it is, and a node that has it does not pull it again.

import { gunzipSync } from 'node:zlib';
import type { Architecture } from '../oci/image.ts';
import { readTar } from '../oci/tar.ts';
import { type Entry, treeOf } from '../oci/tree.ts';
import { debianFiles } from './debian-package.ts';
import { debianPackage, nodePackage, type PartSources } from './parts.ts';
import type { Pins } from './pins.ts';

/** What Node loads, by file name. The first is the loader, which Debian also has under the path that programs name. */
const LIBRARIES = /^(ld-linux-[a-z0-9_-]+|libc|libm|libdl|libpthread|libgcc_s|libstdc\+\+)\.so\.[0-9.]+$/;
const LIBRARY_FOLDERS = /^usr\/lib(64)?(\/[a-z0-9_]+-linux-gnu)?\/([^/]+)$/;
/** The copyright file of each package, the folders that are links to another package's, and the licences they refer to. */
const LICENCES = /^usr\/share\/(doc\/[^/]+(\/copyright)?|common-licenses\/[^/]+)$/;

/** Fetches the parts and lays them out. */
export async function nodeLayer(pins: Pins, architecture: Architecture, sources: PartSources): Promise<Entry[]> {
  const ours = <T extends { readonly architecture: Architecture }>(all: readonly T[]): T[] =>
    all.filter((pin) => pin.architecture === architecture);
  const packages: Entry[][] = [];
  for (const pin of ours(pins.debian)) packages.push(await debianFiles(await debianPackage(pin, sources)));
  const [nodePin] = ours(pins.node);
  if (nodePin === undefined) throw new Error(`no Node is pinned for ${architecture}`);
  const node = readTar(gunzipSync(await nodePackage(nodePin, sources)));
  return treeOf([...mergedFolders(packages.flat().filter(isKept)), ...nodeFiles(node)]);
}

function isKept({ type, path }: Entry): boolean {
  if (type === 'directory') return false;
  const library = LIBRARY_FOLDERS.exec(path)?.[3];
  return library === undefined ? LICENCES.test(path) : LIBRARIES.test(library);
}

/** Debian keeps libraries below /usr; /lib and /lib64, where programs look for the loader, are links to there. */
function mergedFolders(entries: readonly Entry[]): Entry[] {
  const folders = ['lib', 'lib64'].filter((folder) => entries.some(({ path }) => path.startsWith(`usr/${folder}/`)));
  return [...entries, ...folders.map((path): Entry => ({ type: 'symlink', path, target: `usr/${path}` }))];
}

/** Of Node's package: the program and its licence. */
function nodeFiles(entries: readonly Entry[]): Entry[] {
  const places = { 'package/bin/node': 'usr/local/bin/node', 'package/LICENSE': 'usr/share/doc/node/copyright' };
  return Object.entries(places).map(([from, path]) => {
    const found = entries.find((entry) => entry.path === from);
    if (found === undefined) throw new Error(`the npm package of Node has no ${from}`);
    return { ...found, path };
  });
}
