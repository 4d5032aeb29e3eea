// Writes an OCI image archive of one layer, for images that exist only on this machine: a real node reaches no registry.

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from '../binaries/run.ts';

export interface ImageSpec {
  /** With registry and tag, as containerd names it. */
  readonly name: string;
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

/** Writes the archive, which `ctr images import` takes. */
export async function writeImageArchive(path: string, image: ImageSpec): Promise<void> {
  const work = await mkdtemp(join(dirname(path), '.image-'));
  try {
    await mkdir(join(work, 'blobs', 'sha256'), { recursive: true });
    const layerTar = join(work, 'layer.tar');
    await tar(image.root, layerTar);
    const bytes = await readFile(layerTar);
    await rm(layerTar);
    const layer = await blob(work, `${OCI}.layer.v1.tar`, bytes);
    const config = await jsonBlob(work, `${OCI}.config.v1+json`, {
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config: image.config,
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    });
    const manifest = await jsonBlob(work, `${OCI}.manifest.v1+json`, {
      schemaVersion: 2,
      mediaType: `${OCI}.manifest.v1+json`,
      config,
      layers: [layer],
    });
    const named = { ...manifest, annotations: { 'io.containerd.image.name': image.name } };
    await writeFile(join(work, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [named] }));
    await writeFile(join(work, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    await tar(work, path);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function tar(folder: string, path: string): Promise<void> {
  const owned = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '--mtime=@0'];
  await run('tar', ['-C', folder, ...owned, '-cf', path, '.'], { environment: process.env });
}

function jsonBlob(layout: string, mediaType: string, content: object): Promise<Descriptor> {
  return blob(layout, mediaType, Buffer.from(JSON.stringify(content)));
}

async function blob(layout: string, mediaType: string, bytes: Buffer): Promise<Descriptor> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await writeFile(join(layout, 'blobs', 'sha256', sha256), bytes);
  return { mediaType, digest: `sha256:${sha256}`, size: bytes.length };
}
