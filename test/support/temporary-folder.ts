// One temporary folder for everything that a run of the tests puts down, removed at its end: cdk8s, for one, leaves a
// folder behind for every chart that is made in a test. Tests find it as they find any, by `os.tmpdir()`.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string | undefined;

/** Jest's globalSetup. */
export default async function make(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'mydeployment-test-'));
  process.env.TMPDIR = folder;
}

export async function remove(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true });
}
