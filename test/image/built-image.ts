// Reads an image archive as a container engine does: the layers laid over each other, and the settings to run it with.

import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { readTar } from '../../src/oci/tar.ts';
import { type Entry, treeOf, writeFolder } from '../../src/oci/tree.ts';

export interface BuiltImage {
  readonly config: { readonly architecture: string; readonly config: Record<string, unknown> };
  readonly layers: readonly (readonly Entry[])[];
  /** What a container sees. */
  readonly root: readonly Entry[];
}

interface Manifest {
  readonly config: { readonly digest: string };
  readonly layers: readonly { readonly digest: string }[];
}

/** The one image of an OCI archive. */
export function readImage(archive: Buffer): BuiltImage {
  const files = new Map(readTar(archive).map((entry) => [entry.path, entry]));
  const read = (path: string): Buffer => {
    const found = files.get(path);
    if (found?.type !== 'file') throw new Error(`the archive has no ${path}`);
    return found.content;
  };
  const blob = (digest: string): Buffer => {
    const content = read(`blobs/${digest.replace(':', '/')}`);
    const actual = createHash('sha256').update(content).digest('hex');
    if (digest !== `sha256:${actual}`) throw new Error(`the blob ${digest} has the sha256 ${actual}`);
    return content;
  };
  const { manifests } = JSON.parse(read('index.json').toString()) as { manifests: { digest: string }[] };
  const manifest = JSON.parse(blob(manifests[0]?.digest ?? '').toString()) as Manifest;
  const layers = manifest.layers.map(({ digest }) => readTar(gunzipSync(blob(digest))));
  const root = new Map(layers.flat().map((entry) => [entry.path, entry]));
  return {
    config: JSON.parse(blob(manifest.config.digest).toString()) as BuiltImage['config'],
    layers,
    root: treeOf([...root.values()]),
  };
}

/** One line for each path, to compare two trees by. */
export function listing(entries: readonly Entry[]): string[] {
  return entries.map(describeEntry);
}

function describeEntry(entry: Entry): string {
  switch (entry.type) {
    case 'file': {
      const sha256 = createHash('sha256').update(entry.content).digest('hex');
      return `${entry.path} ${entry.mode.toString(8)} ${sha256}`;
    }
    case 'symlink':
      return `${entry.path} -> ${entry.target}`;
    case 'directory':
      return `${entry.path}/`;
  }
}

/** The text of a file that a container sees, through links to folders. */
export function textIn({ root }: BuiltImage, path: string): string {
  const found = root.find((entry) => entry.path === path);
  if (found?.type !== 'file') throw new Error(`the image has no file ${path}`);
  return found.content.toString();
}

/** Unpacks what a container sees. */
export function unpack({ root }: BuiltImage, folder: string): Promise<void> {
  return writeFolder(folder, root);
}
