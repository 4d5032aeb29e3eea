// What the projects publish and under which names, and how one of their files becomes a verified binary.
// Kubernetes puts a `.sha256` beside every binary, etcd a SHA256SUMS beside its archives. kwok publishes no checksum
// at all: a mirror may put a `.sha256` beside it, else GitHub's digest of the release asset is used. Before all of these
// comes a checksum that we know ourselves (known-checksums.ts). A file without a checksum is not used, and one with the
// wrong checksum is an error that ends the run, because the file may have been tampered with.

import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { githubChecksum, publishedChecksum } from './checksum.ts';
import { type Component, releaseName } from './component.ts';
import { DownloadError, type Downloader } from './download.ts';
import type { Activity } from './progress.ts';
import { run } from './run.ts';
import { type BinarySettings, releaseOf } from './settings.ts';

export type ChecksumSource =
  | { readonly format: 'known'; readonly sha256: string }
  | { readonly format: 'sums' | 'github'; readonly url: string };

export interface Artifact {
  readonly url: string;
  /** Tried in order until one exists. */
  readonly checksums: readonly ChecksumSource[];
  /** Where in the tar.gz the binary is; undefined when the file is the binary. */
  readonly member?: string;
}

export interface FetchOptions {
  readonly downloader: Downloader;
  readonly environment: NodeJS.ProcessEnv;
  /** A scratch directory of the caller's. */
  readonly work: string;
  readonly report: (activity: Activity) => void;
  readonly signal?: AbortSignal | undefined;
}

export class WrongChecksum extends Error {
  override readonly name = 'WrongChecksum';
}

/** Where a component is published, and by what it is recognised. */
export function artifact(component: Component, settings: BinarySettings): Artifact {
  const { url, checksums, ...rest } = publication(component, settings);
  const { version } = releaseOf(releaseName(component), settings);
  const sha256 = settings.checksums[`${component} ${version} ${settings.platform}`];
  const known = sha256 === undefined ? [] : [{ format: 'known', sha256 } as const];
  return { url, checksums: [...known, ...checksums], ...rest };
}

function publication(component: Component, settings: BinarySettings): Artifact {
  const platform = settings.platform.replace('/', '-');
  switch (component) {
    case 'etcd': {
      const directory = `${settings.etcdBaseUrl}/v${settings.etcdVersion}`;
      const name = `etcd-v${settings.etcdVersion}-${platform}`;
      return {
        url: `${directory}/${name}.tar.gz`,
        checksums: [{ url: `${directory}/SHA256SUMS`, format: 'sums' }],
        member: `${name}/etcd`,
      };
    }
    case 'kwok': {
      const url = `${settings.kwokBaseUrl}/v${settings.kwokVersion}/kwok-${platform}`;
      const digests = `${settings.kwokDigestUrl}/v${settings.kwokVersion}`;
      return { url, checksums: [besides(url), { url: digests, format: 'github' }] };
    }
    case 'kube-apiserver':
    case 'kube-controller-manager':
    case 'kube-scheduler':
    case 'kubectl':
    case 'kubelet':
    case 'kube-proxy': {
      const url = `${settings.kubeBaseUrl}/v${settings.kubeVersion}/bin/${settings.platform}/${component}`;
      return { url, checksums: [besides(url)] };
    }
    default:
      return component satisfies never;
  }
}

/** Downloads a binary into the work directory. After a DownloadError the next source is tried. */
export async function fetchArtifact(wanted: Artifact, options: FetchOptions): Promise<string> {
  const { downloader, report, signal, work } = options;
  const expected = await expectedChecksum(wanted, options);
  const path = join(work, basename(wanted.url));
  report({ step: 'downloading', done: 0 });
  const actual = await downloader.file({
    url: wanted.url,
    path,
    signal,
    onBytes: (done, total) => report({ step: 'downloading', done, ...(total === undefined ? {} : { total }) }),
  });
  if (actual !== expected) {
    await rm(path);
    throw new WrongChecksum(`${wanted.url} has sha256 ${actual}, expected is ${expected}; the file was discarded`);
  }
  return wanted.member === undefined ? path : unpack(path, wanted.member, options);
}

async function expectedChecksum(wanted: Artifact, { downloader, signal }: FetchOptions): Promise<string> {
  const name = basename(wanted.url);
  for (const source of wanted.checksums) {
    if (source.format === 'known') return source.sha256;
    const { url, format } = source;
    const text = await downloader.text(url, signal).catch(unlessRefused);
    if (text === undefined) continue;
    const checksum = format === 'github' ? githubChecksum(text, name) : publishedChecksum(text, name);
    if (checksum !== undefined) return checksum;
  }
  const asked = wanted.checksums.flatMap((source) => ('url' in source ? source.url : [])).join(' or ');
  throw new DownloadError('refused', `no checksum of ${name} at ${asked}`);
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof DownloadError) || error.kind !== 'refused') throw error;
}

/** Uses the system's tar, which does not hold the archive in memory. */
async function unpack(archive: string, member: string, options: FetchOptions): Promise<string> {
  options.report({ step: 'unpacking' });
  const directory = join(dirname(archive), 'unpacked');
  await mkdir(directory);
  await run('tar', ['-xzf', archive, '-C', directory, member], options);
  return join(directory, member);
}

function besides(url: string): ChecksumSource {
  return { url: `${url}.sha256`, format: 'sums' };
}
