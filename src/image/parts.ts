// Fetches the packages of pins.json, Debian's over HTTP and Node's through npm, and keeps each in a cache under its SHA-256.
// Guarantee: a package has the pinned SHA-256, wherever it came from. The error for one that is no longer served names it.

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DownloadError, type Downloader } from '../cluster/binaries/download.ts';
import { run } from '../cluster/binaries/run.ts';
import { sha256Of } from '../oci/image.ts';
import type { DebianPin, NodePin } from './pins.ts';

export interface PartSources {
  readonly downloader: Downloader;
  /** Serves Debian's archives, `debian` and `debian-security`. */
  readonly debianUrl: () => Promise<string>;
  readonly cacheDir: string;
  /** npm runs with it. */
  readonly environment: NodeJS.ProcessEnv;
}

const REFRESH = 'npm run image:refresh pins the versions that are served now';

/** The bytes of a Debian package. */
export function debianPackage(pin: DebianPin, sources: PartSources): Promise<Buffer> {
  return cached(pin, sources, async (folder) => {
    const url = `${await sources.debianUrl()}/${pin.archive}/${pin.path}`.replaceAll('+', '%2B');
    const path = join(folder, 'package.deb');
    try {
      await sources.downloader.file({ url, path, onBytes: () => {} });
      return path;
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      throw new Error(
        `cannot fetch ${label(pin)}: ${error.message}.\n` +
          `${REFRESH}; MYDEPLOYMENT_DEBIAN_URL names a mirror that has debian/ and debian-security/.`,
        { cause: error },
      );
    }
  });
}

/** The bytes of an npm package that holds Node. */
export function nodePackage(pin: NodePin, sources: PartSources): Promise<Buffer> {
  return cached(pin, sources, (folder) =>
    npmPack(`${pin.name}@${pin.version}`, folder, sources.environment).catch((error: Error) => {
      throw new Error(`cannot fetch ${label(pin)} from npm; ${REFRESH}.\n${error.message}`, { cause: error });
    }),
  );
}

/** Fetches an npm package with the registry and the certificates that npm is set up with; resolves with its path. */
export async function npmPack(spec: string, folder: string, environment: NodeJS.ProcessEnv): Promise<string> {
  await run('npm', ['pack', spec, '--silent', '--pack-destination', folder], { environment });
  const [archive] = await readdir(folder);
  if (archive === undefined) throw new Error(`npm pack ${spec} wrote nothing`);
  return join(folder, archive);
}

interface Pin {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly sha256: string;
}

/** A part from the cache, or fetched into it; a file in the cache that has changed is fetched again. */
async function cached(
  pin: Pin,
  { cacheDir }: PartSources,
  fetchTo: (folder: string) => Promise<string>,
): Promise<Buffer> {
  const path = join(cacheDir, pin.sha256);
  const found = await readFile(path).catch(() => undefined);
  if (found !== undefined && sha256Of(found) === pin.sha256) return found;
  await mkdir(cacheDir, { recursive: true });
  const folder = await mkdtemp(join(cacheDir, `.work-${randomUUID().slice(0, 8)}`));
  try {
    const fetched = await fetchTo(folder);
    const content = await readFile(fetched);
    const sha256 = sha256Of(content);
    if (sha256 !== pin.sha256)
      throw new Error(`${label(pin)} has sha256 ${sha256} instead of the pinned ${pin.sha256}`);
    await rename(fetched, path);
    return content;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function label({ name, version, architecture }: Pin): string {
  return `${name} ${version} (${architecture})`;
}
