// The images that every real node has, both of them busybox, statically linked, from a system package. One serves as the pause
// container of each pod, and as the web server, shell and client of tests. The other stands in for nginx, which the samples run.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { architectureOf, imageLayout, imageOf } from '../../oci/image.ts';
import { type Entry, file, writeFolder } from '../../oci/tree.ts';
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
  const entries: Entry[] = [
    file('bin/busybox', await readFile(systemProgram('busybox') as string), 0o755),
    ...APPLETS.map((applet): Entry => ({ type: 'symlink', path: `bin/${applet}`, target: 'busybox' })),
    { type: 'directory', path: 'tmp' },
    file('www/index.html', 'busybox stands in for nginx\n'),
  ];
  const platform = { architecture: architectureOf(process.arch), created: '1970-01-01T00:00:00Z' };
  for (const [repository, Cmd] of Object.entries(COMMANDS)) {
    const image = await imageOf([{ comment: 'busybox', entries }], { Env: ['PATH=/bin'], Cmd }, platform);
    await writeFolder(join(folder, repository), imageLayout(image, `${repository}:latest`));
  }
}
