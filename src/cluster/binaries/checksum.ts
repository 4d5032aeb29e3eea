// SHA-256 in the forms that releases publish it, and of files on disk.

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const SHA256 = /^[0-9a-f]{64}$/;

/** Finds a file's checksum in a `.sha256` file (the bare hash) or a SHA256SUMS list (`hash  name` lines). */
export function publishedChecksum(text: string, fileName: string): string | undefined {
  for (const line of text.split('\n')) {
    const [hash, name] = line
      .trim()
      .toLowerCase()
      .split(/\s+\*?/);
    const meant = name === undefined || name === fileName.toLowerCase();
    if (meant && hash !== undefined && SHA256.test(hash)) return hash;
  }
  return undefined;
}

/** Finds an asset's checksum in GitHub's JSON description of a release, where it reads `sha256:<hash>`. */
export function githubChecksum(text: string, assetName: string): string | undefined {
  const digest = releaseAssets(text).find(({ name }) => name === assetName)?.digest;
  const [algorithm, hash] = digest?.split(':') ?? [];
  return algorithm === 'sha256' && hash !== undefined && SHA256.test(hash) ? hash : undefined;
}

function releaseAssets(text: string): ReadonlyArray<{ readonly name?: string; readonly digest?: string | null }> {
  try {
    return (JSON.parse(text) as { readonly assets?: [] }).assets ?? [];
  } catch {
    return []; // A proxy's or a captive portal's page instead of GitHub's answer: no checksum in it.
  }
}

/** Reads a file through the hash, without holding it in memory. */
export async function sha256OfFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    for await (const chunk of file.createReadStream({ highWaterMark: 1 << 20, autoClose: false })) {
      signal?.throwIfAborted();
      hash.update(chunk as Buffer);
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}
