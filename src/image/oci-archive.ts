// Writes an image as an archive that every tool takes: an OCI layout for containerd, podman and skopeo, and beside it the
// manifest.json that older versions of `docker load` read. The same layers and settings give the same bytes.

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sha256Of } from './parts.ts';
import type { Architecture } from './pins.ts';
import { fullName } from './reference.ts';
import type { RunSettings } from './run-settings.ts';
import { writeTar } from './tar.ts';
import { type Entry, file } from './tree.ts';

const OCI = 'application/vnd.oci.image';
/** The byte of a gzip header that names the operating system; 255 is "unknown", and the same everywhere. */
const GZIP_SYSTEM_BYTE = 9;

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

/** Compresses the layers and describes them. `created` is a time in RFC 3339. */
export async function imageOf(
  layers: readonly Layer[],
  settings: RunSettings,
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
  return writeTar([
    ...layout([image.manifest], reference),
    ...image.blobs,
    file('manifest.json', JSON.stringify(docker)),
  ]);
}

/** An archive with the same image for several architectures, to be pushed to a registry as one. */
export function multiArchive(images: readonly Image[], reference: string): Buffer {
  const index = json(`${OCI}.index.v1+json`, {
    schemaVersion: 2,
    mediaType: `${OCI}.index.v1+json`,
    manifests: images.map(({ manifest }) => manifest),
  });
  const blobs = new Map([...images.flatMap(({ blobs }) => blobs), blobFile(index)].map((entry) => [entry.path, entry]));
  return writeTar([...layout([index.descriptor], reference), ...blobs.values()]);
}

/** The files that make a folder an OCI layout, with the names under which containerd and others know the image. */
function layout(manifests: readonly Descriptor[], reference: string): Entry[] {
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

function blobPath(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`;
}
