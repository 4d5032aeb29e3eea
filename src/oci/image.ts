// Container images as OCI layouts and archives. An archive also has the manifest.json that older versions of `docker load`
// read. The same layers and settings always give the same bytes.

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { fullName } from './reference.ts';
import { writeTar } from './tar.ts';
import { type Entry, file } from './tree.ts';

const OCI = 'application/vnd.oci.image';
/** The byte of a gzip header that names the operating system; 255 is "unknown", and the same everywhere. */
const GZIP_SYSTEM_BYTE = 9;

/** As OCI and Go name them. */
export const ARCHITECTURES = ['amd64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** The OCI name of an architecture that Node names, such as `x64`. */
export function architectureOf(arch: string): Architecture {
  const name = arch === 'x64' ? 'amd64' : arch;
  const known = ARCHITECTURES.find((architecture) => architecture === name);
  if (known === undefined) throw new Error(`there is no image for ${arch}: ${ARCHITECTURES.join(' and ')} only`);
  return known;
}

export interface Layer {
  readonly comment: string;
  readonly entries: readonly Entry[];
}

/** The image of one architecture: its blobs, and the descriptor of its manifest. */
export interface Image {
  readonly blobs: readonly Entry[];
  readonly manifest: Descriptor;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: Architecture; readonly os: 'linux' };
}

interface Blob {
  readonly descriptor: Descriptor;
  readonly content: Buffer;
}

/** Compresses the layers and describes them. `settings` is the `config` of the OCI image specification, `created` RFC 3339. */
export async function imageOf(
  layers: readonly Layer[],
  settings: object,
  { architecture, created }: { readonly architecture: Architecture; readonly created: string },
): Promise<Image> {
  const tars = layers.map(({ entries }) => writeTar(entries));
  const zipped = await Promise.all(tars.map(async (tar) => blob(`${OCI}.layer.v1.tar+gzip`, await compress(tar))));
  const config = json(`${OCI}.config.v1+json`, {
    created,
    architecture,
    os: 'linux',
    config: settings,
    rootfs: { type: 'layers', diff_ids: tars.map((tar) => `sha256:${sha256Of(tar)}`) },
    history: layers.map(({ comment }) => ({ created, created_by: comment })),
  });
  const descriptors = zipped.map(({ descriptor }) => descriptor);
  const manifest = json(`${OCI}.manifest.v1+json`, {
    schemaVersion: 2,
    mediaType: `${OCI}.manifest.v1+json`,
    config: config.descriptor,
    layers: descriptors,
  });
  return {
    blobs: [...zipped, config, manifest].map(blobFile),
    manifest: { ...manifest.descriptor, platform: { architecture, os: 'linux' } },
    config: config.descriptor,
    layers: descriptors,
  };
}

/** An archive with one image, named `reference`, for `docker load`, `podman load`, `ctr images import` and kind. */
export function imageArchive(image: Image, reference: string): Buffer {
  const path = ({ digest }: Descriptor): string => blobPath(digest);
  const docker = [{ Config: path(image.config), RepoTags: [reference], Layers: image.layers.map(path) }];
  return writeTar([...imageLayout(image, reference), file('manifest.json', JSON.stringify(docker))]);
}

/** The files of an OCI layout with one image. */
export function imageLayout(image: Image, reference: string): Entry[] {
  return [...indexOf([image.manifest], reference), ...image.blobs];
}

/** An archive with the same image for several architectures, to be pushed to a registry as one. */
export function multiArchive(images: readonly Image[], reference: string): Buffer {
  const index = json(`${OCI}.index.v1+json`, {
    schemaVersion: 2,
    mediaType: `${OCI}.index.v1+json`,
    manifests: images.map(({ manifest }) => manifest),
  });
  const blobs = new Map([...images.flatMap(({ blobs }) => blobs), blobFile(index)].map((entry) => [entry.path, entry]));
  return writeTar([...indexOf([index.descriptor], reference), ...blobs.values()]);
}

/** The files that make a folder an OCI layout, with the names under which containerd and others know the image. */
function indexOf(manifests: readonly Descriptor[], reference: string): Entry[] {
  const annotations = {
    'io.containerd.image.name': fullName(reference),
    'org.opencontainers.image.ref.name': reference.slice(reference.lastIndexOf(':') + 1),
  };
  const index = {
    schemaVersion: 2,
    mediaType: `${OCI}.index.v1+json`,
    manifests: manifests.map((descriptor) => ({ ...descriptor, annotations })),
  };
  return [
    file('oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' })),
    file('index.json', JSON.stringify(index)),
  ];
}

async function compress(content: Buffer): Promise<Buffer> {
  const compressed = await promisify(gzip)(content);
  compressed[GZIP_SYSTEM_BYTE] = 255;
  return compressed;
}

function json(mediaType: string, value: object): Blob {
  return blob(mediaType, Buffer.from(JSON.stringify(value)));
}

function blob(mediaType: string, content: Buffer): Blob {
  return { descriptor: { mediaType, digest: `sha256:${sha256Of(content)}`, size: content.length }, content };
}

function blobFile({ descriptor, content }: Blob): Entry {
  return file(blobPath(descriptor.digest), content);
}

export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`;
}
