// The Dockerfile, executed: buildah builds it with a stand-in for Node's official image, and what comes out is compared with
// the image that the project puts together without an engine, and started.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { assemble } from '../../src/image/assemble.ts';
import { buildArguments } from '../../src/image/engine.ts';
import { architectureOf } from '../../src/image/pins.ts';
import { describeWith, ensureSystemPackages } from '../support/system-packages.ts';
import { type BuiltImage, listing, readImage, unpack } from './built-image.ts';
import { standInImage } from './stand-in.ts';
import { startIn } from './start.ts';

const run = promisify(execFile);
const REFERENCE = 'localhost/mydeployment:test';

describeWith(await ensureSystemPackages(['buildah', 'busybox-static']), 'an image built from the Dockerfile', () => {
  let folder: string;
  let built: BuiltImage;
  let assembled: BuiltImage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dockerfile-'));
    await mkdir(join(folder, 'root'));
    built = await buildWithBuildah(folder);
    await assemble(REFERENCE, folder, process.env);
    assembled = readImage(await readFile(join(folder, `image-${architectureOf(process.arch)}.tar`)));
    await unpack(built, join(folder, 'root'));
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has the same files as the one that is put together without an engine', () => {
    expect(listing(built.root)).toEqual(listing(assembled.root));
  });

  it('has the same files in each of its two layers', () => {
    const withoutFolders = (image: BuiltImage): string[][] =>
      image.layers.map((layer) => listing(layer.filter(({ type }) => type !== 'directory')).sort());
    expect(withoutFolders(built)).toEqual(withoutFolders(assembled));
  });

  it('runs with the same settings', () => {
    const { Labels: _, ...settings } = built.config.config;
    expect(settings).toEqual(assembled.config.config);
  });

  it('starts', async () => {
    expect(await startIn(join(folder, 'root'), built)).toContain('not running in a pod');
  });
});

/** Builds as `make image` does, in a store of its own and without privileges that a container lacks. */
async function buildWithBuildah(folder: string): Promise<BuiltImage> {
  const base = join(folder, 'stand-in.tar');
  await writeFile(base, await standInImage('/bin/busybox'));
  const storage = join(folder, 'storage.conf');
  const [graph, state] = [join(folder, 'graph'), join(folder, 'state')];
  await writeFile(storage, `[storage]\ndriver = ""\ngraphroot = "${graph}"\nrunroot = "${state}"\n`);
  const env = { ...process.env, CONTAINERS_STORAGE_CONF: storage, BUILDAH_ISOLATION: 'chroot' };
  const options = { env, maxBuffer: 2 ** 28 };
  await run('buildah', buildArguments('buildah', REFERENCE, { ...env, NODE_IMAGE: `oci-archive:${base}` }), options);
  await run('buildah', ['push', REFERENCE, `oci-archive:${join(folder, 'built.tar')}`], options);
  return readImage(await readFile(join(folder, 'built.tar')));
}
