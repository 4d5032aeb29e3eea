// The operator's image for tests: Node, the libraries it is linked with, and the bundle.

import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildBundle } from '../../../src/build/bundle.ts';
import { writeImageArchive } from '../../../src/cluster/node/image-archive.ts';
import { NODE_FLAGS } from '../../../src/local/operator.ts';

/** Writes the archive under the name that the manifests ask for. */
export async function writeOperatorImage(path: string, name: string): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'operator-image-'));
  try {
    const node = process.execPath;
    await Promise.all((await librariesOf(node)).map((library) => copy(library, join(root, library))));
    await copy(node, join(root, 'usr/local/bin/node'));
    await buildBundle('src/main.ts', join(root, 'operator/operator.mjs'));
    await writeImageArchive(path, {
      name,
      root,
      config: {
        User: '65532:65532',
        Env: ['NODE_ENV=production', 'HOME=/', 'MALLOC_ARENA_MAX=1'],
        Entrypoint: ['/usr/local/bin/node', ...NODE_FLAGS, '/operator/operator.mjs'],
      },
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

/** Absolute paths, the dynamic linker among them. */
async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ldd', [program]);
  return [...stdout.matchAll(/(?:=> |^\s+)(\/\S+) \(/gm)].flatMap((match) => match[1] ?? []);
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}
