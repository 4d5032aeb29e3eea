// Writes an OCI image layout of one layer: the folder that the node's registry serves.

import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../binaries/run.ts';

export interface ImageSpec {
  /** The folder that becomes the root file system. */
  readonly root: string;
  /** `Cmd`, `Entrypoint`, `Env`, `User` … as the OCI image specification has them. */
  readonly config: Readonly<Record<string, unknown>>;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const OCI = 'application/vnd.oci.image';

/** Writes the layout into a new folder. */
export async function writeImageLayout(folder: string, image: ImageSpec): Promise<void> {
  await mkdir(join(folder, 'blobs', 'sha256'), { recursive: true });
  const layer = await blob(folder, `${OCI}.layer.v1.tar`, await tarOf(image.root, join(folder, 'layer.tar')));
  const config = await jsonBlob(folder, `${OCI}.config.v1+json`, {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: image.config,
    rootfs: { type: 'layers', diff_ids: [layer.digest] },
  });
  const mediaType = `${OCI}.manifest.v1+json`;
  const manifest = await jsonBlob(folder, mediaType, { schemaVersion: 2, mediaType, config, layers: [layer] });
  await writeFile(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [manifest] }));
  await writeFile(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}

async function tarOf(folder: string, path: string): Promise<Buffer> {
  const owned = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '--mtime=@0'];
  await run('tar', ['-C', folder, ...owned, '-cf', path, '.'], { environment: process.env });
  const bytes = await readFile(path);
  await rm(path);
  return bytes;
}

function jsonBlob(layout: string, mediaType: string, content: object): Promise<Descriptor> {
  return blob(layout, mediaType, Buffer.from(JSON.stringify(content)));
}

async function blob(layout: string, mediaType: string, bytes: Buffer): Promise<Descriptor> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await writeFile(join(layout, 'blobs', 'sha256', sha256), bytes);
  return { mediaType, digest: `sha256:${sha256}`, size: bytes.length };
}
