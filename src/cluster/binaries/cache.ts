// Binaries on disk, `<directory>/v<version>/<component>`, each beside a record of what it was when it was installed.
// Guarantees: a binary counts only when its record agrees, and it appears whole or not at all (rename within one
// directory, record last). Hashing all six takes seconds at every start, so size and time of change are compared first:
// truncating or rewriting a file changes one of them. Only if they differ, or on request, is the file hashed.

import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfFile } from './checksum.ts';

export type Lookup =
  | { readonly state: 'ready'; readonly path: string }
  | { readonly state: 'absent' }
  | { readonly state: 'damaged'; readonly because: string };

/** Programs of one version lie in one directory. */
export interface Versioned {
  /** Without the leading v. */
  readonly version: string;
}

interface InstallRecord {
  readonly sha256: string;
  readonly size: number;
  readonly mtimeMs: number;
}

const WORK_PREFIX = '.work-';
/** Longer than any build takes: an older folder belongs to a killed process, a younger one perhaps to another container's. */
const ABANDONED_MS = 24 * 60 * 60 * 1_000;

export class BinaryCache {
  readonly #directory: string;
  readonly #verify: 'quick' | 'full';

  constructor(directory: string, verify: 'quick' | 'full') {
    this.#directory = directory;
    this.#verify = verify;
  }

  /** Where the binaries of a release are kept. */
  directory(release: Versioned): string {
    return join(this.#directory, `v${release.version}`);
  }

  /** Finds a binary that is what was installed. */
  async lookup(component: string, release: Versioned): Promise<Lookup> {
    const path = join(this.directory(release), component);
    const record = await readRecord(path);
    const found = await stat(path).catch(absent);
    if (found === undefined) return { state: 'absent' };
    if (record === undefined) return { state: 'damaged', because: `${path} has no record of its checksum` };
    if (found.size !== record.size) {
      return { state: 'damaged', because: `${path} has ${found.size} bytes instead of ${record.size}` };
    }
    if (this.#verify === 'quick' && found.mtimeMs === record.mtimeMs) return { state: 'ready', path };
    const sha256 = await sha256OfFile(path);
    if (sha256 !== record.sha256) {
      return { state: 'damaged', because: `${path} has sha256 ${sha256} instead of ${record.sha256}` };
    }
    // Same bytes, other time: a copied or touched cache. Recorded, so that the next start is quick again.
    if (found.mtimeMs !== record.mtimeMs) await writeRecord(path, { ...record, mtimeMs: found.mtimeMs });
    return { state: 'ready', path };
  }

  /** Runs `action` with a scratch directory on the cache's own file system, and removes the directory afterwards. */
  async withWorkDirectory<T>(release: Versioned, action: (directory: string) => Promise<T>): Promise<T> {
    await mkdir(this.directory(release), { recursive: true });
    await this.#sweep(release);
    const work = await mkdtemp(join(this.directory(release), WORK_PREFIX));
    try {
      return await action(work);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  /** Moves a finished file from a work directory to its place. */
  async install(component: string, release: Versioned, file: string): Promise<string> {
    const path = join(this.directory(release), component);
    await chmod(file, 0o755);
    await flush(file);
    const { size, mtimeMs } = await stat(file);
    const record = { sha256: await sha256OfFile(file), size, mtimeMs };
    await rename(file, path);
    await writeRecord(path, record);
    return path;
  }

  async #sweep(release: Versioned): Promise<void> {
    for (const name of await readdir(this.directory(release))) {
      if (!name.startsWith(WORK_PREFIX)) continue;
      const path = join(this.directory(release), name);
      const found = await stat(path).catch(absent);
      if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
    }
  }
}

/** Flushes the binary before its record is written, so that after a power cut no record describes missing bytes. */
async function flush(file: string): Promise<void> {
  const handle = await open(file);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readRecord(path: string): Promise<InstallRecord | undefined> {
  const text = await readFile(`${path}.json`, 'utf8').catch(absent);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as InstallRecord;
  } catch {
    return undefined; // An unreadable record counts as none.
  }
}

async function writeRecord(path: string, record: InstallRecord): Promise<void> {
  const temporary = `${path}.json.${randomUUID()}`;
  await writeFile(temporary, `${JSON.stringify(record)}\n`);
  await rename(temporary, `${path}.json`);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
