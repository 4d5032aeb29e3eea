// The image that every real node has: busybox, statically linked, from a system package. It serves as the pause
// container of each pod, and as the small web server, shell and client of tests.

import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeImageLayout } from './image-layout.ts';
import { systemProgram } from './requirements.ts';

/** The commands that pods may name without `busybox` before them. Its wget is none: linked statically, it crashes. */
const APPLETS = ['sh', 'sleep', 'httpd', 'cat', 'echo', 'touch', 'rm', 'date', 'nc', 'true', 'false', 'kill'];

/** Writes the image as an OCI layout. Without a command of its own, a container sleeps. */
export async function writeBusyboxImage(layout: string): Promise<void> {
  const root = await mkdtemp(join(dirname(layout), '.busybox-'));
  try {
    for (const folder of ['bin', 'tmp']) await mkdir(join(root, folder));
    await copyFile(systemProgram('busybox') as string, join(root, 'bin', 'busybox'));
    await Promise.all(APPLETS.map((applet) => symlink('busybox', join(root, 'bin', applet))));
    const config = { Env: ['PATH=/bin'], Cmd: ['/bin/sleep', '2147483647'] };
    await writeImageLayout(layout, { root, config });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
