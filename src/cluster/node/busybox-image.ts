// The images that every real node has, both busybox, statically linked, from a system package. One serves as the pause container
// of each pod, and as the small web server, shell and client of tests. The other stands in for nginx, which the samples run.

import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeImageLayout } from './image-layout.ts';
import { systemProgram } from './requirements.ts';

/** The commands that pods may name without `busybox` before them. Its wget is none: linked statically, it crashes. */
const APPLETS = ['sh', 'sleep', 'httpd', 'cat', 'echo', 'touch', 'rm', 'date', 'nc', 'true', 'false', 'kill'];

/**
 * What a container does without a command of its own, by the name of the repository. The kernel does not deliver SIGTERM to a
 * process 1 without a handler for it, so a container that sleeps ends with its grace period only.
 */
const COMMANDS = {
  'library/busybox': ['/bin/sleep', '2147483647'],
  'library/nginx': ['/bin/sh', '-c', "trap 'exit 0' TERM; httpd -f -p 80 -h /www & wait"],
} as const;

/** Writes the images as OCI layouts, each in a folder below `folder` that has the name of its repository. */
export async function writeBusyboxImages(folder: string): Promise<void> {
  const root = await mkdtemp(join(folder, '.busybox-'));
  try {
    for (const name of ['bin', 'tmp', 'www']) await mkdir(join(root, name));
    await copyFile(systemProgram('busybox') as string, join(root, 'bin', 'busybox'));
    await Promise.all(APPLETS.map((applet) => symlink('busybox', join(root, 'bin', applet))));
    await writeFile(join(root, 'www', 'index.html'), 'busybox stands in for nginx\n');
    for (const [repository, Cmd] of Object.entries(COMMANDS)) {
      await writeImageLayout(join(folder, repository), { root, config: { Env: ['PATH=/bin'], Cmd } });
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
