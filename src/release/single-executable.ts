// `kubectl md` as one program that needs no Node: the pinned Node of an architecture, with the bundled plugin inside.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { buildSingleFile } from '../build/bundle.ts';
import { LICENSES_FILE } from '../build/licenses.ts';
import { buildPage } from '../build/page.ts';
import { nodePackage, type PartSources } from '../image/parts.ts';
import type { NodePin } from '../image/pins.ts';
import { readTar } from '../oci/tar.ts';
import { type Entry, file } from '../oci/tree.ts';

const run = promisify(execFile);

/** Where Node looks for a program inside itself, and the mark by which it knows that there is one. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const POSTJECT = 'node_modules/postject/dist/cli.js';

/** The bundled plugin in the form that Node reads, the same for every architecture, and the licences of the code in it. */
export interface Payload {
  readonly blob: Buffer;
  readonly licenses: Buffer;
}

/** Bundles the plugin. Without Node's code cache, whose bytes differ from build to build. */
export function pluginPayload(): Promise<Payload> {
  return inFolder(async (folder) => {
    await buildSingleFile('src/kubectl/main.ts', join(folder, 'kubectl-md.cjs'), await buildPage());
    // The path of the program ends up in the blob, so it is relative.
    const config = {
      main: 'kubectl-md.cjs',
      output: 'blob',
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
    };
    await writeFile(join(folder, 'sea.json'), JSON.stringify(config));
    await run(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: folder });
    const [blob, licenses] = await Promise.all(['blob', LICENSES_FILE].map((name) => readFile(join(folder, name))));
    return { blob, licenses } as Payload;
  });
}

/** What the archive of the plugin for one architecture holds. */
export async function pluginFiles({ blob, licenses }: Payload, pin: NodePin, sources: PartSources): Promise<Entry[]> {
  // Only a blob of the very same version is sure to be read.
  if (`v${pin.version}` !== process.version) throw new Error(`${pin.name} ${pin.version} is not ${process.version}`);
  const node = readTar(gunzipSync(await nodePackage(pin, sources)));
  const contentOf = (path: string): Buffer => {
    const found = node.find((entry) => entry.path === path);
    if (found?.type !== 'file') throw new Error(`${pin.name} has no ${path}`);
    return found.content;
  };
  const program = await withBlob(contentOf('package/bin/node'), blob);
  return [
    file('kubectl-md', program, 0o755),
    file('LICENSE', await readFile('LICENSE')),
    file('LICENSE.node', contentOf('package/LICENSE')),
    file(LICENSES_FILE, licenses),
  ];
}

function withBlob(node: Buffer, blob: Buffer): Promise<Buffer> {
  return inFolder(async (folder) => {
    const path = join(folder, 'program');
    await writeFile(path, node);
    await writeFile(join(folder, 'blob'), blob);
    // As a program of its own, because it warns about sections that strip has left without a name, and only a failure matters.
    await run(process.execPath, [POSTJECT, path, RESOURCE, join(folder, 'blob'), '--sentinel-fuse', FUSE]);
    return readFile(path);
  });
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'single-executable-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
