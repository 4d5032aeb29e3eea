import { describe, expect, it } from '@jest/globals';
import { type Architecture, architectureOf, imageArchive, imageOf, multiArchive } from '../../src/oci/image.ts';
import { readTar } from '../../src/oci/tar.ts';
import { type Entry, file } from '../../src/oci/tree.ts';
import { listing, readImage } from '../image/built-image.ts';

const settings = { User: '65532:65532', ExposedPorts: {}, Env: ['A=b'], Entrypoint: ['/a'] };
const created = '1970-01-01T00:00:00Z';
const base = [file('usr/a', 'first'), file('usr/b', 'second')];
const top = [file('usr/b', 'changed', 0o755)];

function image(architecture: Architecture, ...layers: (readonly Entry[])[]): ReturnType<typeof imageOf> {
  return imageOf(
    layers.map((entries) => ({ comment: 'test', entries })),
    settings,
    { architecture, created },
  );
}

/** A JSON file of an archive. */
function json(archive: Buffer, path: string): unknown {
  const found = readTar(archive).find((entry) => entry.path === path);
  return found?.type === 'file' ? JSON.parse(found.content.toString()) : undefined;
}

describe('an image archive', () => {
  it('holds the layers and the settings, each blob under its digest', async () => {
    const read = readImage(imageArchive(await image('arm64', base, top), 'mydeployment:1'));
    expect(listing(read.root)).toEqual(listing([{ type: 'directory', path: 'usr' }, ...base.slice(0, 1), ...top]));
    expect(read.config).toMatchObject({ architecture: 'arm64', os: 'linux', config: settings });
  });

  it('names the image for containerd and for docker', async () => {
    const archive = imageArchive(await image('amd64', base), 'mydeployment:1');
    const annotations = {
      'io.containerd.image.name': 'docker.io/library/mydeployment:1',
      'org.opencontainers.image.ref.name': '1',
    };
    expect(json(archive, 'index.json')).toMatchObject({ manifests: [{ annotations }] });
    expect(json(archive, 'manifest.json')).toMatchObject([{ RepoTags: ['mydeployment:1'] }]);
  });

  it('lets docker find the configuration and every layer', async () => {
    const archive = imageArchive(await image('amd64', base, top), 'mydeployment:1');
    const paths = new Set(readTar(archive).map(({ path }) => path));
    const [{ Config, Layers }] = json(archive, 'manifest.json') as [{ Config: string; Layers: string[] }];
    expect(Layers).toHaveLength(2);
    for (const path of [Config, ...Layers]) expect([path, paths.has(path)]).toEqual([path, true]);
  });

  it('is the same for the same files in another order', async () => {
    const one = imageArchive(await image('amd64', base), 'mydeployment:1');
    const other = imageArchive(await image('amd64', base.toReversed()), 'mydeployment:1');
    expect(other.equals(one)).toBe(true);
  });

  it('keeps the digest of a layer when another layer changes', async () => {
    const [one, other] = await Promise.all([image('amd64', base), image('amd64', base, top)]);
    expect(other.layers[0]).toEqual(one.layers[0]);
  });
});

it('an archive for several architectures has an index that names them', async () => {
  const images = await Promise.all([image('amd64', base, top), image('arm64', base, top)]);
  const archive = multiArchive(images, 'mydeployment:1');
  const { manifests } = json(archive, 'index.json') as { manifests: { digest: string }[] };
  expect(manifests).toHaveLength(1);
  const index = json(archive, `blobs/${manifests[0]?.digest.replace(':', '/')}`);
  expect(index).toMatchObject({
    manifests: [{ platform: { architecture: 'amd64' } }, { platform: { architecture: 'arm64' } }],
  });
});

it.each([
  { arch: 'x64', architecture: 'amd64' },
  { arch: 'amd64', architecture: 'amd64' },
  { arch: 'arm64', architecture: 'arm64' },
])('$arch is $architecture', ({ arch, architecture }) => {
  expect(architectureOf(arch)).toBe(architecture);
});

it('an architecture without an image is refused', () => {
  expect(() => architectureOf('s390x')).toThrow('there is no image for s390x');
});
