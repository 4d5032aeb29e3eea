// The image that `make image` writes without a container engine: what is in it, that it is the same each time, and that it
// starts, on this machine's architecture and, emulated, on the other one.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assemble } from '../../src/image/assemble.ts';
import { pins } from '../../src/image/pins.ts';
import { ARCHITECTURES, type Architecture, architectureOf } from '../../src/oci/image.ts';
import { describeWith, ensureSystemPackages } from '../support/system-packages.ts';
import { type BuiltImage, readImage, textIn, unpack } from './built-image.ts';
import { commandOf, containerOf, startIn } from './start.ts';

const run = promisify(execFile);
const HERE = architectureOf(process.arch);
const OTHER = HERE === 'amd64' ? 'arm64' : 'amd64';
const EMULATOR = { amd64: 'qemu-x86_64', arm64: 'qemu-aarch64' }[OTHER];
/** What the operator says where there is no cluster: all of it was loaded and has run. */
const STARTED = 'not running in a pod (KUBERNETES_SERVICE_HOST is not set)';

const folder = await mkdtemp(join(tmpdir(), 'image-'));
const archive = (architecture: Architecture): string => join(folder, `image-${architecture}.tar`);
const rootOf = (architecture: Architecture): string => join(folder, `root-${architecture}`);
const images = new Map<Architecture, BuiltImage>();
const image = (architecture: Architecture): BuiltImage => images.get(architecture) as BuiltImage;

beforeAll(async () => {
  await assemble('mydeployment:test', folder, process.env);
  for (const architecture of ARCHITECTURES) {
    images.set(architecture, readImage(await readFile(archive(architecture))));
    await unpack(image(architecture), rootOf(architecture));
  }
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(ARCHITECTURES)('the image for %s', (architecture) => {
  it('runs as a user without rights, and has no file that this user could change', () => {
    expect(image(architecture).config).toMatchObject({ architecture, config: { User: '65532:65532' } });
    for (const entry of image(architecture).root) {
      if (entry.type === 'file') expect([entry.path, entry.mode & 0o22]).toEqual([entry.path, 0]);
    }
  });

  it('has one program, Node, and no shell', () => {
    const programs = image(architecture).root.filter(
      (entry) => /(^|\/)s?bin\//.test(entry.path) && entry.type !== 'directory',
    );
    expect(programs.map(({ path }) => path)).toEqual(['usr/local/bin/node']);
  });

  it('has Node and its libraries in one layer, the operator in the other', () => {
    const folders = image(architecture).layers.map((layer) => new Set(layer.map(({ path }) => path.split('/')[0])));
    expect(folders).toEqual([
      new Set(architecture === 'amd64' ? ['lib', 'lib64', 'usr'] : ['lib', 'usr']),
      new Set(['operator']),
    ]);
  });

  it('lists what it is made of', async () => {
    const sbom = JSON.parse(textIn(image(architecture), 'operator/sbom.cdx.json')) as {
      components: { name: string; version: string; purl: string }[];
    };
    const listed = sbom.components.map(({ name, version }) => `${name} ${version}`);
    const ours = pins.debian.filter((pin) => pin.architecture === architecture);
    expect(listed).toEqual(expect.arrayContaining(ours.map(({ name, version }) => `${name} ${version}`)));
    expect(listed).toContain(`node ${pins.node[0]?.version}`);
    const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    for (const name of ['undici', 'yaml', 'prom-client', '@kubernetes/client-node', '@peculiar/x509']) {
      expect(listed).toContain(`${name} ${lock.packages[`node_modules/${name}`]?.version}`);
    }
    expect(new Set(sbom.components.map(({ purl }) => purl)).size).toBe(sbom.components.length);
  });

  it('has the licence of each part, and the licences that those refer to', async () => {
    const root = rootOf(architecture);
    for (const name of ['node', 'libc6', 'libstdc++6', 'libgcc-s1']) {
      const text = await readFile(join(root, `usr/share/doc/${name}/copyright`), 'utf8');
      for (const [path] of text.matchAll(/\/usr\/share\/common-licenses\/[\w.-]*\w/g)) {
        expect([path, (await readFile(join(root, path), 'utf8')).length > 1_000]).toEqual([path, true]);
      }
    }
    expect(textIn(image(architecture), 'operator/LICENSE')).toContain('Apache License');
  });
});

it('the same sources give the same bytes, in another process, with other rights and another time zone', async () => {
  const again = join(folder, 'again');
  const env = { ...process.env, TZ: 'Asia/Tokyo', LC_ALL: 'C' };
  const script = 'umask 077; exec "$@"';
  const command = [
    process.execPath,
    'src/image.ts',
    'build',
    '--engine',
    'none',
    '--image',
    'mydeployment:test',
    '--out',
    again,
  ];
  await run('/bin/sh', ['-c', script, 'sh', ...command], { env });
  for (const name of ['image-amd64.tar', 'image-arm64.tar', 'image.tar']) {
    const [one, other] = await Promise.all([readFile(join(folder, name)), readFile(join(again, name))]);
    expect([name, one.equals(other)]).toEqual([name, true]);
  }
}, 300_000);

describe('with an engine that answers and cannot build', () => {
  const out = join(folder, 'without-engine');
  const env = { ...process.env, PATH: `${folder}/bin:${process.env.PATH}` };
  const build = [process.execPath, 'src/image.ts', 'build', '--out', out] as const;

  beforeAll(async () => {
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/docker'), '#!/bin/sh\ntest "$1" = info\n', { mode: 0o755 });
  });

  it('make image builds the image without it', async () => {
    const { stdout } = await run('/usr/bin/env', build, { env });
    expect(stdout).toContain('docker could not build the image');
    expect(readImage(await readFile(join(out, `image-${HERE}.tar`))).layers).toHaveLength(2);
  }, 300_000);

  it('make image ENGINE=docker fails', async () => {
    const failure = await run('/usr/bin/env', [...build, '--engine', 'docker'], { env }).catch((error) => error);
    expect(failure).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ENGINE=none builds it without an engine'),
    });
  });
});

const root = process.getuid?.() === 0 ? ({ ok: true } as const) : ({ ok: false, because: 'not root' } as const);

describeWith(root, 'the image on this machine', () => {
  it('starts as its user', async () => {
    expect(await startIn(rootOf(HERE), image(HERE))).toContain(STARTED);
  });

  it('resolves names with the libraries that it has', async () => {
    const lookup = "require('node:dns').lookup('localhost', (error, address) => console.log(error?.code ?? address))";
    await mkdir(join(rootOf(HERE), 'etc'), { recursive: true });
    await writeFile(join(rootOf(HERE), 'etc/hosts'), '127.0.0.7 localhost\n');
    expect(await startIn(rootOf(HERE), image(HERE), ['/usr/local/bin/node', '-e', lookup])).toBe('127.0.0.7\n');
  });
});

const runc = root.ok ? await ensureSystemPackages(['runc']) : root;

describeWith(runc, 'the image in a container', () => {
  it('starts with a root that cannot be written', async () => {
    const bundle = join(folder, 'container');
    await mkdir(bundle);
    await writeFile(join(bundle, 'config.json'), JSON.stringify(containerOf(rootOf(HERE), image(HERE))));
    const name = `image-test-${process.pid}`;
    const started = run('runc', ['--root', join(folder, 'runc'), 'run', '--bundle', bundle, name]);
    expect(await started.catch(({ stdout, stderr }) => `${stdout}${stderr}`)).toContain(STARTED);
  });
});

describeWith(await ensureSystemPackages(['qemu-user']), 'the image on another architecture', () => {
  it('starts', async () => {
    const { command, env } = commandOf(image(OTHER));
    const inside = command.map((word) => (word.startsWith('/') ? join(rootOf(OTHER), word) : word));
    const started = run(EMULATOR, ['-L', rootOf(OTHER), ...inside], { env: { ...env, PATH: process.env.PATH } });
    expect(await started.catch(({ stdout, stderr }) => `${stdout}${stderr}`)).toContain(STARTED);
  }, 120_000);
});

describeWith(await ensureSystemPackages(['skopeo']), 'the archives, as other tools read them', () => {
  it.each(['oci-archive', 'docker-archive'])('are an image as %s', async (transport) => {
    for (const architecture of ARCHITECTURES) {
      const { stdout } = await run('skopeo', ['inspect', '--config', `${transport}:${archive(architecture)}`]);
      expect(JSON.parse(stdout)).toMatchObject({ architecture, config: image(architecture).config.config });
    }
  });

  it('copy whole, each layer checked, under the name that was given', async () => {
    const copy = join(folder, 'copy');
    await run('skopeo', ['copy', `docker-archive:${archive(HERE)}:mydeployment:test`, `oci:${copy}:test`]);
    const { stdout } = await run('skopeo', ['inspect', '--config', `oci:${copy}:test`]);
    expect(JSON.parse(stdout)).toMatchObject({ architecture: HERE });
  }, 120_000);
});
