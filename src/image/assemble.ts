// Puts the image together without a container engine: parts and bundle → layers → archives.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Downloader } from '../cluster/binaries/download.ts';
import { binarySettings } from '../cluster/binaries/settings.ts';
import {
  ARCHITECTURES,
  type Architecture,
  type Image,
  imageArchive,
  imageOf,
  type Layer,
  multiArchive,
} from '../oci/image.ts';
import { monotonicClock } from '../runtime/clock.ts';
import { debianUrl } from './debian-archive.ts';
import { nodeLayer } from './node-layer.ts';
import { type OperatorBundle, operatorBundle, operatorLayer } from './operator-layer.ts';
import type { PartSources } from './parts.ts';
import { pins } from './pins.ts';
import { runSettings } from './run-settings.ts';

/** Where parts come from, by the environment. */
export function partSources(env: NodeJS.ProcessEnv): PartSources {
  const { cacheDir, limits } = binarySettings(env);
  return {
    downloader: new Downloader(limits, monotonicClock),
    debianUrl: () => debianUrl(env),
    cacheDir: join(cacheDir, 'image'),
    environment: env,
  };
}

/** The two layers of the image. */
export async function layersFor(
  architecture: Architecture,
  bundle: OperatorBundle,
  sources: PartSources,
): Promise<[Layer, Layer]> {
  return [
    { comment: 'Node and its libraries', entries: await nodeLayer(pins, architecture, sources) },
    { comment: 'the operator', entries: await operatorLayer(bundle, pins, architecture) },
  ];
}

/** Writes `image-<architecture>.tar` for each architecture, and `image.tar` with all of them; returns their paths. */
export async function assemble(reference: string, folder: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const images = await imagesFrom(env);
  const archives: [string, Buffer][] = [
    ...images.map((image, index): [string, Buffer] => [
      `image-${ARCHITECTURES[index]}.tar`,
      imageArchive(image, reference),
    ]),
    ['image.tar', multiArchive(images, reference)],
  ];
  await mkdir(folder, { recursive: true });
  return Promise.all(
    archives.map(async ([name, archive]) => {
      await writeFile(join(folder, name), archive);
      return join(folder, name);
    }),
  );
}

/** The archive of one architecture, for a cluster on this machine. */
export async function assembleFor(
  architecture: Architecture,
  reference: string,
  env: NodeJS.ProcessEnv,
): Promise<Buffer> {
  const settings = runSettings(await readFile('Dockerfile', 'utf8'));
  const layers = await layersFor(architecture, await operatorBundle(), partSources(env));
  return imageArchive(await imageOf(layers, settings, { architecture, created: createdAt(env) }), reference);
}

/** An image for each architecture. */
async function imagesFrom(env: NodeJS.ProcessEnv): Promise<Image[]> {
  const settings = runSettings(await readFile('Dockerfile', 'utf8'));
  const created = createdAt(env);
  const bundle = await operatorBundle();
  const sources = partSources(env);
  return Promise.all(
    ARCHITECTURES.map(async (architecture) =>
      imageOf(await layersFor(architecture, bundle, sources), settings, { architecture, created }),
    ),
  );
}

/** SOURCE_DATE_EPOCH, or 1970: the time of the build must not change the image. */
function createdAt(env: NodeJS.ProcessEnv): string {
  const seconds = Number(env.SOURCE_DATE_EPOCH ?? 0);
  if (!Number.isSafeInteger(seconds))
    throw new Error(`SOURCE_DATE_EPOCH: expected seconds, got ${env.SOURCE_DATE_EPOCH}`);
  return new Date(seconds * 1_000).toISOString().replace('.000', '');
}
