// An image that takes the place of Node's official one where no registry can be reached: the image's own Node and
// libraries, npm as it is installed here, and a shell.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { partSources } from '../../src/image/assemble.ts';
import { nodeLayer } from '../../src/image/node-layer.ts';
import { pins } from '../../src/image/pins.ts';
import { architectureOf, imageArchive, imageOf } from '../../src/oci/image.ts';
import { type Entry, file } from '../../src/oci/tree.ts';

/** What the Dockerfile's commands and npm start, all of it busybox. */
const COMMANDS = ['sh', 'cat', 'kill', 'env'];
const NPM = 'npm';

/** The archive of the image; `busybox` is a static one. */
export async function standInImage(busybox: string): Promise<Buffer> {
  const architecture = architectureOf(process.arch);
  const entries: Entry[] = [
    ...(await nodeLayer(pins, architecture, partSources(process.env))),
    ...filesIn(join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm'), NPM),
    link('usr/local/bin/npm', '../../../npm/bin/npm-cli.js'),
    link('bin', 'usr/bin'),
    file('usr/bin/busybox', readFileSync(busybox), 0o755),
    ...COMMANDS.map((command) => link(`usr/bin/${command}`, 'busybox')),
    file('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\n'),
    { type: 'directory', path: 'root' },
    { type: 'directory', path: 'tmp' },
  ];
  const settings = {
    User: '',
    ExposedPorts: {},
    Env: ['PATH=/usr/local/bin:/usr/bin'],
    Entrypoint: [],
  };
  const created = '1970-01-01T00:00:00Z';
  const image = await imageOf([{ comment: 'stand-in', entries }], settings, { architecture, created });
  return imageArchive(image, 'stand-in:24');
}

function filesIn(folder: string, path: string): Entry[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, real: realpathSync(join(folder, name)) }))
    .filter(({ real }) => statSync(real).isFile())
    .map(({ name, real }) => file(`${path}/${name}`, readFileSync(real), statSync(real).mode & 0o777));
}

function link(path: string, target: string): Entry {
  return { type: 'symlink', path, target };
}
