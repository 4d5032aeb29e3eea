// The project as it was one commit ago, for upgrades from it: its files in a folder, and its image as an archive.

import { execFile } from 'node:child_process';
import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface PreviousCommit {
  readonly folder: string;
  readonly image: string;
  readonly archive: string;
}

/** Whether there is one; a clone of depth 1 has none, and neither has a tarball. */
export async function hasPreviousCommit(): Promise<boolean> {
  return run('git', ['rev-parse', '--verify', '--quiet', 'HEAD~1^{commit}']).then(
    () => true,
    () => false,
  );
}

/** Lays its files out and builds its image with its own `make image`, but with the dependencies that are installed now. */
export async function previousCommit(): Promise<PreviousCommit> {
  const folder = await mkdtemp(join(tmpdir(), 'previous-commit-'));
  const archive = join(folder, 'files.tar');
  await run('git', ['archive', '--output', archive, 'HEAD~1']);
  await run('tar', ['-C', folder, '-xf', archive]);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const image = 'mydeployment:previous';
  const build = ['src/image.ts', 'build', '--image', image, '--engine', 'none', '--out', 'dist'];
  await run(process.execPath, build, { cwd: folder });
  return { folder, image, archive: join(folder, 'dist', 'image.tar') };
}
