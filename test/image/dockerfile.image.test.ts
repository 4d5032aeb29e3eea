// The Dockerfile, executed: buildah builds it with a stand-in for Node's official image, and what comes out is compared with
// the image that the project puts together without an engine, and started.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { assembleFor } from '../../src/image/assemble.ts';
import { debianUrl } from '../../src/image/debian-archive.ts';
import { buildArguments } from '../../src/image/engine.ts';
import { architectureOf } from '../../src/oci/image.ts';
import { describeWith, ensureSystemPackages } from '../support/system-packages.ts';
import { type BuiltImage, listing, readImage, unpack } from './built-image.ts';
import { type PrivateRegistry, startPrivateRegistry } from './registry.ts';
import { standInImage } from './stand-in.ts';
import { startIn } from './start.ts';

const run = promisify(execFile);
const REFERENCE = 'localhost/mydeployment:test';

describeWith(await ensureSystemPackages(['buildah', 'busybox-static']), 'an image built from the Dockerfile', () => {
  let folder: string;
  let built: BuiltImage;
  let requests: number;
  let assembled: BuiltImage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dockerfile-'));
    await mkdir(join(folder, 'root'));
    await using registry = await startPrivateRegistry();
    built = await buildWithBuildah(folder, registry);
    requests = registry.requests();
    assembled = readImage(await assembleFor(architectureOf(process.arch), REFERENCE, process.env));
    await unpack(built, join(folder, 'root'));
  }, 900_000);
  afterAll(async () => {
    // A build that failed leaves its layers mounted.
    await run('umount', ['--recursive', join(folder, 'graph/overlay')]).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  });

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

  it('is built from a registry whose certificate only the secret vouches for, and keeps neither secret', () => {
    expect(requests).toBeGreaterThan(100);
    expect(listing(built.root).filter((line) => /npmrc|secrets|ca\.pem/.test(line))).toEqual([]);
  });

  it('starts', async () => {
    expect(await startIn(join(folder, 'root'), built)).toContain('not running in a pod');
  });
});

/** Builds as `make image` does: from a private registry, in a store of its own, without privileges that a container lacks. */
async function buildWithBuildah(folder: string, registry: PrivateRegistry): Promise<BuiltImage> {
  const path = (name: string): string => join(folder, name);
  await writeFile(path('stand-in.tar'), await standInImage('/bin/busybox'));
  await writeFile(path('ca.pem'), registry.ca);
  await writeFile(path('npmrc'), `registry=${registry.url}\n`);
  await writeFile(
    path('storage.conf'),
    `[storage]\ndriver = ""\ngraphroot = "${path('graph')}"\nrunroot = "${path('state')}"\n`,
  );
  const settings = {
    NODE_EXTRA_CA_CERTS: path('ca.pem'),
    NPMRC: path('npmrc'),
    NODE_IMAGE: `oci-archive:${path('stand-in.tar')}`,
    // The stand-in has no apt that could say it.
    MYDEPLOYMENT_DEBIAN_URL: await debianUrl(process.env),
  };
  const env = { ...process.env, CONTAINERS_STORAGE_CONF: path('storage.conf'), BUILDAH_ISOLATION: 'chroot' };
  const options = { env, maxBuffer: 2 ** 28 };
  await run('buildah', buildArguments('buildah', REFERENCE, { ...env, ...settings }), options);
  await run('buildah', ['push', REFERENCE, `oci-archive:${path('built.tar')}`], options);
  return readImage(await readFile(path('built.tar')));
}
