// The image that every real node has: busybox, statically linked, from a system package. It serves as the pause
// container of each pod, and as the small web server, shell and client of tests.

import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeImageArchive } from './image-archive.ts';
import { systemProgram } from './requirements.ts';

export const BUSYBOX_IMAGE = 'docker.io/library/busybox:local';

/** The commands that pods may name without `busybox` before them. Its wget is none: linked statically, it crashes. */
const APPLETS = ['sh', 'sleep', 'httpd', 'cat', 'echo', 'touch', 'rm', 'date', 'nc', 'true', 'false', 'kill'];

/** Writes the archive of the image. */
export async function writeBusyboxImage(path: string): Promise<void> {
  const root = await mkdtemp(join(dirname(path), '.busybox-'));
  try {
    for (const folder of ['bin', 'tmp', 'www']) await mkdir(join(root, folder));
    await copyFile(systemProgram('busybox') as string, join(root, 'bin', 'busybox'));
    await Promise.all(APPLETS.map((applet) => symlink('busybox', join(root, 'bin', applet))));
    await writeImageArchive(path, {
      name: BUSYBOX_IMAGE,
      root,
      config: { Env: ['PATH=/bin'], Cmd: ['/bin/sleep', '2147483647'] },
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
